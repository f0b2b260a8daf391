// What somebody types in their first hour: addresses without a scheme, wrong files, keys that change, tables at 80 columns.
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { chooseSandbox } from "../../src/agent-tools/shell-sandbox/choose.ts"
import { startEcho } from "../servers/echo.ts"
import type { Echo } from "../servers/echo.ts"
import { openCli } from "./cli-run.ts"
import type { Cli } from "./cli-run.ts"
import { hasTerminal, openTerminal } from "./cli-terminal.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"

let product: Product
let cli: Cli
let echo: Echo

beforeAll(async () => {
  product = await startProduct()
  cli = openCli(product.dataDir)
  echo = await startEcho()
  await cli.run(["integrations", "add", file("shop.json", shop({})), "--slug", "shop"])
})
afterAll(async () => {
  await product.stop()
  await echo.close()
})

const file = (name: string, content: string): string => {
  const path = join(product.dataDir, name)
  writeFileSync(path, content)
  return path
}

const shop = (change: object): string =>
  JSON.stringify({
    openapi: "3.1.0",
    info: { title: "Shop", version: "1" },
    servers: [{ url: echo.url }],
    paths: { "/orders": { get: { operationId: "orders/list", responses: {} } } },
    ...change,
  })

describe("a mistake is told in the words of the command line", () => {
  test.each<[string, string[], number, string]>([
    ["an address without a scheme", ["integrations", "add", "localhost:23090"], 2, "Did you mean http://localhost:23090?"],
    [
      "a host without a scheme",
      ["integrations", "add", "api.example.com/openapi.json"],
      2,
      "Did you mean https://api.example.com/openapi.json?",
    ],
    ["a file that is not there", ["run", "/nofile.ts"], 2, "cannot be read from '/nofile.ts': there is no such file"],
    ["nothing to add", ["integrations", "add"], 2, "Specify what to add"],
    ["an argument of another type", ["call", "shop.orders.list", "limit=abc"], 2, "Unknown parameter 'limit'"],
    ["an integration that is called", ["call", "shop"], 2, "'shop' is an integration. To list its tools, run"],
    ["an integration that is spelled wrong", ["integrations", "show", "shpo"], 4, "Did you mean:\n  shop"],
    ["… and removed", ["integrations", "remove", "shopp", "--yes"], 4, "Did you mean:\n  shop"],
    [
      "a secret for what asks for none",
      ["connections", "add", "shop", "--name", "x", "--env", "T"],
      2,
      "shop does not declare any credentials. Specify how",
    ],
    ["a connection that is there", ["connections", "add", "shop"], 1, "executor connections update shop.org.main"],
  ])("%s", async (_name, words, code, text) => {
    const run = await cli.run(words)
    expect(run).toMatchObject({ code, stdout: "" })
    expect(run.stderr).toContain(text)
    expect(run.stderr).not.toMatch(/ENOENT|error: /)
  })

  test("a file that is no document", async () => {
    const path = file("bad.txt", "just words")
    const run = await cli.run(["integrations", "add", path])
    expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining(`'${path}' is neither an OpenAPI document`) })
  })

  test("a token that nobody knows is spoken of as the variable it came from", async () => {
    const run = await cli.run(["tools", "list"], { env: { EXECUTOR_TOKEN: "exh_wrong" } })
    expect(run).toMatchObject({ code: 5, stderr: expect.stringContaining("the token in EXECUTOR_TOKEN") })
    expect(run.stderr).not.toContain("Authorization")
  })

  test("with --json an error stands on stdout, and nowhere else", async () => {
    for (const words of [["--json"], ["tools", "list", "--limt", "5", "--json"], ["integrations", "show", "nope", "--json"]]) {
      const run = await cli.run(words)
      expect(run.stderr).toBe("")
      expect(JSON.parse(run.stdout)).toMatchObject({ error: { code: expect.any(String) } })
    }
  })

  test("doctor says which sandbox commands of agents run in, and why others do not", async () => {
    const { tried, driver } = chooseSandbox()
    const run = await cli.run(["doctor"], {})
    for (const report of tried) {
      if (report.works) expect(run.stdout).toContain(`shell: Commands of agents run under ${report.driver}`)
      else expect(run.stdout).toContain(`${report.driver} cannot be used: `)
    }
    if (driver === null) expect(run.stdout).toContain("! shell: No sandbox, so that agents get no shell")
  })

  test("doctor knows which variables there are", async () => {
    const run = await cli.run(["doctor"], { env: { EXECUTOR_PRT: "1" } })
    expect(run.stdout).toContain("EXECUTOR_PRT is not a known variable")
  })
})

test("an API without tools is not greeted as a success, and its warnings are said", async () => {
  const run = await cli.run(["integrations", "add", file("empty.json", shop({ paths: {}, servers: [] })), "--slug", "empty"])
  expect(run.stderr).toContain("It has no tools yet")
  expect(run.stderr).not.toContain("Explore its tools")
})

