// Signing in, and what the inbox reads of an approval, as requests.
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { startModelServer } from "../servers/model.ts"
import { createItem, startMcpServer } from "./mcp-server.ts"
import type { McpTestServer } from "./mcp-server.ts"

let server: McpTestServer
beforeAll(async () => {
  server = await startMcpServer()
})
afterAll(() => server.close())

const origin = () => ({ origin: server.url })

async function newCode(token = server.tokens.human): Promise<string> {
  const answer = await server.call("POST", "/api/sessions", { token })
  expect(answer.status).toBe(201)
  return (answer.body as { code: string }).code // as documented
}

/** What a page of this server sends along, where a human is signed in. */
async function signIn(token?: string): Promise<Record<"cookie" | "origin" | "x-executor-session-key", string>> {
  const answer = await server.call("POST", "/signin", { token: null, body: { code: await newCode(token) }, headers: origin() })
  expect(answer.status).toBe(200)
  const cookie = (answer.headers.get("set-cookie") ?? "").split(";", 1)[0] ?? ""
  const { key } = answer.body as { key: string } // as the page reads it
  return { cookie, ...origin(), "x-executor-session-key": key }
}

const open = (path: string, headers: Record<string, string>) => server.call("GET", path, { token: null, headers })
const act = (path: string, body: unknown, headers: Record<string, string>) => server.call("POST", path, { token: null, body, headers })

async function pause(code: string): Promise<{ executionId: string; approvalIds: string[] }> {
  const { executionId, structured } = await server.run(code, { token: server.tokens.agent })
  const approvalIds = structured.status === "waiting_for_interaction" ? structured.interactions.map((one) => one.approvalId) : []
  return { executionId, approvalIds }
}

describe("signing in", () => {
  test("takes a code once, and gives a cookie that scripts and other sites do not get", async () => {
    const code = await newCode()
    const answer = await server.call("POST", "/signin", { token: null, body: { code }, headers: origin() })
    expect(answer.headers.get("set-cookie")).toMatch(
      /^executor_session_\d+=exs_[\w-]{43}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Strict$/,
    )
    expect((await server.call("POST", "/signin", { token: null, body: { code }, headers: origin() })).status).toBe(401)
  })

  test("opening the link uses up nothing, and shows no code", async () => {
    const code = await newCode()
    const page = await server.call("GET", `/signin?code=${code}`, { token: null })
    expect(page.status).toBe(200)
    expect(page.headers.get("set-cookie")).toBeNull()
    expect(page.body).not.toContain(code)
    expect((await server.call("POST", "/signin", { token: null, body: { code }, headers: origin() })).status).toBe(200)
  })

  test("needs an origin, and that of this server", async () => {
    const code = await newCode()
    const without = await act("/signin", { code }, {})
    expect(without).toMatchObject({ status: 403, body: { error: { message: expect.stringContaining("Reload the page and try again") } } })
    const foreign = await act("/signin", { code }, { origin: "http://evil.example" })
    expect(foreign).toMatchObject({ status: 403, body: { error: { message: expect.stringContaining("set EXECUTOR_PUBLIC_URL") } } })
    expect((await act("/signin", { code }, { origin: "null" })).status).toBe(403)
    const form = await fetch(`${server.url}/signin`, { method: "POST", headers: origin(), body: new URLSearchParams({ code }) })
    expect(form.status).toBe(400)
  })

  test("ends with signing out, which takes the key as well", async () => {
    const headers = await signIn()
    const { cookie, "x-executor-session-key": key } = headers
    expect((await act("/signout", undefined, { cookie, ...origin() })).status).toBe(401)
    expect((await act("/signout", undefined, { cookie, "x-executor-session-key": key })).status).toBe(403)
    expect((await open("/api/approvals", headers)).status).toBe(200)
    expect((await act("/signout", undefined, headers)).headers.get("set-cookie")).toContain("Max-Age=0")
    expect((await open("/api/approvals", headers)).status).toBe(401)
    expect((await open("/api/tools", headers)).status).toBe(401)
  })

  test("is for humans; a session acts as them at the API, where what changes something names its origin", async () => {
    expect((await server.call("POST", "/api/sessions", { token: server.tokens.agent })).status).toBe(403)
    const headers = await signIn(server.tokens.member)
    const { origin: _origin, ...nowhere } = headers
    expect((await server.call("GET", "/api/executions", { token: null, headers: nowhere })).status).toBe(200)
    expect((await act("/api/executions", { code: "return 1" }, nowhere)).status).toBe(403)
    expect((await act("/api/executions", { code: "return 1" }, headers)).status).toBe(200)
    expect((await act("/api/policies", { owner: "org", pattern: "**", action: "block" }, headers)).status).toBe(403)
  })

  test("lets nobody act who has the cookie without the key of its session", async () => {
    const { approvalIds } = await pause(createItem("stolen cookie"))
    const [{ cookie }, other] = [await signIn(), await signIn()]
    const keys = [undefined, "", "exk_guess", cookie.split("=")[1], other["x-executor-session-key"]]
    for (const key of keys) {
      const headers = { cookie, ...origin(), ...(key === undefined ? {} : { "x-executor-session-key": key }) }
      expect((await act(`/api/approvals/${approvalIds[0]}`, { action: "accept" }, headers)).status).toBe(401)
      expect((await server.call("GET", "/api/approvals", { token: null, headers })).status).toBe(401)
    }
    expect(server.writes()).not.toContain("stolen cookie")
  })
})

