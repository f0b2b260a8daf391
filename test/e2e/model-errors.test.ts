// What a model is told over MCP when something went wrong: which value was what, what may have happened, and what was not made.
import type { Client } from "@modelcontextprotocol/client"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { startEcho } from "../servers/echo.ts"
import type { Echo } from "../servers/echo.ts"
import { callTool, connectMcp, textOf } from "./mcp-client.ts"
import { startMcpServer } from "./mcp-server.ts"
import type { McpTestServer } from "./mcp-server.ts"

let echo: Echo
let server: McpTestServer
let client: Client
beforeAll(async () => {
  echo = await startEcho()
  server = await startMcpServer()
  const parameters = [
    { name: "code", in: "path", required: true, schema: { type: "integer" } },
    { name: "retryAfter", in: "query", schema: { type: "string" } },
  ]
  const operation = (operationId: string) => ({ operationId, parameters, responses: {} })
  const paths = { "/status/{code}": { get: operation("things/read"), post: operation("things/write") } }
  const spec = { openapi: "3.1.0", info: { title: "Failing", version: "1" }, servers: [{ url: echo.url }], paths }
  await server.call("POST", "/api/integrations", { body: { slug: "failing", kind: "openapi", config: { spec } } })
  await server.call("POST", "/api/connections", { body: { integration: "failing" } })
  client = await connectMcp(server.mcpUrl, { era: "modern", token: server.tokens.agent })
})
afterAll(async () => {
  await client.close()
  await server.close()
  await echo.close()
})

const execute = (code: string) => callTool(client, "execute", { code })
const said = async (code: string): Promise<string> => textOf(await execute(code))

describe("a value that is not what the code takes it for", () => {
  const shape = "{ name: string, count: number }, the data of ledger.items.get"

  test.each([
    [
      `const t = await tools.ledger.items.get({ name: "a" }).unwrap()\nreturn t.split("x")`,
      `\`t.split\` is not a function: \`t\` is ${shape}`,
    ],
    [`const r = await tools.ledger.items.get({ name: "a" })\nreturn r.data.map((x) => x)`, `is not a function: \`r.data\` is ${shape}`],
    [
      `const d: any = (await tools.ledger.items.get({ name: "a" })).data\nreturn d.nodes.map((x: any) => x)`,
      `of undefined: \`d\` is ${shape}`,
    ],
    [
      `const t = await tools.ledger.items.get({ name: "a" }).unwrap()\nfor (const x of t.nodes) emit(x)`,
      `undefined is not iterable: \`t\` is ${shape}`,
    ],
    [`const t = await tools.ledger.items.get({ name: "a" }).unwrap()\nreturn [...t]`, `not iterable: \`t\` is ${shape}`],
    [`const r = await tools.search({ query: "item" })\nreturn r.map((x) => x)`, "`r` is { items: array of"],
  ])("is named with its shape: %s", async (code, message) => {
    expect(await said(code)).toContain(message)
  })

  test("is not named where it cannot be told which one it is", async () => {
    const code = `const f = (t) => t.split("x"); const t = await tools.ledger.items.get({ name: "a" }).unwrap(); const u = { t }; return u.t.split("x")`
    expect(await said(code)).toMatch(/`u\.t\.split` is not a function \(line 1/)
  })

  test("may be a promise, which is said", async () => {
    expect(await said(`const p = tools.ledger.items.get({ name: "a" }).unwrap(); return p.length`)).toContain(
      "TypeError: `p` is a promise and has no `length`: use (await p).length (line 1",
    )
    expect(await said(`return await tools.ledger.items.get({ name: "a" }).data`)).toContain(
      "is a promise and has no `data`: use (await …).data",
    )
    expect(
      await said(
        `const p = tools.ledger.items.get({ name: "kept" }); const r = await p; return [r.ok, p instanceof Promise, (await p.unwrap()).name]`,
      ),
    ).toBe(`[true,true,"kept"]`)
  })

  test("in code that cannot be read is shown in its line", async () => {
    expect(await said("const a: number = 1\nconst b = ;")).toBe("SyntaxError: Unexpected token `;` in `const b = ;` (line 2, column 11)")
  })
})

describe("an upstream that fails", () => {
  test("inside a write may have done it", async () => {
    const paused = await execute(`await tools.failing.things.write({ code: 502 }).unwrap()`)
    const { executionId = "" } = paused.structured
    await server.approve(executionId)
    const text = textOf(await callTool(client, "resume", { executionId, action: "accept" }))
    expect(text).toContain("failed: upstream_error 502: This is status 502")
    expect(text).toContain('May have happened, check before repeating: failing.things.write({"code":502})')
    expect(await said(`await tools.failing.things.read({ code: 502 }).unwrap()`)).not.toContain("May have happened")
  })

  test("because it was asked too often says for how long", async () => {
    expect(await said(`await tools.failing.things.read({ code: 403, retryAfter: "60" }).unwrap()`)).toContain(
      "upstream_error 403: This is status 403 (retry after 60 s)",
    )
    expect(await said(`await tools.failing.things.read({ code: 429, retryAfter: "60" }).unwrap()`)).toContain(
      "rate_limited 429: This is status 429. Retry after 60 s.",
    )
  })
})

describe("calls that were not made", () => {
  test("because another one failed are named beside those that were", async () => {
    const paused = await execute(`
      await Promise.all([
        tools.ledger.items.create({ name: "first" }).unwrap(),
        tools.failing.things.write({ code: 404 }).unwrap(),
      ]).catch(async (error) => { throw error })`)
    const { executionId = "" } = paused.structured
    const asked = paused.structured["interactions"] as { approvalId: string; address: string }[] // each asks for one call
    const failing = asked.find(({ address }) => address.includes("failing"))
    await server.call("POST", `/api/approvals/${failing?.approvalId ?? ""}`, { body: { action: "accept" } })
    const text = textOf(await callTool(client, "resume", { executionId, action: "accept" }))
    expect(text).toContain('failing.things.write({"code":404}) failed: upstream_error 404')
    expect(text).toContain('\nNot made: ledger.items.create({"name":"first"})')
    expect(text).not.toContain("waiting for approval")
  })

  test("because the code was done are named as well", async () => {
    const text = await said(`
      await Promise.race([tools.ledger.items.create({ name: "left" }), tools.ledger.items.get({ name: "seen" })])
      return "on"`)
    expect(text).toBe(`on\n\nLogs:\n[warn] The code ended before approval came. Not made: ledger.items.create({"name":"left"})`)
  })

  test("because the code failed before they left are named", async () => {
    expect(await said(`tools.ledger.items.get({ name: "a" }); throw new Error("no")`)).toContain(
      'not made, because the code failed first: ledger.items.get({"name":"a"})',
    )
  })
})

test("resume says what to do where there is no such execution", async () => {
  const unknown = await callTool(client, "resume", { executionId: "exe_nope", action: "accept" })
  expect(unknown.isError).toBe(true)
  expect(textOf(unknown)).toContain("There is no execution 'exe_nope'. Take the executionId from the reply of `execute`")
})
