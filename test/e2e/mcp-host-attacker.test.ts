// A model cannot approve its own call: a client that only has an agent's token tries every door, with defaults.
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { callTool, connectMcp, eras } from "./mcp-client.ts"
import { startMcpServer } from "./mcp-server.ts"
import type { McpTestServer } from "./mcp-server.ts"
import { legacySession, modern } from "./mcp-wire.ts"
import type { Wire } from "./mcp-wire.ts"

let server: McpTestServer
let wire: Wire
let executionId: string
let approvalId: string
const wanted = `return await tools.ledger.items.create({ name: "forbidden" })`

beforeAll(async () => {
  server = await startMcpServer({ limits: { mcpAnswerWaitMs: 300 } })
  wire = { url: server.mcpUrl, token: server.tokens.agent }
  const paused = await modern(wire, "tools/call", { name: "execute", arguments: { code: wanted } })
  const structured = paused.message?.result?.["structuredContent"] as { executionId: string; interactions: { approvalId: string }[] } // what the host answers
  executionId = structured.executionId
  approvalId = structured.interactions[0]?.approvalId ?? ""
})
afterAll(async () => {
  // Whatever was tried, nothing was written, no rule was made, and the question still stands.
  const pending = await server.call("GET", "/api/approvals")
  expect(JSON.stringify(pending.body)).toContain(approvalId)
  expect(server.writes()).toEqual([])
  expect((await server.call("GET", "/api/policies")).body).toMatchObject({ items: [] })
  await server.close()
})

const asAgent = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  server.call(method, path, { token: server.tokens.agent, headers, ...(body === undefined ? {} : { body }) })

describe("with an agent's token alone", () => {
  test.each(eras)("a %s client that accepts every question is not even asked", async (era) => {
    let asked = 0
    const client = await connectMcp(server.mcpUrl, {
      era,
      token: server.tokens.agent,
      human: () => {
        asked += 1
        return { action: "accept", content: {} }
      },
    })
    expect((await callTool(client, "execute", { code: wanted })).structured.status).toBe("waiting_for_interaction")
    for (const content of [undefined, { approved: true }]) {
      const resumed = await callTool(client, "resume", { executionId, action: "accept", ...(content === undefined ? {} : { content }) })
      expect(resumed.structured.status).toBe("waiting_for_interaction")
    }
    expect(asked).toBe(0)
    await client.close()
  })

  test("no mode that would let it relay an answer can be had", async () => {
    for (const mode of ["native", "model", "NATIVE", "browser,native", "browser&elicitation_mode=model"]) {
      const answer = await modern({ ...wire, url: `${wire.url}?elicitation_mode=${mode}` }, "tools/list", {})
      if (mode.startsWith("browser&")) expect(answer.status).toBe(200)
      else expect(answer.status).toBe(403)
    }
    const both = await modern({ ...wire, url: `${wire.url}?elicitation_mode=browser&elicitation_mode=model` }, "tools/call", {
      name: "resume",
      arguments: { executionId, action: "accept" },
    })
    expect(both.message?.result?.["structuredContent"]).toMatchObject({ status: "waiting_for_interaction" })
  })

  test("the HTTP API takes no acceptance from it", async () => {
    for (const [path, body] of [
      [`/api/executions/${executionId}/resume`, { action: "accept" }],
      [`/api/executions/${executionId}/resume`, { action: "accept", approvalIds: [approvalId] }],
      [`/api/approvals/${approvalId}`, { action: "accept" }],
      [`/api/approvals/${approvalId}`, { action: "accept", remember: "always" }],
      ["/api/executions", { code: wanted, autoApprove: true }],
    ] as const)
      expect((await asAgent("POST", path, body)).status).toBe(403)
  })

  test("it administers nothing: rules, tokens, connections, sessions", async () => {
    const rule = { owner: "user", pattern: "ledger.**", action: "allow" }
    for (const [path, body] of [
      ["/api/policies", rule],
      ["/api/policies", { ...rule, owner: "org" }],
      ["/api/tokens", { name: "me", kind: "human" }],
      ["/api/tokens", { name: "me", kind: "agent", elicitation: ["model"] }],
      ["/api/connections", { integration: "ledger", name: "mine" }],
      ["/api/sessions", undefined],
    ] as const)
      expect((await asAgent("POST", path, body)).status).toBe(403)
    expect((await asAgent("GET", "/api/tokens")).status).toBe(403)
  })

  test("core tools do nothing of it either", async () => {
    const attempts = [
      `tools.executor.coreTools.policies.create({ owner: "user", pattern: "ledger.**", action: "allow" })`,
      `tools.executor.coreTools.policies.list({})`,
      `tools.executor.coreTools.connections.create({ integration: "ledger", name: "mine" })`,
      `tools.executor.coreTools.integrations.remove({ slug: "ledger" })`,
    ]
    for (const attempt of attempts) {
      const answer = await modern(wire, "tools/call", { name: "execute", arguments: { code: `return await ${attempt}` } })
      expect(answer.message?.result?.["structuredContent"]).toMatchObject({ result: { ok: false, error: { code: "tool_blocked" } } })
    }
  })

  test("no session can be opened or stolen", async () => {
    const origin = { origin: server.url }
    for (const guess of ["", "exc_guess", server.tokens.agent, server.tokens.human, executionId, approvalId])
      expect((await asAgent("POST", "/signin", { code: guess }, origin)).status).toBe(401)
    expect((await asAgent("POST", "/signin", { code: ["x"] }, origin)).status).toBe(400)
    expect((await asAgent("POST", "/signin", { code: "exc_guess" })).status).toBe(403)
    for (const secret of [server.tokens.agent, server.tokens.human, "exs_guess"]) {
      const cookie = { cookie: `executor_session_${new URL(server.url).port}=${secret}`, ...origin }
      const answered = await server.call("POST", `/api/approvals/${approvalId}`, {
        token: null,
        headers: cookie,
        body: { action: "accept" },
      })
      expect(answered.status).toBe(401)
      const page = await server.call("GET", `/approve/${executionId}`, { token: null, headers: cookie })
      expect(page.body).not.toContain("forbidden")
      for (const key of [secret, "exk_guess", ""]) {
        const headers = { ...cookie, "x-executor-session-key": key }
        for (const path of [`/api/approvals/${approvalId}`, `/api/executions/${executionId}`])
          expect((await server.call("GET", path, { token: null, headers })).status).toBe(401)
      }
    }
    expect((await asAgent("GET", `/approve/${executionId}`)).body).not.toContain("forbidden")
  })
})

