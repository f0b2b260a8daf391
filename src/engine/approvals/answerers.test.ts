// Tests that what needs four eyes gets them: by whom an approval can be answered, and which ways around that are closed.
import { afterAll, expect, test } from "vitest"
import { createPolicy, removePolicy, updatePolicy } from "../../catalog/policies/edit.ts"
import type { ApprovalAnswer, ExecutionReply } from "../../core/execution.ts"
import type { ApprovalByCreate, PolicyCreate } from "../../core/policy.ts"
import type { Principal, TokenPrincipal } from "../../core/principal.ts"
import { newToken } from "../../identity/token-create.ts"
import { roleRow, userRow } from "../../store/testing/samples.ts"
import { allOf } from "../../store/executions/testing/samples.ts"
import { executeTool } from "../execute-tool.ts"
import { execute } from "../executions/execute.ts"
import { listApprovals, showApproval, showExecution } from "../executions/history.ts"
import { answerApproval, relayAnswers, relayApproval, resumeExecution } from "../executions/resume.ts"
import { findIds } from "../id-find.ts"
import { openCluster } from "../testing/cluster.ts"
import { staticTool } from "../testing/samples.ts"

const cluster = await openCluster()
afterAll(() => cluster.close())

const four: ApprovalByCreate = { role: "finance", notRequester: true }
const code = `return await tools.shop.refund({ amount: 5 })`

/** A tenant with alice, who asks; bob of finance, an admin, an approver and a service account. */
async function setUp() {
  let refunds = 0
  const refund = staticTool("shop.refund", "write", async () => {
    refunds += 1
    return { ok: true, data: "refunded" }
  })
  const parts = cluster.node({ tools: [refund] })
  const { tenant } = await cluster.human()
  await cluster.store.roles.put(tenant, roleRow({ id: "finance", patterns: ["*"] }))
  await cluster.store.roles.put(tenant, roleRow({ id: "approver", patterns: ["*"], rights: ["approve:shop.*"] }))
  const person = async (user: string, roles: readonly string[], isService = false): Promise<Principal> => {
    await cluster.store.users.put(userRow({ tenant, user }, { roles: roles.map((role) => ({ role, from: "given" })), isService }))
    return actAs(user)
  }
  const actAs = async (user: string, tokenId: string | null = null): Promise<Principal> => {
    const access = await parts.access.of({ tenant, user, tokenId })
    if (access === null) throw new Error(`${user} cannot act`)
    return access.principal
  }
  const token = async (user: string, createdBy: string | null = null): Promise<TokenPrincipal> => {
    const { row } = newToken({ tenant, user }, { name: "agent", kind: "agent" }, cluster.clock)
    await cluster.store.tokens.put({ ...row, createdBy })
    return { ...(await actAs(user, row.id)), elicitation: ["browser", "native", "model"], surface: null }
  }
  const people = {
    alice: await person("alice", ["member"]),
    bob: await person("bob", ["finance"]),
    admin: await person("root", ["admin"]),
    approver: await person("ann", ["approver"]),
    robot: await person("robot", ["finance"], true),
  }
  const rule = (input: Partial<PolicyCreate>, who = people.admin) =>
    createPolicy(who, { owner: "org", pattern: "shop.**", action: "require_approval", ...input }, parts)
  const run = (who: Principal, change: object = {}): Promise<ExecutionReply> => execute(who, { code, ...change }, parts)
  const answer = (who: Principal, reply: ExecutionReply, change: Partial<ApprovalAnswer> = {}) =>
    answerApproval(who, idOf(reply), { action: "accept", ...change }, parts)
  const inbox = async (who: Principal): Promise<number> => (await listApprovals(who, {}, parts)).items.length
  return { parts, tenant, ...people, person, actAs, token, rule, run, answer, inbox, refunds: () => refunds }
}

function idOf({ structured }: ExecutionReply): string {
  if (structured.status !== "waiting_for_interaction") throw new Error(`It does not wait: ${JSON.stringify(structured)}`)
  return structured.interactions[0]?.approvalId ?? ""
}

const forbidden = { code: "forbidden", message: expect.stringContaining("somebody with the role 'finance', other than alice") }

