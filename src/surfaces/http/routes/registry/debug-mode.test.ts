// Debug mode over HTTP: drafts and working copies for whoever edits, and for nobody else.
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { TestServer } from "../../testing/server.ts"
import { startTestServer } from "../../testing/server.ts"

type Body = Record<string, unknown>
let server: TestServer
let draftId = ""
let debugToken = ""

const call = async (method: string, path: string, body?: unknown, token?: string): Promise<{ status: number; body: Body }> => {
  const answer = await server.call(method, `/api${path}`, {
    ...(body === undefined ? {} : { body }),
    ...(token === undefined ? {} : { token }),
  })
  return { status: answer.status, body: answer.body as Body }
}
const make = async (slug: string, code: string): Promise<string> => {
  const { body, status } = await call("POST", "/tools", {
    name: slug,
    slug,
    description: `The tool ${slug}`,
    schema: { input: { type: "object", properties: { a: { type: "number" } } } },
    implementationType: "custom",
    implementationConfig: { code },
  })
  expect(status).toBe(201)
  return String(body["id"])
}
const run = async (path: string, fields: Body = {}, token?: string) => {
  const { status, body } = await call("POST", "/executions", { code: `return await tools.${path}({ a: 1 })`, ...fields }, token)
  return { status, body, result: (body["structured"] as Body | undefined)?.["result"] as Body | undefined }
}
const debug = { mode: "debug" }

beforeAll(async () => {
  server = await startTestServer()
  draftId = await make("draft", "return input.a + 1")
  const made = await call("POST", "/tokens", { name: "debugger", kind: "agent", debug: true })
  debugToken = String(made.body["token"])
})
afterAll(() => server.close())

describe("a draft", () => {
  test("is not found in production, and whoever may edit learns what to do", async () => {
    const { result } = await run("registry.draft")
    expect(result).toMatchObject({ ok: false, error: { code: "tool_not_found" } })
    expect(JSON.stringify(result)).toMatch(/is a draft: publish it with .*registry publish draft.*, or run in debug mode/)
    const agent = await run("registry.draft", {}, server.tokens.agent)
    expect(agent.result).toMatchObject({ ok: false, error: { code: "tool_not_found" } })
    expect(JSON.stringify(agent.result)).not.toContain("is a draft")
  })

  test("runs in debug mode under both of its paths, and the execution says its mode", async () => {
    for (const path of ["registry.draft", "registry.org.main.draft"]) expect((await run(path, debug)).result).toEqual({ ok: true, data: 2 })
    const { body } = await run("registry.draft", debug)
    expect((await call("GET", `/executions/${String(body["executionId"])}`)).body).toMatchObject({ mode: "debug" })
    expect((await run("registry.nothing", debug)).result).toMatchObject({ ok: false, error: { code: "tool_not_found" } })
  })

  test("runs for an agent's token that was made for it, and for no other", async () => {
    expect((await run("registry.draft", debug, debugToken)).result).toEqual({ ok: true, data: 2 })
    const { status, body } = await run("registry.draft", debug, server.tokens.agent)
    expect([status, JSON.stringify(body)]).toEqual([403, expect.stringContaining("make a token with debug: true")])
  })

  test("is not in search, types, or the list of agents", async () => {
    expect(JSON.stringify((await call("GET", "/tools/search?query=draft")).body)).not.toContain("registry.org.main.draft")
    expect(JSON.stringify((await call("GET", "/tools/types")).body)).not.toContain("draft")
    expect(JSON.stringify((await call("GET", "/tools", undefined, debugToken)).body)).not.toContain("registry.org.main.draft")
  })
})

describe("a published tool that was edited", () => {
  test("runs its snapshot in production and its working copy in debug mode, also when another tool calls it", async () => {
    const id = await make("inner", "return 'old'")
    expect((await call("POST", `/tools/${id}/publish`)).status).toBe(200)
    const outer = await make("outer", "return await tools.registry.inner({})")
    expect((await call("POST", `/tools/${outer}/publish`)).status).toBe(200)
    expect((await call("PUT", `/tools/${id}`, { implementationConfig: { code: "return 'new'" } })).status).toBe(200)
    expect((await run("registry.inner")).result).toEqual({ ok: true, data: "old" })
    expect((await run("registry.inner", debug)).result).toEqual({ ok: true, data: "new" })
    expect((await run("registry.outer")).result).toMatchObject({ ok: true, data: { data: "old" } })
    expect((await run("registry.outer", debug)).result).toMatchObject({ ok: true, data: { data: "new" } })
    expect((await run("registry.outer", debug, debugToken)).result).toMatchObject({ ok: true, data: { data: "new" } })
  })

  test("is blocked in every mode while it is inactive or disabled", async () => {
    const id = await make("blocked", "return 1")
    expect((await call("POST", `/tools/${id}/publish`)).status).toBe(200)
    for (const change of [{ isActive: false }, { isActive: true, status: "disabled" }]) {
      expect((await call("PUT", `/tools/${id}`, change)).status).toBe(200)
      expect((await run("registry.blocked")).result).toMatchObject({ ok: false, error: { code: "tool_not_found" } })
      const { result } = await run("registry.blocked", debug)
      expect(result).toMatchObject({ ok: false, error: { code: "tool_blocked" } })
      expect(JSON.stringify(result)).toMatch(/in every mode; bring it back with .*registry enable blocked/)
    }
  })
})

