// What a path that names no tool is answered with, over HTTP, and one that names several or a blocked one.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest"
import type { ExecutionServer } from "../testing/executions.ts"
import { resultOf, startExecutionServer } from "../testing/executions.ts"

let server: ExecutionServer
beforeAll(async () => {
  server = await startExecutionServer()
  await server.call("POST", "/api/integrations", { body: { slug: "pay", kind: "openapi", config: { spec: payments } } })
  await server.call("POST", "/api/connections", { body: { integration: "pay" } })
})
afterAll(() => server.close())

const operation = (operationId: string, summary: string) => ({ operationId, summary, responses: { 200: { description: "ok" } } })
/** Words of every kind, so that a search for almost anything finds something here. */
const payments = {
  openapi: "3.1.0",
  info: { title: "Payments", version: "1" },
  servers: [{ url: "http://127.0.0.1:9" }],
  paths: {
    "/nope": { get: operation("nope/list", "List every nope") },
    "/foo": { get: operation("foo/get", "Read a foo") },
    "/refunds": { get: operation("refunds/list", "List refunds"), post: operation("refunds/create", "Create a refund") },
    "/charges": { get: operation("charges/list", "List charges"), post: operation("charges/create", "Create a charge") },
  },
}

const suggestionsFor = async (path: string): Promise<readonly string[]> => {
  const reply = await server.run(`return (await tools[${JSON.stringify(path)}]({})).error`)
  expect(resultOf(reply)).toMatchObject({ code: "tool_not_found" })
  return (resultOf(reply) as { details: { suggestions: string[] } }).details.suggestions
}

describe("suggestions", () => {
  test.each(["ledger.org.main.nope", "ledger.nope", "ledger.org.main.foo", "ledger.refunds.list", "ledger.org.other.nope", "ledger.org"])(
    "%s is answered with tools of that integration alone",
    async (path) => {
      const suggested = await suggestionsFor(path)
      expect(suggested.length).toBeGreaterThan(0)
      expect(suggested.filter((one) => !one.startsWith("ledger.org.main."))).toEqual([])
    },
  )

  test("the nearest name is first, a beginning counts, and five are enough", async () => {
    expect((await suggestionsFor("ledger.org.main.items.creat"))[0]).toBe("ledger.org.main.items.create")
    expect((await suggestionsFor("ledger.itms.remove"))[0]).toBe("ledger.org.main.items.remove")
    expect((await suggestionsFor("pay.org.main.ref")).slice(0, 2).toSorted()).toEqual([
      "pay.org.main.refunds.create",
      "pay.org.main.refunds.list",
    ])
    expect(await suggestionsFor("pay.org.main.zzz")).toHaveLength(5)
  })

  test("an integration that is not there may be a slip of the pen", async () => {
    expect(await suggestionsFor("ledgr.items.create")).toContain("ledger.org.main.items.create")
  })

  test("describe and the schema suggest the same", async () => {
    const called = await suggestionsFor("ledger.org.main.nope")
    const described = resultOf(await server.run(`return await tools.describe.tool({ path: "ledger.org.main.nope" })`))
    expect(described).toEqual({ error: { code: "tool_not_found", suggestions: called } })
    const { body } = await server.call("GET", "/api/tools/schema?address=ledger.org.main.nope")
    expect(body).toMatchObject({ error: { code: "tool_not_found", details: { suggestions: called } } })
  })
})

describe("a blocked tool", () => {
  const paths = ["ledger.items.remove", "ledger.org.main.items.remove"]
  const block = (when: unknown[]) =>
    server.call("POST", "/api/policies", { body: { owner: "org", pattern: "ledger.items.remove", action: "block", when } })
  const removeRules = async (): Promise<void> => {
    const { items } = (await server.call("GET", "/api/policies")).body as { items: { id: string }[] }
    for (const { id } of items) await server.call("DELETE", `/api/policies/${id}`)
  }
  afterEach(removeRules)

  test.each(paths)("%s is refused alike, however it is asked for", async (path) => {
    await block([])
    const message = "A policy blocks 'ledger.org.main.items.remove'"
    for (const token of [server.tokens.human, server.tokens.agent]) {
      const run = async (code: string) => resultOf(await server.run(code, { token }))
      expect(await run(`return (await tools["${path}"]({ name: "a" })).error`)).toEqual({ code: "tool_blocked", message })
      expect(await run(`return (await tools.describe.tool({ path: "${path}" })).error`)).toEqual({
        code: "tool_blocked",
        message,
        suggestions: [],
      })
      expect(await server.call("GET", `/api/tools/schema?address=${path}`, { token })).toMatchObject({
        status: 403,
        body: { error: { code: "tool_blocked", message } },
      })
    }
  })

  test("is described where only some arguments are blocked", async () => {
    await block([{ arg: "name", op: "eq", value: "a" }])
    expect((await server.call("GET", `/api/tools/schema?address=${paths[0]}`)).status).toBe(200)
  })

  test("of admins is refused to agents", async () => {
    const { status, body } = await server.call("GET", "/api/tools/schema?address=executor.coreTools.policies.create", {
      token: server.tokens.agent,
    })
    expect({ status, body }).toMatchObject({ status: 403, body: { error: { code: "tool_blocked" } } })
  })
})

test("a short path that fits two connections is ambiguous, however it is asked for", async () => {
  await server.call("POST", "/api/connections", { body: { integration: "ledger", name: "second" } })
  const refused = {
    code: "tool_ambiguous",
    details: { candidates: ["ledger.org.main.items.get", "ledger.org.second.items.get"] },
  }
  const called = resultOf(await server.run(`return (await tools.ledger.items.get({ name: "a" })).error`))
  expect(called).toMatchObject(refused)
  expect(await server.call("GET", "/api/tools/schema?address=ledger.items.get")).toMatchObject({ status: 400, body: { error: refused } })
  expect(await server.call("POST", "/api/policies/explain", { body: { address: "ledger.items.get" } })).toMatchObject({
    status: 400,
    body: { error: refused },
  })
  await server.call("DELETE", "/api/connections/org/ledger/second")
})