test("without a rule that names somebody: the human themselves, admins and holders of approve: answer", async () => {
  const { run, answer, inbox, alice, bob, admin, approver, token, refunds } = await setUp()
  const agent = await token("alice")
  const reply = await run(agent)
  expect(await Promise.all([alice, bob, admin, approver].map(inbox))).toEqual([1, 0, 1, 1])
  await expect(answer(bob, reply)).rejects.toMatchObject({ code: "not_found" })
  await expect(answer(agent, reply)).rejects.toMatchObject({ code: "forbidden" })
  // What alice's code makes of it is not for whoever lets a call of it happen.
  expect(await answer(approver, reply)).toMatchObject({ executionId: "", text: "Accepted: the execution of alice goes on." })
  expect(refunds()).toBe(1)
  for (const who of [alice, admin])
    expect(await answer(who, await run(agent))).toMatchObject({ structured: { result: { data: "refunded" } } })
})

test("whom a rule names answers, and nobody else: not the requester, not an admin, not a holder of approve:", async () => {
  const { parts, rule, run, answer, inbox, alice, bob, admin, approver, refunds } = await setUp()
  await rule({ by: four })
  const reply = await run(alice)
  expect(reply.structured).toMatchObject({
    interactions: [{ by: [four], answerers: "somebody with the role 'finance', other than alice" }],
  })
  expect(await Promise.all([alice, bob, admin, approver].map(inbox))).toEqual([0, 1, 0, 0])
  for (const who of [alice, admin, approver])
    for (const action of ["accept", "decline"] as const) await expect(answer(who, reply, { action })).rejects.toMatchObject(forbidden)
  await expect(resumeExecution(alice, reply.executionId, { action: "accept" }, parts)).rejects.toMatchObject(forbidden)
  expect(await showApproval(alice, idOf(reply), parts)).toMatchObject({
    mayAnswer: false,
    isOwn: true,
    answerers: expect.stringContaining("finance"),
  })
  expect(await showApproval(bob, idOf(reply), parts)).toMatchObject({ mayAnswer: true, isOwn: false, code })
  expect(await findIds(bob, idOf(reply).slice(0, -2), parts)).toEqual([idOf(reply)])
  expect(refunds()).toBe(0)
  for (const who of [alice, approver, admin]) expect(await showApproval(who, idOf(reply), parts)).not.toHaveProperty("code")
  await answer(bob, reply)
  expect(refunds()).toBe(1)
  // Nor is it theirs to read any more once it is answered.
  expect(await showApproval(bob, idOf(reply), parts)).not.toHaveProperty("code")
})

test("a plain colleague who was given the id learns who may, and reads nothing", async () => {
  const { parts, rule, run, answer, alice, person } = await setUp()
  await rule({ by: four })
  const reply = await run(alice)
  const dora = await person("dora", ["member"])
  await expect(answer(dora, reply)).rejects.toMatchObject(forbidden)
  await expect(showApproval(dora, idOf(reply), parts)).rejects.toMatchObject({ code: "not_found" })
})

test("the requester may withdraw the question", async () => {
  const { rule, run, answer, alice, token, refunds } = await setUp()
  await rule({ by: four })
  await answer(alice, await run(alice), { action: "cancel" })
  const agent = await token("alice")
  await expect(answer(agent, await run(agent), { action: "decline" })).rejects.toMatchObject({ code: "forbidden" })
  expect(refunds()).toBe(0)
})

test("who holds the role answers their own where the rule does not exclude the requester", async () => {
  const { rule, run, answer, bob, refunds } = await setUp()
  await rule({ by: { role: "finance" } })
  await answer(bob, await run(bob))
  expect(refunds()).toBe(1)
  await rule({ by: { notRequester: true }, pattern: "shop.refund" })
  await expect(answer(bob, await run(bob))).rejects.toMatchObject({ message: expect.stringContaining("other than bob") })
})