test("a key is rotated, and a way of authenticating added, without removing anything", async () => {
  const sent = async (): Promise<string | undefined> => {
    await cli.run(["call", "shop.orders.list"])
    return echo.ledger.at(-1)?.headers["authorization"]
  }
  expect(await sent()).toBeUndefined()
  for (const secret of ["first-secret", "second-secret"]) {
    const run = await cli.run(["connections", "update", "shop", "--auth", "bearer", "--secret-stdin"], { stdin: `${secret}\n` })
    expect(run).toMatchObject({ code: 0, stdout: expect.stringContaining("Updated shop.org.main: 1 tool") })
    expect(await sent()).toBe(`Bearer ${secret}`)
  }
})

test("an integration is changed: where its calls go, its name, its document", async () => {
  await cli.run(["integrations", "add", file("moved.json", shop({ servers: [{ url: "http://127.0.0.1:1" }] })), "--slug", "moved"])
  const moved = await cli.run(["integrations", "update", "moved", "--base-url", echo.url, "--name", "Moved shop"])
  expect(moved).toMatchObject({ code: 0, stdout: "Updated moved (openapi): 1 tool\n" })
  expect(await cli.json(["integrations", "show", "moved"])).toMatchObject({ name: "Moved shop", config: { baseUrl: echo.url } })
  const paths = { "/orders": { get: { operationId: "orders/list", responses: {} }, post: { operationId: "orders/create", responses: {} } } }
  const more = await cli.run(["integrations", "update", "moved", "--document", file("more.json", shop({ paths }))])
  expect(more.stdout).toBe("Updated moved (openapi): 2 tools\n")
  expect((await cli.run(["integrations", "update", "moved"])).stderr).toContain("Specify a change")
})

test("tools are counted alike everywhere, with those that a policy blocks", async () => {
  const paths = { "/orders": { get: { operationId: "orders/list", responses: {} }, post: { operationId: "orders/create", responses: {} } } }
  await cli.run(["integrations", "add", file("counted.json", shop({ paths })), "--slug", "counted"])
  await cli.run(["policies", "add", "counted.*.*.orders.create", "block"])
  expect((await cli.run(["integrations", "list"])).stdout).toMatch(/^counted +openapi +2 /m)
  expect((await cli.run(["connections", "list"])).stdout).toMatch(/^counted\.org\.main .* 2 /m)
  expect((await cli.run(["tools", "sources"])).stdout).toMatch(/^counted +openapi +2 \(1 blocked\) /m)
  expect((await cli.run(["call", "--help", "counted"])).stdout).toMatch(/orders\.create +\(blocked\)/)
  const listed = await cli.run(["tools", "list", "--integration", "counted"])
  expect(listed).toMatchObject({ stderr: "1 blocked tool not shown; add --include-blocked\n" })
  expect(listed.stdout).not.toContain("orders.create")
  expect((await cli.run(["tools", "list", "--integration", "counted", "--include-blocked"])).stderr).toBe("")
})

test("an MCP server is added by the command that starts it", async () => {
  const program = join(import.meta.dirname, "..", "servers", "mcp-fixture-stdio.ts")
  const run = await cli.run(["integrations", "add", "--slug", "fixture", "--", process.execPath, program])
  expect(run).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Added fixture \(mcp\)[^]*Connected fixture\.org\.main: \d+ tools/) })
  expect(await cli.json(["integrations", "show", "fixture"])).toMatchObject({
    config: { transport: "stdio", command: process.execPath, args: [program] },
  })
  // As the files of other clients have it.
  const config = JSON.stringify({ command: process.execPath, args: [program] })
  expect((await cli.run(["integrations", "add", "--kind", "mcp", "--slug", "plain", "--config", config])).code).toBe(0)
})

describe.skipIf(!hasTerminal)("tables on a terminal of 80 columns", () => {
  /** Types a command at a terminal, and gives what stands on its screen. */
  const atTerminal = async (words: string, columns: number): Promise<string[]> => {
    const terminal = openTerminal(product.dataDir, words.split(" "), { columns })
    await terminal.ended
    return terminal
      .shown()
      .split("\n")
      .filter((line) => line !== "")
  }

  test.each([
    ["policies list", "pol_"],
    ["tokens list", "tok_"],
    ["executions list", "exe_"],
  ])("%s keeps ids whole", async (words, prefix) => {
    await cli.run(["policies", "add", "shop.*.*.orders.create", "allow", "--when", "quantity lte 10"])
    await cli.run(["tokens", "create", "--agent", "--name", "an agent with quite a long name"])
    await cli.run(["call", "shop.orders.list"])
    const id = new RegExp(`${prefix}[a-z0-9]{20,}(?![…\\w])`)
    for (const columns of [80, 40]) expect((await atTerminal(words, columns)).join("\n")).toMatch(id)
    for (const line of await atTerminal(words, 80)) expect(line.length).toBeLessThanOrEqual(80)
  })

  test("paths of tools are whole at 40 columns, and Executor's own tools are out of the way", async () => {
    const lines = await atTerminal("tools list", 40)
    expect(lines.join("\n")).toContain("shop.org.main.orders.list")
    expect(lines.join("\n")).not.toContain("coreTools")
    expect((await atTerminal("tools list --all", 80)).join("\n")).toContain("executor.coreTools.")
  })
})
