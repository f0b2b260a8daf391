// Tests what a human is told beside a question: who asks, why, and what would be sent.
import { afterAll, expect, test } from "vitest"
import { createPolicy } from "../../catalog/policies/edit.ts"
import type { Principal } from "../../core/principal.ts"
import type { CallTarget } from "../gate/call.ts"
import { openCluster } from "../testing/cluster.ts"
import { asks, callTarget, gateCall, staticTool } from "../testing/samples.ts"
import { describeQuestion } from "./context.ts"

const cluster = await openCluster()
afterAll(() => cluster.close())

const write = staticTool("notes.write", "write", async () => ({ ok: true, data: null }))

async function setUp() {
  const parts = cluster.node({ tools: [write], limits: { requestPreviewUrlCharsMax: 20 } })
  const human = await cluster.human()
  const describe = (target: CallTarget, principal: Principal = human, verdict: typeof asks | null = asks) =>
    describeQuestion(principal, gateCall({ args: { amount: 5 } }), target, verdict, parts)
  return { parts, human, describe }
}

test.each([
  [{}, "No rule matches this call, and it changes data, so it requires approval."],
  [{ effect: "destroy" }, "No rule matches this call, and it can delete or overwrite data, so it requires approval."],
  [{ effect: "read" }, "No rule matches this call, and its source says that it needs approval, so it requires approval."],
  [{ alwaysAsks: true }, "This tool always requires approval."],
  [
    { alwaysAsks: true, address: "tools.notes.org.main.write", subject: "notes.org.main.write" },
    "The tool has changed since it was accepted, so it requires approval.",
  ],
] as const)("the reason for %j", async (change, reason) => {
  const { describe } = await setUp()
  expect((await describe(callTarget(change))).reason).toBe(reason)
})

test("a rule that asks is named", async () => {
  const { human, describe, parts } = await setUp()
  const rule = await createPolicy(human, { owner: "user", pattern: "notes.**", action: "require_approval" }, parts)
  const context = await describe(callTarget(), human, { ...asks, rule })
  expect(context.reason).toBe("The personal rule 'notes.**' requires approval.")
  expect(context.rule).toEqual({ id: rule.id, owner: "user", pattern: "notes.**" })
})

test("a rule that would have allowed other arguments is told", async () => {
  const { human, describe, parts } = await setUp()
  await createPolicy(human, { owner: "user", pattern: "notes.**", action: "allow", when: [{ arg: "amount", op: "lt", value: 3 }] }, parts)
  expect((await describe(callTarget())).reason).toMatch(
    /The rule 'notes\.\*\*' would allow it with other arguments: its condition amount lt 3 is not met/,
  )
})

test("an agent is known by the name of its token, also after that was revoked", async () => {
  const { human, describe } = await setUp()
  const agent = await cluster.agentOf(human)
  await cluster.store.tokens.remove(agent, agent.tokenId ?? "")
  expect((await describe(callTarget(), agent)).requestedBy).toBe("claude")
  expect((await describe(callTarget())).requestedBy).toBe("alice")
})

test("a tool's own question has no rule behind it", async () => {
  const { human, describe } = await setUp()
  expect(await describe(callTarget(), human, null)).toEqual({ requestedBy: "alice", reason: "The tool itself asks for this.", line: 1 })
})

test("the request is shown unless its address is too long to read", async () => {
  const { describe } = await setUp()
  const at = (url: string) => callTarget({ preview: () => ({ method: "POST", url }) })
  expect((await describe(at("https://a.test/x"))).request).toEqual({ method: "POST", url: "https://a.test/x" })
  expect((await describe(at(`https://a.test/${"x".repeat(20)}`))).request).toBeUndefined()
})