test("the requester is also whoever made the token: of a service account that they control", async () => {
  const { rule, run, answer, bob, admin, token, person, refunds } = await setUp()
  await rule({ by: four })
  const reply = await run(await token("robot", "bob"))
  await expect(answer(bob, reply)).rejects.toMatchObject({ message: expect.stringContaining("other than robot and bob") })
  await expect(answer(admin, reply)).rejects.toMatchObject({ code: "forbidden" })
  await answer(await person("eve", ["finance"]), reply)
  expect(refunds()).toBe(1)
})

test("a second token of the requester's is the requester", async () => {
  const { parts, rule, run, person, actAs, tenant } = await setUp()
  await person("alice", ["finance"])
  await rule({ by: four })
  const { row } = newToken({ tenant, user: "alice" }, { name: "second", kind: "human" }, cluster.clock)
  await cluster.store.tokens.put(row)
  const reply = await run(await actAs("alice"))
  await expect(answerApproval(await actAs("alice", row.id), idOf(reply), { action: "accept" }, parts)).rejects.toMatchObject(forbidden)
})

test("a service account is nobody to ask: its token relays nothing, whatever roles it has", async () => {
  const { parts, rule, run, answer, admin, token, refunds } = await setUp()
  for (const by of [null, { role: "finance" }]) {
    if (by !== null) await rule({ by })
    const robot = await token("robot")
    const reply = await run(robot)
    expect(reply.structured).toMatchObject({ interactions: [{ answerers: expect.any(String) }] })
    for (const mode of ["native", "model"] as const) {
      const answers = [{ action: "accept" as const, approvalId: idOf(reply) }]
      await expect(relayAnswers(robot, reply.executionId, { mode, answers }, parts)).rejects.toMatchObject({ code: "forbidden" })
    }
    if (by === null) await answer(admin, reply)
  }
  expect(refunds()).toBe(1)
})

test("a relay of somebody who may not answer is refused, in code and outside of it", async () => {
  const { parts, rule, run, token, person, refunds } = await setUp()
  await rule({ by: four })
  const agent = await token("alice")
  const reply = await run(agent)
  for (const mode of ["native", "model"] as const) {
    await expect(relayAnswers(agent, reply.executionId, { mode, answers: [{ action: "accept" }] }, parts)).rejects.toMatchObject(forbidden)
    const answers = [{ action: "accept" as const, approvalId: idOf(reply) }]
    await expect(relayAnswers(agent, reply.executionId, { mode, answers }, parts)).rejects.toMatchObject(forbidden)
  }
  const call = await executeTool(agent, "shop.refund", { amount: 5 }, {}, parts)
  expect(call).toMatchObject({ ok: false, error: { code: "approval_required", message: expect.stringContaining("role 'finance'") } })
  const { approvalId = "" } = call.ok ? {} : (call.error.details as { approvalId: string }) // as `approval_required` has it
  await expect(relayApproval(agent, approvalId, { mode: "native", action: "accept" }, parts)).rejects.toMatchObject(forbidden)
  expect(refunds()).toBe(0)
  await answerApproval(await person("eve", ["finance"]), approvalId, { action: "accept" }, parts)
  expect(await executeTool(agent, "shop.refund", { amount: 5 }, {}, parts)).toMatchObject({ ok: true })
  expect(refunds()).toBe(1)
})

test("neither autoApprove nor the SDK's approve stands in for somebody", async () => {
  const { parts, rule, run, alice, refunds } = await setUp()
  await rule({ by: four })
  expect((await run(alice, { autoApprove: true })).status).toBe("paused")
  expect(await run(alice, { autoApprove: true, approval: "throw" })).toMatchObject({
    structured: { result: { ok: false, error: { code: "approval_required" } } },
  })
  for (const approve of ["auto", async () => true] as const)
    expect(await executeTool(alice, "shop.refund", { amount: 5 }, { approve }, parts)).toMatchObject({
      ok: false,
      error: { code: "approval_required" },
    })
  expect(refunds()).toBe(0)
})

