// Tests that whatever is administered leaves a line in the audit: who, what, and how it went.
import { afterAll, expect, test } from "vitest"
import { ExecutorError } from "../../core/errors.ts"
import type { PolicyRule } from "../../core/policy.ts"
import { allOf } from "../../store/executions/testing/samples.ts"
import { openCluster } from "../testing/cluster.ts"
import { auditAnonymous } from "./anonymous.ts"
import { withAudit, withRefusalAudit } from "./audit.ts"
import { policyAuditDetails, policyChangeAuditDetails, tokenAuditDetails } from "./details.ts"
import { createTokenNames, requesterOf, viewCaller } from "./token-names.ts"

const cluster = await openCluster()
afterAll(() => cluster.close())

async function setUp() {
  const parts = cluster.node()
  const human = await cluster.human()
  const agent = await cluster.agentOf(human)
  const lines = () => cluster.executions.audit.list(allOf(human), {}, { after: null, limit: 9 })
  return { parts, human, agent, lines }
}

test("a change is recorded once it is done, with whoever made it", async () => {
  const { parts, agent, lines } = await setUp()
  const before = withAudit(agent, parts)("policy.create", "notes.**", async () => ({ before: await lines() }))
  expect(await before).toEqual({ before: [] })
  expect(await lines()).toMatchObject([
    {
      action: "policy.create",
      subject: "notes.**",
      outcome: "ok",
      user: "alice",
      principalKind: "agent",
      tokenId: agent.tokenId,
      details: "{}",
    },
  ])
})

test.each([
  [new ExecutorError("forbidden", "Only an admin may"), "forbidden"],
  [new TypeError("a bug"), "internal"],
])("a refusal is recorded, and handed on: %s", async (error, outcome) => {
  const { parts, human, lines } = await setUp()
  const work = async (): Promise<void> => {
    throw error
  }
  for (const audit of [withAudit(human, parts), withRefusalAudit(human, parts)])
    await expect(audit("token.create", "ci", work)).rejects.toBe(error)
  expect((await lines()).map((line) => [line.action, line.subject, line.outcome])).toEqual([
    ["token.create", "ci", outcome],
    ["token.create", "ci", outcome],
  ])
})

test("what records its own success is recorded only when it is refused", async () => {
  const { parts, human, lines } = await setUp()
  expect(await withRefusalAudit(human, parts)("approval.accept", "apr_1", async () => 7)).toBe(7)
  expect(await lines()).toEqual([])
})

test("what is known once it is done names the subject, and is cut to what a line may have", async () => {
  const { parts, human, lines } = await setUp()
  const tell = (done: string) => ({ subject: done.repeat(400), details: { id: "pol_1" } })
  await withAudit(human, parts)("policy.create", "as it was written", async () => "x", tell)
  expect(await lines()).toMatchObject([{ subject: "x".repeat(300), details: '{"id":"pol_1"}' }])
})

test("what nobody signed in for is recorded, with the network it came from and no more", async () => {
  const { parts, human, lines } = await setUp()
  const facts = { action: "signin.oidc", subject: "okta", outcome: "unauthorized", address: "203.0.113.77" }
  await auditAnonymous(human.tenant, { ...facts, details: { reason: "state", claimed: "x".repeat(900) } }, parts)
  await auditAnonymous(human.tenant, { ...facts, user: "alice", address: "2001:db8:1:2::3" }, parts)
  const [named, unnamed] = await lines()
  expect(unnamed).toMatchObject({ action: "signin.oidc", subject: "okta", outcome: "unauthorized", user: "anonymous", tokenId: null })
  expect(JSON.parse(unnamed?.details ?? "")).toEqual({
    reason: "state",
    claimed: "x".repeat(300),
    isAuthenticated: false,
    address: "203.0.113.0/24",
  })
  expect(named).toMatchObject({ user: "alice", details: '{"isAuthenticated":false,"address":"2001:db8:1::/48"}' })
})

test("details tell of rules and tokens what is needed later, and no secret", () => {
  const rule: PolicyRule = { id: "pol_1", owner: "org", pattern: "notes.**", action: "allow", when: [], position: 1 }
  const view = { ...rule, createdAt: "2026-01-01", warning: "It matches nothing." }
  expect(policyAuditDetails(view)).toEqual({ subject: "notes.**", details: rule })
  expect(policyChangeAuditDetails({ before: view, after: { ...view, action: "block" } })).toEqual({
    details: { before: rule, after: { ...rule, action: "block" } },
  })
  const created = tokenAuditDetails({ name: "ci", kind: "agent" })({ id: "tok_1", token: "exa_secret" })
  expect(created).toEqual({ details: { id: "tok_1", kind: "agent" } })
})

test("a token keeps its name after it was revoked, and its name is read once", async () => {
  const { human, agent } = await setUp()
  let reads = 0
  const names = createTokenNames({
    tokens: {
      ...cluster.store.tokens,
      names(...args) {
        reads += 1
        return cluster.store.tokens.names(...args)
      },
    },
  })
  await cluster.store.tokens.remove(human, agent.tokenId ?? "")
  for (let times = 0; times < 3; times += 1)
    expect(await names.of(human.tenant, [agent.tokenId, null])).toEqual(new Map([[agent.tokenId, "claude"]]))
  expect(reads).toBe(1)
  expect(await names.of("another tenant", [agent.tokenId])).toEqual(new Map())
  expect([await requesterOf(agent, names), await requesterOf(human, names)]).toEqual(["claude", "alice"])
  expect(await requesterOf({ ...agent, tokenId: "tok_none" }, names)).toBe("an agent of alice")
  const caller = { user: "alice", principalKind: "agent", tokenId: agent.tokenId } as const
  expect(viewCaller(caller, await names.of(human.tenant, [agent.tokenId]))).toMatchObject({ tokenName: "claude" })
  expect(viewCaller({ ...caller, tokenId: null }, new Map())).toMatchObject({ tokenName: null })
})
