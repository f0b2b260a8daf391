// `executor integrations add` with documents from files and stdin, and with servers that cannot be reached.
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { openCli } from "./cli-run.ts"
import type { Cli } from "./cli-run.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"

let product: Product
let cli: Cli

beforeAll(async () => {
  product = await startProduct()
  cli = openCli(product.dataDir)
})
afterAll(() => product.stop())

const file = (name: string, content: string): string => {
  const path = join(product.dataDir, name)
  writeFileSync(path, content)
  return path
}

const yaml = `info:
  title: Shop
  version: "1"
servers:
  - url: http://127.0.0.1:1
components:
  schemas:
    Order:
      type: object
paths:
  /orders:
    get:
      operationId: orders/list
      parameters:
        - name: q
          in: query
          schema:
            type: string
      responses:
        "200":
          description: All.
openapi: 3.1.0
`
const introspection = {
  __schema: {
    queryType: { name: "Query" },
    types: [
      { kind: "OBJECT", name: "Query", interfaces: [], fields: [{ name: "a", args: [], type: { kind: "SCALAR", name: "Int" } }] },
      { kind: "SCALAR", name: "Int" },
    ],
    directives: [],
  },
}

describe("the kind of a document is found", () => {
  test.each([
    ["YAML", "openapi", yaml, []],
    ["a byte order mark", "openapi", `\uFEFF${yaml}`, []],
    ["JSON with a byte order mark", "openapi", `\uFEFF{"openapi":"3.1.0","info":{"title":"A","version":"1"},"paths":{}}`, []],
    ["SDL", "graphql", '"""An API."""\ntype Query {\n  a: Int\n}\n', ["--endpoint", "http://127.0.0.1:1/graphql"]],
    ["an introspection result", "graphql", JSON.stringify({ data: introspection }), ["--endpoint", "http://127.0.0.1:1/graphql"]],
  ])("%s", async (name, kind, text, options) => {
    const slug = name.toLowerCase().replaceAll(/[^a-z]+/g, "_")
    expect(await cli.json(["integrations", "add", file("document", text), "--slug", slug, "--no-connect", ...options])).toMatchObject({
      kind,
    })
    const piped = await cli.json(["integrations", "add", "-", "--slug", `${slug}_in`, "--no-connect", ...options], { stdin: text })
    expect(piped).toMatchObject({ kind })
  })

  test("a schema without an endpoint is told what is missing", async () => {
    const run = await cli.run(["integrations", "add", file("schema.graphql", "type Query { a: Int }"), "--slug", "lost"])
    expect(run).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("pass --endpoint <url>") })
  })
})

describe("a server that cannot be reached", () => {
  test("is added, and it is said why and how to go on", async () => {
    const config = JSON.stringify({ transport: "stdio", command: "/nonexistent/prog" })
    const run = await cli.run(["integrations", "add", "--kind", "mcp", "--slug", "bad", "--config", config])
    expect(run.code).toBe(1)
    expect(run.stdout).toMatch(/^Added bad \(mcp\), but it cannot be reached: .*\n$/)
    expect(run.stderr).toContain("executor connections refresh bad")
    expect(run.stderr).toContain("executor integrations remove bad")
    expect(run.stdout + run.stderr).not.toMatch(/0 tools|See what it can do/)
  })

  test("… in one short line, also where its program says much; --json has all of it", async () => {
    const args = ["-e", `process.stderr.write("trouble ".repeat(200)); process.exit(1)`]
    const config = JSON.stringify({ transport: "stdio", command: process.execPath, args })
    const run = await cli.run(["integrations", "add", "--kind", "mcp", "--slug", "loud", "--config", config])
    expect(run.code).toBe(1)
    expect(run.stdout.length).toBeLessThan(300)
    expect(run.stdout).toMatch(/…\n$/)
    const listed = await cli.run(["connections", "list", "--integration", "loud"])
    expect(Math.max(...listed.stdout.split("\n").map((line) => line.length))).toBeLessThan(200)
    const { items } = (await cli.json(["connections", "list", "--integration", "loud"])) as { items: { error: string }[] }
    expect(items[0]?.error.length).toBeGreaterThan(300)
    const again = await cli.run(["connections", "add", "loud", "--name", "second", "--auth", "none"])
    expect(again).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^Created loud\.org\.second, but it cannot be reached: .{1,200}\n$/),
    })
    expect(again.stderr).toContain("executor connections refresh loud.org.second")
  })
})

test("what a connection brings is not counted before there is one", async () => {
  const config = JSON.stringify({
    transport: "stdio",
    command: process.execPath,
    args: [join(import.meta.dirname, "../../node_modules/@modelcontextprotocol/server-memory/dist/index.js")],
    env: { MEMORY_FILE_PATH: join(product.dataDir, "memory.json") },
  })
  const run = await cli.run(["integrations", "add", "--kind", "mcp", "--slug", "memory", "--config", config])
  expect(run.stdout).toMatch(/^Added memory \(mcp\)\nConnected memory\.org\.main: \d+ tools\n$/)
})
