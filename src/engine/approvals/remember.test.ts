// Tests that "always" makes one rule of the human's own, and none where it would change nothing.
import { afterAll, expect, test } from "vitest"
import { createPolicy } from "../../catalog/policies/edit.ts"
import type { ApprovalAnswer } from "../../core/execution.ts"
import type { PolicyCreate } from "../../core/policy.ts"
import { allOf, approvalRow } from "../../store/executions/testing/samples.ts"
import { openCluster } from "../testing/cluster.ts"
import { staticTool } from "../testing/samples.ts"
import { recordAnswer } from "./answer.ts"

const cluster = await openCluster()
afterAll(() => cluster.close())

const write = staticTool("notes.write", "write", async () => ({ ok: true, data: null }))
const share = { ...staticTool("notes.share", "write", async () => ({ ok: true, data: null })), alwaysAsks: true }

async function setUp(address = "notes.write") {
  const parts = cluster.node({ tools: [write, share] })
  const human = await cluster.human()
  const row = approvalRow(human, { address, argsJson: '{"amount":5}' })
  await parts.executions.journal.append([{ kind: "approval", row }], "now")
  const rows = () => cluster.executions.approvals.list(allOf(human), {}, { after: null, limit: 9 })
  const always = async (change: Partial<ApprovalAnswer> = {}) =>
    recordAnswer(human, await rows(), { action: "accept", remember: "always", ...change }, parts)
  const rule = (input: Partial<PolicyCreate>) =>
    createPolicy({ ...human, rights: ["admin"] }, { owner: "org", pattern: "notes.**", action: "require_approval", ...input }, parts)
  const rules = () => cluster.store.policies.list(human)
  return { human, rows, always, rule, rules }
}

test("an allow rule of the human's own is made for exactly this tool, and audited", async () => {
  const { human, always, rules } = await setUp()
  const [remembered] = await always()
  expect(remembered).toMatchObject({ owner: "user", pattern: "notes.write", when: [] })
  expect(remembered?.message).toBe("From now on 'notes.write' is allowed for you and your agents, with any arguments.")
  expect(await rules()).toMatchObject([{ id: remembered?.id, owner: "user", pattern: "notes.write", action: "allow", when: "[]" }])
  const audit = await cluster.executions.audit.list(allOf(human), { action: "policy.create" }, { after: null, limit: 9 })
  expect(audit).toMatchObject([{ subject: "notes.write", outcome: "ok" }])
})

test("an answer that is repeated makes no second rule; other conditions make another one", async () => {
  const { always, rules } = await setUp()
  const when = [{ arg: "amount", op: "lt", value: 10 }] as const
  const [first] = await always({ when })
  const [second] = await always({ when })
  expect(second?.id).toBe(first?.id)
  expect(first?.message).toContain("when amount lt 10")
  expect(await rules()).toHaveLength(1)
  await always()
  expect(await rules()).toHaveLength(2)
})

test("whoever accepted can still make it a rule later", async () => {
  const { human, rows, always, rules } = await setUp()
  await recordAnswer(human, await rows(), { action: "accept" }, cluster.node())
  expect(await rules()).toEqual([])
  await always()
  expect(await rules()).toHaveLength(1)
})

test("it says which rule it goes beyond", async () => {
  const { always, rule } = await setUp()
  const { id } = await rule({ action: "allow", when: [{ arg: "amount", op: "lt", value: 3 }] })
  const [remembered] = await always()
  expect(remembered?.message).toContain(`The rule 'notes.**' (${id}) allows it only when amount lt 3`)
})

test("where the organization asks, nothing is answered and no rule is made", async () => {
  const { always, rule, rules, rows } = await setUp()
  const { id } = await rule({})
  await expect(always()).rejects.toMatchObject({ code: "conflict", details: { rule: { id } } })
  expect((await rules()).map((one) => one.id)).toEqual([id])
  expect(await rows()).toMatchObject([{ status: "pending" }])
})

test("an organization's rule that does not fit these arguments does not stand in the way", async () => {
  const { always, rule } = await setUp()
  await rule({ when: [{ arg: "amount", op: "gt", value: 100 }] })
  expect(await always()).toHaveLength(1)
})

test("a tool that always asks cannot be allowed for always", async () => {
  const { always, rules } = await setUp("notes.share")
  await expect(always()).rejects.toMatchObject({ code: "conflict", message: expect.stringContaining("always requires approval") })
  expect(await rules()).toEqual([])
})

test("whoever comes second leaves no rule behind", async () => {
  const { human, rows, always, rules } = await setUp()
  const seen = await rows()
  const other = recordAnswer({ ...human, user: "bob", rights: ["admin"] }, seen, { action: "decline" }, cluster.node())
  const results = await Promise.allSettled([other, always()])
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected"])
  expect(await rules()).toEqual([])
})

test("a tool that goes to an address is allowed for its host, once for each", async () => {
  const { human, always } = await setUp()
  const parts = cluster.node({ tools: [write, share] })
  const rememberWhen = [{ arg: "url", op: "like", value: "https://a.test/*" }]
  const other = [{ arg: "url", op: "like", value: "https://b.test/*" }]
  for (const [id, when] of [
    ["apr_host_a", rememberWhen],
    ["apr_host_b", other],
  ] as const) {
    const row = approvalRow(human, { id, address: "notes.write", argsJson: "{}", context: JSON.stringify({ rememberWhen: when }) })
    await parts.executions.journal.append([{ kind: "approval", row }], "now")
  }
  const remembered = await always()
  expect(remembered.map(({ when }) => when)).toEqual(expect.arrayContaining([rememberWhen, other]))
  const [unlimited] = await always({ when: [] })
  expect(unlimited?.when).toEqual([])
})
