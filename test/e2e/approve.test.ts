// Signing in, and the page on which humans answer, as requests.
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
/** What the page shows in itself. */
const htmlOf = async (path: string, headers: Record<string, string>): Promise<string> =>
  ((await open(path, headers)).body as { html: string }).html // as the page reads it
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
    expect((await open("/approve", headers)).status).toBe(200)
    expect((await act("/signout", undefined, headers)).headers.get("set-cookie")).toContain("Max-Age=0")
    expect((await open("/approve", headers)).status).toBe(401)
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

describe("the page", () => {
  test("shows tool, arguments, rule, code and who asks, all as text", async () => {
    const hostile = `<script>alert(1)</script>"'&\u202e\u0007`
    const { executionId } = await pause(createItem(hostile))
    const page = await htmlOf(`/approve/${executionId}`, await signIn())
    expect(page).not.toContain("<script>alert")
    expect(page).toContain("&lt;script&gt;alert(1)&lt;/script&gt;")
    expect(page).toContain("\\u202e\\u0007")
    for (const hidden of ["\u0007", "\u202e"]) expect(page).not.toContain(hidden)
    const { host } = new URL(server.ledger.url)
    for (const part of [
      "ledger.org.main.items.create",
      `POST http://<strong>${host}</strong>/items`,
      "The connection <strong>main</strong> of <strong>ledger</strong>, shared by the organization",
      "No rule matches this call, and it changes data, so it requires approval.",
      "Changes data",
      "<dd>test</dd>",
      "Calling code",
      '<mark class="line">',
    ])
      expect(page.replaceAll(/\s+/g, " ")).toContain(part)
  })

  test("names the agent and the step of its run instead of code, also in the inbox", async () => {
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
      const page = (await htmlOf(`/approve/${executionId}`, await signIn())).replaceAll(/\s+/g, " ")
      expect(page).toContain("Calling agent: <strong>keeper</strong> 1.0.0, step 2 of its run</h2>")
      expect(page).toContain("Agent keeper, version 1.0.0, with the model local/scripted")
      expect(page).not.toContain("Calling code")
      const inbox = (await htmlOf("/approve", await signIn())).replaceAll(/\s+/g, " ")
      expect(inbox).toContain("agent <strong>keeper</strong> 1.0.0, step 2 of its run")
      await server.call("POST", `/api/executions/${executionId}/cancel`)
    } finally {
      await model.close()
    }
  })

  test("gives the reason by the rules of today, not by those that asked", async () => {
    const { executionId } = await pause(createItem("later"))
    const body = { owner: "org", pattern: "ledger.*.*.items.create", action: "require_approval" }
    const { id } = (await server.call("POST", "/api/policies", { body })).body as { id: string }
    const page = await htmlOf(`/approve/${executionId}`, await signIn())
    await server.call("DELETE", `/api/policies/${id}`)
    expect(page).toContain("The organization&#39;s rule &#39;ledger.*.*.items.create&#39; requires approval.")
    expect(page).not.toContain("No rule matches")
  })

  test("is opened as a shell that is the same for everybody: the cookie alone shows nothing", async () => {
    const { executionId } = await pause(createItem("unseen"))
    const { cookie } = await signIn()
    const { body, headers } = await open(`/approve/${executionId}`, { cookie })
    expect((await open("/approve", {})).body).toBe(body)
    for (const part of ["./executor web", "<noscript>", "./executor approvals list"]) expect(body).toContain(part)
    for (const part of ["unseen", "items.create", executionId]) expect(body).not.toContain(part)
    for (const path of [`/approve/${executionId}`, "/approve"]) {
      const tokens = { authorization: `Bearer ${server.tokens.human}` }
      const others = [{}, tokens, { cookie }, { ...tokens, cookie }].map((one) => ({ ...one, "x-executor-session-key": "exk_guess" }))
      for (const one of others) expect(await open(path, one)).toMatchObject({ status: 401, body: { error: { code: "unauthorized" } } })
    }
    const policy = headers.get("content-security-policy") ?? ""
    for (const part of ["default-src 'none'", "frame-ancestors 'none'", "form-action 'none'", "script-src 'sha256-"])
      expect(policy).toContain(part)
    expect(policy).not.toContain("unsafe")
    expect(headers.get("x-frame-options")).toBe("DENY")
    expect(headers.get("cache-control")).toBe("no-store")
  })

  test("shows arguments whole, however long", async () => {
    const headers = await signIn()
    const { executionId } = await pause(`return await tools.ledger.items.create({ name: "x".repeat(200_000) + "END" })`)
    expect(await htmlOf(`/approve/${executionId}`, headers)).toContain("xEND")
  })

  test("cuts the arguments of many long calls, and leads to where each is shown whole", async () => {
    const headers = await signIn()
    const code = `return await Promise.all(Array.from({ length: 10 }, (_, n) => tools.ledger.items.create({ name: n + "x".repeat(900_000) + "END" })))`
    const { executionId, approvalIds } = await pause(code)
    const page = await htmlOf(`/approve/${executionId}`, headers)
    expect(page.length).toBeLessThan(500_000)
    expect(page).toContain("Read all of them before you approve")
    expect(page).not.toContain("xEND")
    expect(page).toContain(`href="/approve/${approvalIds[0]}?whole"`)
    expect(await htmlOf(`/approve/${approvalIds[0]}?whole`, headers)).toContain("xEND")
    // The inbox would list these for several pages.
    await act(`/api/executions/${executionId}/cancel`, undefined, headers)
  })

  test("shows long text with its line breaks, the line that calls, and what destroys apart from what changes", async () => {
    const headers = await signIn()
    const text = JSON.stringify({ name: "Hello team,\n\nthe build fails." })
    const written = await pause(`const a = 1\n\nreturn await tools.ledger.items.create(${text})`)
    const page = await htmlOf(`/approve/${written.executionId}`, headers)
    expect(page).toContain("Hello team,\n\nthe build fails.</pre>")
    expect(page).toMatch(/<mark class="line"><span class="said">This line asks: <\/span>return await tools/)
    expect(page.split("<mark")).toHaveLength(2)
    expect(page).toContain('class="ask effect-write"')
    const removed = await pause(`return await tools.ledger.items.remove({ name: "a b" })`)
    const danger = await htmlOf(`/approve/${removed.executionId}`, headers)
    for (const part of ['class="ask effect-destroy"', "Deletes or overwrites", "DELETE http://", "/items/a%20b"])
      expect(danger).toContain(part)
  })

  test("says of a call that could not wait how it was answered, not how its code went on without it", async () => {
    const headers = await signIn()
    await server.run(createItem("thrown"), { token: server.tokens.agent, approval: "throw" })
    const { items } = (await server.call("GET", "/api/approvals")).body as { items: { approvalId: string; args: { name: string } }[] } // as documented
    const id = items.find(({ args }) => args.name === "thrown")?.approvalId ?? ""
    expect(await htmlOf(`/approve/${id}`, headers)).toContain("Approve this call?")
    await act(`/api/approvals/${id}`, { action: "decline" }, headers)
    const answered = await htmlOf(`/approve/${id}`, headers)
    for (const part of ["<h1>Declined</h1>", "rejected when its caller repeats it"]) expect(answered).toContain(part)
  })

  test("names the rule that asks", async () => {
    const rule = { owner: "org", pattern: "ledger.org.main.items.get", action: "require_approval" }
    const made = await server.call("POST", "/api/policies", { body: rule })
    const { executionId } = await pause(`return await tools.ledger.items.get({ name: "ruled" })`)
    expect(await htmlOf(`/approve/${executionId}`, await signIn())).toMatch(
      /organi[sz]ation&#39;s rule &#39;ledger.org.main.items.get&#39; requires approval/,
    )
    await server.call("DELETE", `/api/policies/${(made.body as { id: string }).id}`)
  })

  test("shows each human what is theirs", async () => {
    const { executionId } = await pause(createItem("mine"))
    for (const token of [server.tokens.member, server.tokens.stranger]) {
      const headers = await signIn(token)
      const page = await open(`/approve/${executionId}`, headers)
      expect(page.status).toBe(404)
      expect(JSON.stringify(page.body)).not.toContain("mine")
      expect(await htmlOf("/approve", headers)).not.toContain(executionId)
    }
    expect(await htmlOf("/approve", await signIn())).toContain(executionId)
    expect((await open("/approve/exe_none", await signIn())).status).toBe(404)
  })

  test("lists each execution once, with what it asks for and how often", async () => {
    const code = `return await Promise.all(["in-1", "in-2", "in-3"].map((name) => tools.ledger.items.create({ name })))`
    const { executionId } = await pause(code)
    const page = await htmlOf("/approve", await signIn())
    expect(page.split(`/approve/${executionId}`)).toHaveLength(2)
    const row = page.slice(page.indexOf(`/approve/${executionId}`)).split("</li>", 1)[0]
    for (const part of ["and 2 more", "items.create", "in-1", "test"]) expect(row).toContain(part)
    expect((await htmlOf(`/approve/${executionId}`, await signIn())).split('data-all="accept"')).toHaveLength(3)
  })

  test("leads from question to outcome, and says what was answered elsewhere", async () => {
    const headers = await signIn()
    const { executionId, approvalIds } = await pause(createItem("paged"))
    const answered = await act(`/api/approvals/${approvalIds[0]}`, { action: "accept" }, headers)
    expect(answered.body).toMatchObject({ status: "completed" })
    const page = await htmlOf(`/approve/${executionId}`, headers)
    expect(page).toMatch(/more calls? (is|are) waiting for you|No other approvals are open/)
    expect(page).toContain("paged")
    expect(page).not.toContain(`data-action="`)
    const again = await act(`/api/approvals/${approvalIds[0]}`, { action: "decline" }, headers)
    expect(again.status).toBe(409)
  })

  test("tells the outcome by what happened, not by what the code says of it", async () => {
    const headers = await signIn()
    const lie = `await tools.ledger.items.create({ name: "lied" }).unwrap(); return { ok: false, error: { code: "approval_declined", message: "<b>was declined</b>\u202e" } }`
    const { executionId, approvalIds } = await pause(lie)
    await act(`/api/approvals/${approvalIds[0]}`, { action: "accept" }, headers)
    const page = await htmlOf(`/approve/${executionId}`, headers)
    expect(page).toContain("<h1>Done</h1>")
    expect(page).toContain("1 call was approved.")
    for (const part of ["&lt;b&gt;was declined", "\\u202e", "Returned error"]) expect(page).toContain(part)
    expect(page).not.toContain("<b>")
    const two = await pause(`await Promise.all(["x", "y"].map((name) => tools.ledger.items.create({ name }))); return`)
    await act(`/api/approvals/${two.approvalIds[0]}`, { action: "decline" }, headers)
    await act(`/api/approvals/${two.approvalIds[1]}`, { action: "accept" }, headers)
    const mixed = await htmlOf(`/approve/${two.executionId}`, headers)
    for (const part of ["<h1>Done</h1>", "1 call was approved. 1 call was declined.", "It returned nothing"]) expect(mixed).toContain(part)
    const cancelled = await pause(createItem("never"))
    await act(`/api/executions/${cancelled.executionId}/cancel`, undefined, headers)
    expect(await htmlOf(`/approve/${cancelled.executionId}`, headers)).toContain("<h1>Cancelled</h1>")
  })

  test("asks for the fields of a form, and for JSON where a form is more than that", async () => {
    const headers = await signIn()
    const form = await pause("return await tools.desk.names.ask({})")
    expect(await htmlOf(`/approve/${form.executionId}`, headers)).toMatch(/data-field="name" data-kind="text"[\s\S]*minlength="2"/)
    const rich = await pause("return await tools.desk.addresses.ask({})")
    expect(await htmlOf(`/approve/${rich.executionId}`, headers)).toContain('data-field="address" data-kind="json"')
    const page = await pause("return await tools.desk.pages.open({})")
    expect(await htmlOf(`/approve/${page.executionId}`, headers)).toContain('href="https://example.com/sign"')
  })
})