describe("beside a client that a human trusts", () => {
  const call = { name: "execute", arguments: { code: wanted } }
  const forms = { elicitation: { form: {} } }
  const state = async (token: string): Promise<{ requestState: string; key: string }> => {
    const asked = await modern({ ...wire, token }, "tools/call", call, forms)
    const { requestState = "", inputRequests = {} } = (asked.message?.result ?? {}) as { requestState?: string; inputRequests?: object } // input_required
    return { requestState, key: Object.keys(inputRequests)[0] ?? "" }
  }
  const accepting = (key: string) => ({ inputResponses: { [key]: { action: "accept", content: {} } } })

  test("its state is worthless to others, for other calls, and once tampered with", async () => {
    const trusted = await server.agent("native")
    const { requestState, key } = await state(trusted)
    const stolen = { ...call, requestState, ...accepting(key) }
    const replayed = await modern({ ...wire, token: await server.agent("native") }, "tools/call", stolen, forms)
    expect(replayed.message?.error).toMatchObject({ code: -32602 })
    const other = { name: "execute", arguments: { code: `${wanted} // and more` }, requestState, ...accepting(key) }
    const elsewhere = await modern({ ...wire, token: trusted }, "tools/call", other, forms)
    expect(elsewhere.message?.result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("another call") }] })
    const [head = "", body = "", mac = ""] = requestState.split(".")
    const forged = Buffer.from(JSON.stringify({ ...JSON.parse(Buffer.from(body, "base64url").toString()), p: { executionId, call: "x" } }))
    for (const bad of [`${head}.${forged.toString("base64url")}.${mac}`, "v1.e30.AA", "", "x".repeat(10_000)]) {
      const answer = await modern({ ...wire, token: trusted }, "tools/call", { ...stolen, requestState: bad }, forms)
      expect(answer.message?.error?.code ?? answer.message?.result?.["resultType"]).not.toBe("complete")
    }
  })

  test("an answer without a state, or for somebody else's question, changes nothing", async () => {
    const trusted = await server.agent("native")
    const blind = await modern({ ...wire, token: trusted }, "tools/call", { ...call, ...accepting(approvalId) }, forms)
    expect(blind.message?.result).toMatchObject({ resultType: "input_required" })
    const { requestState } = await state(trusted)
    const foreign = await modern({ ...wire, token: trusted }, "tools/call", { ...call, requestState, ...accepting(approvalId) }, forms)
    expect(foreign.message?.result).toMatchObject({ resultType: "input_required" })
  })

  test("a token that lost a mode relays nothing more, also in an open session", async () => {
    const answer = await server.call("POST", "/api/tokens", { body: { name: "revoked", kind: "agent", elicitation: ["model"] } })
    const { id, token } = answer.body as { id: string; token: string } // as documented
    const session = await legacySession({ ...wire, token })
    const paused = await session.send("tools/call", call)
    const own = paused.message?.result?.["structuredContent"] as { executionId: string } | undefined // what the host answers
    await server.call("DELETE", `/api/tokens/${id}`)
    const resumed = await session.send("tools/call", { name: "resume", arguments: { executionId: own?.executionId, action: "accept" } })
    expect(resumed.status).toBe(401)
  })
})
