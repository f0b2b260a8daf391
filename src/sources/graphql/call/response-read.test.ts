// Answers that a GraphQL server should not give, and what becomes of them.
import { createServer } from "node:http"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startGraphQLCaller } from "../../../../test/servers/graphql-caller.ts"
import type { GraphQLCaller } from "../../../../test/servers/graphql-caller.ts"
import { listen } from "../../../../test/servers/listen.ts"
import type { Listening } from "../../../../test/servers/listen.ts"
import type { ToolResult } from "../../../core/result.ts"
import type { ListedTools } from "../../source-adapter.ts"

type Answer = { readonly status?: number; readonly headers?: Record<string, string>; readonly body: string }
let answer: Answer = { body: "" }
let requests = 0
let site: Listening
let caller: GraphQLCaller
let listed: ListedTools

beforeAll(async () => {
  site = await listen(
    createServer((_, response) => {
      requests += 1
      response.writeHead(answer.status ?? 200, { "content-type": "application/json", ...answer.headers }).end(answer.body)
    }),
  )
  caller = startGraphQLCaller()
  listed = await caller.list({ endpoint: site.url, sdl: "type Query { count: Int then: String } type Mutation { add: Int }" })
})
afterAll(() => Promise.all([site.close(), caller.close()]))

async function answered(given: Answer, name = "query.count"): Promise<ToolResult> {
  answer = given
  requests = 0
  return caller.call({ endpoint: site.url }, listed, name, {}, { limits: { responseBytesMax: 200_000 } })
}

describe("an answer", () => {
  it.each<[string, Answer, unknown]>([
    [
      "keeps what else the server says",
      { body: '{"data":{"count":1},"extensions":{"cost":2}}' },
      { ok: true, data: { data: { count: 1 }, extensions: { cost: 2 } } },
    ],
    ["may be null", { body: '{"data":null}' }, { ok: true, data: { data: null } }],
    ["may be null beside no errors", { body: '{"data":null,"errors":[]}' }, { ok: true }],
    [
      "without data fails",
      { body: '{"errors":[{"message":"No"},{"message":"Never"}]}' },
      { error: { code: "upstream_error", message: "No", status: 200, details: { errors: [{ message: "No" }, { message: "Never" }] } } },
    ],
    [
      "with null data and errors fails",
      { body: '{"data":null,"errors":[{"message":"No"}]}' },
      { error: { code: "upstream_error", message: "No" } },
    ],
    ["may hold errors of any form", { body: '{"errors":["just text"]}' }, { error: { code: "upstream_error", message: "just text" } }],
    [
      "may hold errors of no form",
      { body: '{"errors":[null,1]}' },
      { error: { code: "upstream_error", message: expect.stringContaining("no data") } },
    ],
    [
      "may fail by its status",
      { status: 400, body: '{"errors":[{"message":"Bad field"}]}' },
      { error: { code: "upstream_error", message: "Bad field", status: 400 } },
    ],
    [
      "that failed is no success for its data",
      { status: 500, body: '{"data":{"count":1}}' },
      { error: { code: "upstream_error", status: 500 } },
    ],
    [
      "may fail outside of GraphQL",
      { status: 401, body: '{"message":"Bad credentials"}' },
      { error: { code: "upstream_error", message: "Bad credentials", status: 401 } },
    ],
    [
      "may be a page",
      { status: 502, headers: { "content-type": "text/html" }, body: "<h1>Oops</h1>" },
      { error: { code: "upstream_error", message: "Bad Gateway", details: "<h1>Oops</h1>" } },
    ],
    [
      "may ask for patience",
      { status: 429, headers: { "retry-after": "0" }, body: '{"errors":[{"message":"Slow down"}]}' },
      { error: { code: "rate_limited", retryable: true } },
    ],
    [
      "may be something else",
      { body: '{"hello":1}' },
      { error: { code: "upstream_error", message: expect.stringContaining("did not return a GraphQL response") } },
    ],
    [
      "may be no JSON",
      { headers: { "content-type": "text/html" }, body: "<p>hi" },
      { error: { code: "upstream_error", details: "<p>hi" } },
    ],
    ["may be nothing", { body: "" }, { error: { code: "upstream_error" } }],
    ["may be too large", { body: `{"data":"${"x".repeat(300_000)}"}` }, { error: { code: "response_too_large" } }],
    ["may use the names of the language", { body: '{"data":{"__proto__":{"x":1},"constructor":2}}' }, { ok: true }],
  ])("%s", async (_, given, result) => {
    expect(await answered(given)).toMatchObject(result as object)
  })
  it("may have a field that is called then", async () => {
    const result = await answered({ body: '{"data":{"then":"later"}}' }, "query.then_")
    expect(JSON.stringify(result)).toContain('"data":{"data":{"then":"later"}}')
  })
  it("does not lead elsewhere", async () => {
    expect(await answered({ status: 307, headers: { location: "http://127.0.0.1:1/" }, body: "" })).toMatchObject({
      error: { code: "upstream_error", status: 307 },
    })
    expect(requests).toBe(1)
  })
  it("that fails is not asked for again", async () => {
    await answered({ status: 503, headers: { "retry-after": "0" }, body: "" }, "mutation.add")
    expect(requests).toBe(1)
  })
  it("shows no more errors than are read", async () => {
    const many = Array.from({ length: 1_000 }, (_, n) => ({ message: `Error ${n} ${"x".repeat(100)}` }))
    const result = await answered({ body: JSON.stringify({ errors: many }) })
    expect(result).toMatchObject({ error: { details: { errors: expect.any(Array) } } })
    expect(JSON.stringify(result).length).toBeLessThan(40_000)
  })
})