describe("what the inbox reads", () => {
  const read = async (id: string, headers: Record<string, string>) => (await open(`/api/approvals/${id}`, headers)).body

  test("has tool, arguments, request, rule, code and who asks", async () => {
    const { approvalIds } = await pause(`const a = 1\n${createItem("read")}`)
    const { host } = new URL(server.ledger.url)
    expect(await read(approvalIds[0] ?? "", await signIn())).toMatchObject({
      address: "tools.ledger.org.main.items.create",
      args: { name: "read" },
      request: { method: "POST", url: `http://${host}/items` },
      reason: "No rule matches this call, and it changes data, so it requires approval.",
      effect: "write",
      requestedBy: "test",
      line: 2,
      code: expect.stringContaining("items.create"),
    })
  })

  test("names the agent and the step of its run instead of code, also in the list", async () => {
    const model = await startModelServer(({ outputs }) =>
      outputs.length === 0
        ? { calls: [{ name: "ledger__items_get", arguments: { name: "x" } }] }
        : { calls: [{ name: "ledger__items_create", arguments: { name: "by an agent" } }] },
    )
    try {
      const provider = { id: "local", kind: "openai_compatible", baseUrl: model.baseUrl }
      expect((await server.call("POST", "/api/models/providers", { body: provider })).status).toBe(201)
      const agent = { slug: "keeper", name: "Keeper", instructions: "Keep it.", model: { provider: "local", name: "scripted" } }
      await server.call("POST", "/api/agents", { body: { ...agent, tools: ["ledger.**"] } })
      await server.call("POST", "/api/agents/keeper/publish", { body: {} })
      const { executionId } = (await server.call("POST", "/api/agents/keeper/runs", { body: { text: "Go." } })).body as {
        executionId: string
      }
      const headers = await signIn()
      const asking = { agent: { slug: "keeper", version: "1.0.0", step: 2 } }
      const { items } = (await open(`/api/approvals?executionId=${executionId}`, headers)).body as { items: { approvalId: string }[] }
      expect(items).toMatchObject([asking])
      expect(await read(items[0]?.approvalId ?? "", headers)).toMatchObject({
        ...asking,
        code: expect.stringContaining("Agent keeper, version 1.0.0, with the model local/scripted"),
      })
      await server.call("POST", `/api/executions/${executionId}/cancel`)
    } finally {
      await model.close()
    }
  })

  test("gives the reason by the rules of today, not by those that asked, and names the rule", async () => {
    const { approvalIds } = await pause(createItem("later"))
    const body = { owner: "org", pattern: "ledger.*.*.items.create", action: "require_approval" }
    const { id } = (await server.call("POST", "/api/policies", { body })).body as { id: string }
    const answer = await read(approvalIds[0] ?? "", await signIn())
    await server.call("DELETE", `/api/policies/${id}`)
    expect(answer).toMatchObject({
      reason: "The organization's rule 'ledger.*.*.items.create' requires approval.",
      rule: { id, pattern: "ledger.*.*.items.create" },
    })
  })

  test("is behind a page that is the same for everybody: links lead to it, and the cookie alone shows nothing", async () => {
    const { executionId, approvalIds } = await pause(createItem("unseen"))
    const { cookie } = await signIn()
    const located = (path: string) => fetch(`${server.url}${path}`, { redirect: "manual", headers: { cookie } })
    for (const [path, to] of [
      ["/approve", "/inbox"],
      ["/approvals", "/inbox"],
      [`/approve/${executionId}`, `/inbox?execution=${executionId}`],
      [`/approve/${approvalIds[0]}`, `/inbox?approval=${approvalIds[0]}`],
      ["/approve/%2F%2Fevil.example%2F%3Fx", "/inbox?execution=%2F%2Fevil.example%2F%3Fx"],
      ["/approve/x%0d%0aset-cookie:%20a=b", "/inbox?execution=x%0D%0Aset-cookie%3A%20a%3Db"],
    ] as const) {
      const answer = await located(path)
      expect([answer.status, answer.headers.get("location"), answer.headers.get("set-cookie")]).toEqual([302, to, null])
    }
    const pages = await Promise.all(
      [{ cookie }, {}].map(async (headers) => String((await open(`/inbox?execution=${executionId}`, headers)).body)),
    )
    const [page, other] = pages.map((text) => text.replaceAll(/nonce="[^"]*"/g, ""))
    expect(page).toBe(other)
    for (const part of ["<noscript>", "./executor approvals list"]) expect(page).toContain(part)
    for (const part of ["unseen", "items.create", executionId]) expect(page).not.toContain(part)
    const tokens = { authorization: `Bearer ${server.tokens.human}` }
    for (const one of [{ cookie }, { cookie, "x-executor-session-key": "exk_guess" }, { "x-executor-session-key": "exk_guess" }])
      for (const path of ["/api/approvals", `/api/approvals/${approvalIds[0]}`, `/api/executions/${executionId}`])
        expect(await open(path, one)).toMatchObject({ status: 401, body: { error: { code: "unauthorized" } } })
    expect((await open("/api/approvals", tokens)).status).toBe(200)
    const { headers } = await open("/inbox", { cookie })
    const policy = headers.get("content-security-policy") ?? ""
    for (const part of ["default-src 'none'", "frame-ancestors 'none'", "form-action 'none'", "script-src 'self';"])
      expect(policy).toContain(part)
    expect(policy).not.toContain("unsafe")
    expect(headers.get("x-frame-options")).toBe("DENY")
    expect(headers.get("cache-control")).toBe("no-store")
  })

  test("has arguments whole where one is read, however long", async () => {
    const code = `return await Promise.all(Array.from({ length: 3 }, (_, n) => tools.ledger.items.create({ name: n + "x".repeat(900_000) + "END" })))`
    const { executionId, approvalIds } = await pause(code)
    const headers = await signIn()
    expect(await read(approvalIds[0] ?? "", headers)).toMatchObject({ args: { name: expect.stringMatching(/xEND$/) } })
    await act(`/api/executions/${executionId}/cancel`, undefined, headers)
  })

  test("shows each human what is theirs", async () => {
    const { executionId, approvalIds } = await pause(createItem("mine"))
    for (const token of [server.tokens.member, server.tokens.stranger]) {
      const headers = await signIn(token)
      for (const path of [`/api/approvals/${approvalIds[0]}`, `/api/executions/${executionId}`]) {
        const answer = await open(path, headers)
        expect(answer.status).toBe(404)
        expect(JSON.stringify(answer.body)).not.toContain("mine")
      }
      for (const path of ["/api/approvals", `/api/approvals?executionId=${executionId}`, "/api/approvals?waitingFor=others"])
        expect(JSON.stringify((await open(path, headers)).body)).not.toContain(executionId)
    }
    expect(JSON.stringify((await open("/api/approvals?limit=200", await signIn())).body)).toContain(executionId)
  })
})
