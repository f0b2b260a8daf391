// What a human is told beside a question, over HTTP: who asks, why, from which line, and what would be sent.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest"
import type { ApprovalView, ExecutionSummary } from "../../../core/execution.ts"
import type { AuditView } from "../../../core/audit/entry.ts"
import type { Page } from "../../../core/page.ts"
import type { ExecutionServer } from "../testing/executions.ts"
import { interactionsOf, startExecutionServer } from "../testing/executions.ts"

let server: ExecutionServer
beforeAll(async () => {
  server = await startExecutionServer()
})
afterEach(() => void (server.ledger.entries.length = 0))
afterAll(() => server.close())

const items = async <Item>(path: string): Promise<readonly Item[]> => ((await server.call("GET", `/api${path}`)).body as Page<Item>).items
const policy = async (body: Record<string, unknown>): Promise<string> => {
  const made = await server.call("POST", "/api/policies", { body: { owner: "org", ...body } })
  return (made.body as { id: string }).id
}
const newAgent = async (name: string): Promise<{ id: string; token: string }> =>
  (await server.call("POST", "/api/tokens", { body: { name, kind: "agent" } })).body as { id: string; token: string }

describe("an interaction", () => {
  test("says the effect, the line, the request and why it asks", async () => {
    const paused = await server.run(`const name = "a/b"\n\nreturn tools.ledger.items.remove({ name, delay: 0 })`)
    expect(interactionsOf(paused)).toMatchObject([
      {
        effect: "destroy",
        line: 3,
        requestedBy: "local",
        reason: "No rule matches this call, and it can delete or overwrite data, so it requires approval.",
        request: { method: "DELETE", url: `${server.ledger.url}/items/a%2Fb?delay=0` },
      },
    ])
  })

  test("names the line of a call in TypeScript, in a helper and in a loop", async () => {
    const code = [
      "type Item = { name: string }",
      "const create = (item: Item) =>",
      "  tools.ledger.items.create(item)",
      "const all: Item[] = [{ name: 'a' }]",
      "await Promise.all(all.map((item) => create(item)))",
    ].join("\n")
    expect(interactionsOf(await server.run(code))).toMatchObject([{ line: 3 }])
  })

  test("names the rule that asks", async () => {
    const id = await policy({ pattern: "ledger.*.*.items.get", action: "require_approval" })
    const [asked] = interactionsOf(await server.run(`return tools.ledger.items.get({ name: "x" })`))
    expect(asked).toMatchObject({
      effect: "read",
      rule: { id, owner: "org", pattern: "ledger.*.*.items.get" },
      reason: "The organization's rule 'ledger.*.*.items.get' requires approval.",
    })
    await server.call("DELETE", `/api/policies/${id}`)
  })

  test("says which rule would have allowed it with other arguments", async () => {
    const id = await policy({ pattern: "ledger.**", action: "allow", when: [{ arg: "delay", op: "lte", value: 10 }] })
    const [asked] = interactionsOf(await server.run(`return tools.ledger.items.create({ name: "x", delay: 500 })`))
    expect(asked?.reason).toBe(
      "No rule matches this call, and it changes data, so it requires approval. The rule 'ledger.**' would allow it with other arguments: its condition delay lte 10 is not met: the argument is 500.",
    )
    await server.call("DELETE", `/api/policies/${id}`)
  })

  test("shows no secret of the integration's address", async () => {
    const { document } = server.ledger
    const baseUrl = `${server.ledger.url.replace("//", "//user:topsecret@")}?key=alsosecret`
    await server.call("POST", "/api/integrations", { body: { slug: "hidden", kind: "openapi", config: { spec: document, baseUrl } } })
    await server.call("POST", "/api/connections", { body: { integration: "hidden" } })
    const paused = await server.run(`return tools.hidden.items.remove({ name: "x" })`)
    expect(interactionsOf(paused)[0]?.request).toEqual({ method: "DELETE", url: `${server.ledger.url}/items/x` })
    expect(JSON.stringify(paused)).not.toContain("secret")
  })
})