describe("the right", () => {
  test("is needed to make a token for debug mode, which is an agent's", async () => {
    expect((await call("POST", "/tokens", { name: "x", kind: "human", debug: true })).status).toBe(400)
    expect((await call("POST", "/tokens", { name: "x", kind: "agent", debug: true }, server.tokens.agent)).status).toBe(403)
    expect((await call("GET", "/tokens")).body).toMatchObject({
      items: expect.arrayContaining([expect.objectContaining({ name: "debugger", debug: true })]),
    })
  })

  test("is read anew: who loses it loses the mode, also in an execution that waits", async () => {
    const { member } = server.tokens
    const setRoles = (roles: readonly string[]) => call("PATCH", "/users/member", { roles })
    expect((await call("POST", "/roles", { id: "maker", name: "Maker", patterns: ["**"], rights: ["registry.write"] })).status).toBe(201)
    expect((await call("POST", "/tokens", { name: "x", kind: "agent", debug: true }, member)).status).toBe(403)
    expect((await run("registry.draft", debug, member)).status).toBe(403)
    expect((await setRoles(["member", "maker"])).status).toBe(200)
    const own = String((await call("POST", "/tokens", { name: "x", kind: "agent", debug: true }, member)).body["token"])
    expect((await run("registry.draft", debug, own)).result).toEqual({ ok: true, data: 2 })
    const writes = await make("asks", "return await tools.registry.sends({})")
    expect(writes).toMatch(/^tool_/)
    await call("POST", "/tools", {
      name: "sends",
      slug: "sends",
      description: "Sends",
      schema: { input: { type: "object" } },
      implementationType: "http",
      implementationConfig: { method: "POST", url: "https://api.example.com/things" },
    })
    const paused = await run("registry.asks", debug, member)
    expect(paused.body).toMatchObject({ status: "paused" })
    expect((await setRoles(["member"])).status).toBe(200)
    const resumed = await call("POST", `/executions/${String(paused.body["executionId"])}/resume`, { action: "accept" }, member)
    expect(JSON.stringify(resumed.body)).toMatch(/tool_blocked.*registry\.write/s)
    expect((await run("registry.draft", debug, own)).status).toBe(403)
  })

  test("an unknown mode is refused", async () => {
    expect((await run("registry.draft", { mode: "bug" })).status).toBe(400)
  })
})

describe("POST /tools/:id/test", () => {
  test("runs the working copy and answers with its execution", async () => {
    const { status, body } = await call("POST", `/tools/${draftId}/test`, { input: { a: 41 } })
    expect([status, body]).toEqual([200, { ok: true, data: 42, logs: [], executionId: expect.stringMatching(/^exe_/) }])
    expect((await call("GET", `/executions/${String(body["executionId"])}`)).body).toMatchObject({ mode: "debug", status: "completed" })
  })

  test("says what was wrong with the arguments or the code", async () => {
    expect((await call("POST", `/tools/${draftId}/test`, { input: { a: "x" } })).body).toMatchObject({
      ok: false,
      error: { code: "invalid_arguments" },
    })
    const broken = await make("broken", "throw new Error('boom')")
    const { body } = await call("POST", `/tools/${broken}/test`, { input: {} })
    expect(body).toMatchObject({ ok: false, error: { message: expect.stringContaining("boom") } })
  })

  test("a call that needs approval says where it is given", async () => {
    const { body: made } = await call("POST", "/tools", {
      name: "writes",
      slug: "writes",
      description: "Writes",
      schema: { input: { type: "object" } },
      implementationType: "http",
      implementationConfig: { method: "POST", url: "https://api.example.com/things" },
    })
    const { body } = await call("POST", `/tools/${String(made["id"])}/test`, { input: {} })
    expect(body).toMatchObject({
      ok: false,
      error: { code: "approval_required", details: { approvalId: expect.stringMatching(/^apr_/), executionId: body["executionId"] } },
    })
  })

  test("is for whoever may debug, and finds nothing else", async () => {
    expect((await call("POST", `/tools/${draftId}/test`, { input: { a: 1 } }, server.tokens.agent)).status).toBe(403)
    expect((await call("POST", `/tools/${draftId}/test`, { input: { a: 1 } }, debugToken)).body).toMatchObject({ ok: true, data: 2 })
    expect((await call("POST", `/tools/${draftId}/test`, { input: { a: 1 } }, server.tokens.stranger)).status).toBe(404)
    expect((await call("POST", "/tools/tool_nothing/test", { input: {} })).status).toBe(404)
    expect((await call("POST", `/tools/${draftId}/test`, {})).status).toBe(400)
  })
})