test("what names somebody is not remembered, and what was remembered before does not count for it", async () => {
  const { rule, run, answer, alice, bob, refunds } = await setUp()
  const twice = `await tools.shop.refund({ amount: 5 }); return await tools.shop.refund({ amount: 6 })`
  const reply = await run(alice, { code: `${twice} // 1` })
  const next = await rule({ by: four }).then(() => run(alice))
  for (const remember of ["execution", "always"] as const)
    await expect(answer(bob, next, { remember })).rejects.toMatchObject({ code: "conflict", message: expect.stringContaining("each time") })
  // Asked before there was a rule: by the rules of now it is not alice's to answer.
  await expect(answer(alice, reply, { remember: "execution" })).rejects.toMatchObject({ code: "forbidden" })
  expect(refunds()).toBe(0)
})

test("an answer for the rest of the execution ends where a rule begins to name somebody", async () => {
  const { rule, run, answer, alice, refunds } = await setUp()
  await rule({ by: four, when: [{ arg: "amount", op: "gt", value: 5 }] })
  const twice = `await tools.shop.refund({ amount: 5 }); return await tools.shop.refund({ amount: 6 })`
  const reply = await answer(alice, await run(alice, { code: twice }), { remember: "execution" })
  expect(reply).toMatchObject({ status: "paused", structured: { interactions: [{ args: { amount: 6 }, by: [four] }] } })
  expect(refunds()).toBe(1)
})

test("a rule of the requester's own that allows changes nothing", async () => {
  const { rule, run, alice, refunds } = await setUp()
  await rule({ by: four })
  await rule({ owner: "user", pattern: "shop.refund", action: "allow" }, alice)
  expect((await run(alice)).status).toBe("paused")
  expect(refunds()).toBe(0)
})

test("a rule that is removed or loosened does not answer what it has asked", async () => {
  const { parts, rule, run, answer, admin, alice, bob, refunds } = await setUp()
  const made = await rule({ by: four })
  const reply = await run(alice)
  await updatePolicy(admin, made.id, { action: "allow", by: null }, parts)
  await expect(answer(alice, reply)).rejects.toMatchObject(forbidden)
  await removePolicy(admin, made.id, parts)
  await expect(answer(admin, reply)).rejects.toMatchObject(forbidden)
  expect(refunds()).toBe(0)
  await answer(bob, reply)
  expect(refunds()).toBe(1)
})

test("a rule that is made later holds for what was asked before", async () => {
  const { rule, run, answer, inbox, alice, bob, refunds } = await setUp()
  const reply = await run(alice)
  await rule({ by: four })
  await expect(answer(alice, reply)).rejects.toMatchObject(forbidden)
  expect([await inbox(alice), await inbox(bob)]).toEqual([0, 1])
  await answer(bob, reply)
  expect(refunds()).toBe(1)
})

test("beside their inbox, the requester reads what others must answer by the rules of now, and of nobody else's", async () => {
  const { parts, rule, run, alice, bob, admin, token } = await setUp()
  const others = async (who: Principal) => (await listApprovals(who, { waitingFor: "others" }, parts)).items
  const reply = await run(alice)
  expect(await others(alice)).toEqual([])
  await rule({ by: four })
  const asked = { approvalId: idOf(reply), mayAnswer: false, by: [four], answerers: "somebody with the role 'finance', other than alice" }
  expect(await others(alice)).toMatchObject([asked])
  for (const who of [bob, admin]) expect(await others(who)).toEqual([])
  const agent = await token("alice")
  const second = idOf(await run(agent))
  expect(await others(agent)).toMatchObject([{ approvalId: second }])
  expect(await others(alice)).toMatchObject([asked, { approvalId: second }])
})

test("an answer counts only if whoever gave it may still give it when the call is made", async () => {
  const { parts, tenant, rule, run, alice, person, refunds } = await setUp()
  await rule({ by: four })
  const reply = await run(alice)
  // The answer has won its place, and the role is taken before the code goes on.
  await cluster.executions.approvals.answer(tenant, [idOf(reply)], {
    status: "accept",
    content: null,
    remember: null,
    answeredBy: "bob",
    answeredAt: cluster.clock.now().toISOString(),
  })
  await person("bob", ["member"])
  const eve = await person("eve", ["finance"])
  expect(await answerApproval(alice, idOf(reply), { action: "accept" }, parts)).toMatchObject({ status: "paused" })
  expect(refunds()).toBe(0)
  const rows = await cluster.executions.approvals.list(allOf({ tenant }), { status: "pending" }, { after: null, limit: 9 })
  expect(rows).toMatchObject([{ executionId: reply.executionId }])
  await answerApproval(eve, rows[0]?.id ?? "", { action: "accept" }, parts)
  expect(refunds()).toBe(1)
})