describe("agents", () => {
  test("are told by the names of their tokens in every list, also after they were revoked", async () => {
    const agent = await newAgent("restocker")
    const paused = await server.run(`return tools.ledger.items.create({ name: "x" })`, { token: agent.token })
    expect(interactionsOf(paused)[0]?.requestedBy).toBe("restocker")
    await server.run(`return tools.ledger.items.get({ name: "x" })`, { token: agent.token })
    const principal = { user: "local", kind: "agent", tokenId: agent.id, tokenName: "restocker" }
    const waiting = await items<ApprovalView>("/approvals")
    expect(waiting.find((one) => one.executionId === paused.executionId)).toMatchObject({ principal, requestedBy: "restocker" })
    expect((await server.call("DELETE", `/api/tokens/${agent.id}`)).status).toBe(204)
    expect((await server.call("GET", "/api/tools", { token: agent.token })).status).toBe(401)
    const mine = `principal=${agent.id}`
    expect(await items<ExecutionSummary>(`/executions?${mine}`)).toMatchObject([{ principal }, { principal }])
    const calls = (await items<AuditView>("/audit?action=call")).filter((line) => line.principal.tokenId === agent.id)
    expect(calls).toMatchObject([{ principal }, { principal }])
    expect((await server.call("GET", `/api/executions/${paused.executionId}`)).body).toMatchObject({ principal })
    expect(JSON.stringify(await items("/tokens"))).not.toContain(agent.id)
  })
})

describe("GET /approvals/:id", () => {
  test("shows one approval, also when it is answered, and nobody else's", async () => {
    const paused = await server.run(`return tools.ledger.items.create({ name: "x" })`)
    const [asked] = interactionsOf(paused)
    const path = `/api/approvals/${asked?.approvalId}`
    expect((await server.call("GET", path)).body).toMatchObject({ ...asked, status: "pending", executionId: paused.executionId })
    await server.call("POST", path, { body: { action: "decline" } })
    expect((await server.call("GET", path)).body).toMatchObject({ status: "decline" })
    expect((await server.call("GET", path, { token: server.tokens.stranger })).status).toBe(404)
    expect((await server.call("GET", path, { token: server.tokens.agent })).status).toBe(404)
    expect(await server.call("GET", "/api/approvals/apr_none")).toMatchObject({ status: 404, body: { error: { code: "not_found" } } })
  })

  test("says why it needs an answer by the rules of today", async () => {
    const [asked] = interactionsOf(await server.run(`return tools.ledger.items.create({ name: "x" })`))
    const path = `/api/approvals/${asked?.approvalId}`
    const now = async (): Promise<ApprovalView> => (await server.call("GET", path)).body as ApprovalView
    expect(await now()).toMatchObject({ reason: asked?.reason })
    const pattern = "ledger.*.*.items.create"
    for (const [action, reason] of Object.entries({
      require_approval: `The organization's rule '${pattern}' requires approval.`,
      allow: `The organization's rule '${pattern}' now allows this call, but it still waits for an answer.`,
      block: `The organization's rule '${pattern}' now blocks this call: it is rejected even if it is approved.`,
    })) {
      const id = await policy({ pattern, action })
      const { rule, ...shown } = await now()
      expect({ rule, reason: shown.reason }).toEqual({
        rule: action === "require_approval" ? { id, owner: "org", pattern } : undefined,
        reason,
      })
      await server.call("DELETE", `/api/policies/${id}`)
    }
    expect(await now()).not.toHaveProperty("rule")
  })

  test("no longer names a rule that was removed", async () => {
    const id = await policy({ pattern: "ledger.*.*.items.get", action: "require_approval" })
    const [asked] = interactionsOf(await server.run(`return tools.ledger.items.get({ name: "x" })`))
    await server.call("DELETE", `/api/policies/${id}`)
    const { body } = await server.call("GET", `/api/approvals/${asked?.approvalId}`)
    expect(body).toMatchObject({ reason: "No rule requires approval for this call any more, but it still waits for an answer." })
    expect(body).not.toHaveProperty("rule")
  })
})
