// The first hour of somebody who has only the README: what is not connected, wrong or an agent's says so, and what to do.
import { chmodSync, mkdirSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { listen } from "../servers/listen.ts"
import type { Listening } from "../servers/listen.ts"
import { openCli } from "./cli-run.ts"
import type { Cli } from "./cli-run.ts"
import { hasTerminal, openTerminal } from "./cli-terminal.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"

let notes: Listening
let product: Product
let cli: Cli

beforeAll(async () => {
  const server = createServer((request, response) => {
    const isKnown = request.headers["x-key"] === "right"
    response.writeHead(isKnown ? 200 : 401, { "content-type": "application/json" })
    response.end(JSON.stringify(isKnown ? { id: 1 } : { message: "bad key" }))
  })
  notes = await listen(server)
  product = await startProduct()
  cli = openCli(product.dataDir)
  expect(await cli.run(["integrations", "add", file("notes.json", document()), "--slug", "my_notes"])).toMatchObject({ code: 0 })
})
afterAll(async () => {
  await product.stop()
  await notes.close()
})

const file = (name: string, content: string): string => {
  const path = join(product.dataDir, name)
  writeFileSync(path, content)
  return path
}

const document = (): string =>
  JSON.stringify({
    openapi: "3.1.0",
    info: { title: "Notes", version: "1" },
    servers: [{ url: notes.url }],
    security: [{ key: [] }],
    components: { securitySchemes: { key: { type: "apiKey", in: "header", name: "x-key" } } },
    paths: {
      "/notes": {
        get: { operationId: "notes/list", summary: "List the notes of a book", responses: {} },
        post: { operationId: "notes/write", summary: "Write a note into the book", responses: {} },
      },
    },
  })

const addKey = "connections add my_notes"

test("an API that was added and not connected is named where its tools are missed", async () => {
  for (const [query, found] of [
    ["write a note", "Only tools of Executor itself match."],
    ["xylophone", "No tools match."],
  ] as const) {
    const { stderr } = await cli.run(["tools", "search", query])
    expect(stderr).toContain(found)
    expect(stderr).toMatch(/my_notes is not connected, so its tools cannot be found: .*executor connections add my_notes/)
  }
  expect((await cli.run(["doctor"])).stdout).toMatch(/! integration my_notes: It is not connected[^]*executor connections add my_notes/)
  const call = await cli.run(["call", "my_notes.notes.list"])
  expect(call.stderr).toContain(`./executor ${addKey}`)
})

describe("once it is connected", () => {
  beforeAll(async () => {
    const run = await cli.run([...addKey.split(" "), "--secret-stdin"], { stdin: "wrong" })
    expect(run).toMatchObject({ code: 0, stderr: expect.stringContaining("The credential has not been tried yet") })
  })

  test("a wrong key is told with its status, its connection and how to replace it", async () => {
    const call = await cli.run(["call", "my_notes.notes.list"])
    expect(call.stderr).toMatch(/bad key\nThe API answered 401: .*my_notes\.org\.main.*executor connections update my_notes\.org\.main/)
    const code = file("list.ts", "return await tools.my_notes.notes.list().unwrap()")
    expect((await cli.run(["run", code])).stderr).toContain("connections update my_notes.org.main")
    await cli.run(["connections", "update", "my_notes", "--secret-stdin"], { stdin: "right" })
    expect(await cli.run(["call", "my_notes.notes.list"])).toMatchObject({ code: 0, stderr: "" })
  })

  test("a group of tools says what it holds, and titles keep the words of their summaries", async () => {
    const { stdout } = await cli.run(["call", "--help", "my_notes"])
    expect(stdout).toContain("List the Notes of a Book")
    expect(await cli.json(["call", "my_notes.notes.write"])).toMatchObject({
      structured: { interactions: [{ message: expect.stringMatching(/^Allow 'Write a Note into the Book'/) }] },
    })
  })

  test("a list of executions tells which calls failed", async () => {
    const { id } = (await cli.json(["policies", "add", "my_notes.**", "block"])) as { id: string }
    expect(await cli.run(["call", "my_notes.notes.list"])).toMatchObject({ code: 5 })
    await cli.run(["policies", "remove", id])
    await cli.run(["call", "my_notes.notes.missing"])
    const { stdout } = await cli.run(["executions", "list", "--limit", "2"])
    expect(stdout).toMatch(/call failed: tool_not_found [^]*call failed: tool_blocked /)
    expect(await cli.json(["executions", "list", "--limit", "1"])).toMatchObject({ items: [{ status: "completed" }] })
  })

  test("the link to connect it leads to its form in the console", async () => {
    const { status, headers } = await fetch(`${product.url}/connect/my_notes`, { redirect: "manual" })
    expect(status).toBe(302)
    expect(headers.get("location")).toBe("/connections?add=my_notes")
  })

  describe.skipIf(!hasTerminal)("at a terminal", () => {
    test("whoever has an agent's token is not asked, and reads who can answer", async () => {
      const { token } = (await cli.json(["tokens", "create", "--agent", "--name", "helper"])) as { token: string }
      const terminal = openTerminal(product.dataDir, ["call", "my_notes.notes.write"], { env: { EXECUTOR_TOKEN: token } })
      expect(await terminal.ended).toBe(3)
      expect(terminal.shown()).not.toContain("[y/N]")
      expect(terminal.shown()).toMatch(/is waiting for a human[^]*An agent cannot approve calls[^]*Answer at http/)
    })

    test("a question that was left is not shown twice", async () => {
      const terminal = openTerminal(product.dataDir, ["call", "my_notes.notes.write"])
      await terminal.until("Approve? [y/N]")
      terminal.type("\u0003")
      expect(await terminal.ended).toBe(3)
      expect(terminal.shown().match(/Allow 'Write/g)).toHaveLength(1)
      expect(terminal.shown()).toMatch(/is waiting for a human until [^:]*:[^:]*:[^:]*UTC\.\nAnswer at /)
    })
  })
})

test("a limit of time is spoken of as it is typed", async () => {
  const run = await cli.run(["run", file("long.ts", "return 1"), "--timeout", "3000"])
  expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining("--timeout must be at most 10m") })
})

describe("a program as an MCP server", () => {
  test("that is missing is named after its script, and the reason is one line", async () => {
    const run = await cli.run(["integrations", "add", "--", process.execPath, "./missing-notes.mjs"])
    expect(run).toMatchObject({ code: 1 })
    expect(run.stdout).toMatch(
      /^Added missing_notes \(mcp\), but it cannot be reached: .* exit code 1: Error: Cannot find module '.*missing-notes\.mjs'\n$/,
    )
    expect((await cli.run(["doctor"])).stdout).toContain("executor integrations remove missing_notes")
    await cli.run(["integrations", "remove", "missing_notes", "--yes"])
  })

  test("may be one word, and a file is meant from here", async () => {
    const bin = join(product.dataDir, "programs")
    mkdirSync(bin)
    const fixture = join(import.meta.dirname, "..", "servers", "mcp-fixture-stdio.ts")
    writeFileSync(join(bin, "mcp-notes"), `#!/bin/sh\nexec '${process.execPath}' '${fixture}'\n`)
    chmodSync(join(bin, "mcp-notes"), 0o755)
    for (const [at, word] of [join(bin, "mcp-notes"), "./mcp-notes"].entries()) {
      const run = await cli.run(["integrations", "add", "--slug", `word_${at}`, "--", word], { cwd: bin })
      expect(run).toMatchObject({ code: 0, stdout: expect.stringMatching(/Connected word_\d\.org\.main: \d+ tools/) })
    }
    // Its tools have no hints: what they change is not known, and not claimed.
    const asked = await cli.run(["call", "word_0.test_logging_tool"])
    expect(asked).toMatchObject({ code: 3, stderr: expect.stringContaining("Its server does not say what it changes") })
    expect(asked.stderr).not.toContain("delete or overwrite")
  })
})