test("of two owners' rules each must hold", async () => {
  const { rule, run, answer, alice, bob, person, refunds } = await setUp()
  await cluster.store.roles.put(alice.tenant, roleRow({ id: "legal", patterns: ["*"] }))
  await rule({ by: four })
  await rule({ owner: "user", by: { role: "legal" } }, { ...alice, rights: ["policies.edit"] })
  const reply = await run(alice)
  await expect(answer(bob, reply)).rejects.toMatchObject({ message: expect.stringContaining("the roles 'finance' and 'legal'") })
  await answer(await person("both", ["finance", "legal"]), reply)
  expect(refunds()).toBe(1)
})

test("nobody lets their friends answer for the organization by a rule of their own", async () => {
  const { rule, run, answer, alice, person, refunds } = await setUp()
  await cluster.store.roles.put(alice.tenant, roleRow({ id: "friends", patterns: ["*"] }))
  const friend = await person("friend", ["friends"])
  await rule({ by: { notRequester: true } })
  const own = rule({ owner: "user", by: { role: "friends" } }, alice)
  await own.catch(() => {})
  await expect(answer(friend, await run(alice))).rejects.toThrow()
  expect(refunds()).toBe(0)
  await expect(own).rejects.toMatchObject({ code: "forbidden", message: expect.stringContaining("policies.edit") })
})

test("what somebody asked who is disabled now can only be cancelled", async () => {
  const { parts, run, answer, admin, alice, tenant } = await setUp()
  const reply = await run(alice)
  await cluster.store.users.put(userRow({ tenant, user: "alice" }, { status: "disabled", roles: [{ role: "member", from: "given" }] }))
  for (const action of ["accept", "decline"] as const)
    await expect(answer(admin, reply, { action })).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringMatching(`only be cancelled.*: \\S*executor executions cancel ${reply.executionId}`),
    })
  const { text } = await showExecution(admin, reply.executionId, parts)
  expect(text).toMatch(/It needs to be cancelled, because 'alice' .* executions cancel exe_\w+$/)
  expect(text).not.toContain("A human can answer")
})

test("always, for somebody else's request, needs policies.edit and makes a rule of the organization", async () => {
  const { run, answer, alice, admin, approver, refunds } = await setUp()
  const reply = await run(alice)
  await expect(answer(approver, reply, { remember: "always" })).rejects.toMatchObject({ message: expect.stringContaining("policies.edit") })
  expect(refunds()).toBe(0)
  const { remembered } = await answer(admin, reply, { remember: "always" })
  expect(remembered).toMatchObject([
    { owner: "org", pattern: "shop.refund", message: expect.stringContaining("everybody in the organization") },
  ])
  expect((await run(alice)).status).toBe("completed")
})

test.each([
  [{ by: {} }, /must name a role/],
  [{ by: { notRequester: false } }, /must name a role/],
  [{ action: "allow", by: four }, /needs the action require_approval/],
  [{ by: { role: "nobody" } }, /no role 'nobody'; .* roles list/],
  [{ role: "nobody" }, /no role 'nobody'/],
] as const)("a rule with %j is refused", async (input, message) => {
  const { rule } = await setUp()
  await expect(rule(input)).rejects.toMatchObject({ code: "invalid_request", message: expect.stringMatching(message) })
})

test("a rule for one role binds at the next call when the role is given, and to no one else", async () => {
  const { rule, run, person, actAs, alice, bob } = await setUp()
  await rule({ action: "block", role: "finance" })
  expect(await run(bob)).toMatchObject({ structured: { result: { ok: false, error: { code: "tool_blocked" } } } })
  expect((await run(alice)).status).toBe("paused")
  await person("alice", ["member", "finance"])
  expect(await run(await actAs("alice"))).toMatchObject({ structured: { result: { ok: false, error: { code: "tool_blocked" } } } })
})
