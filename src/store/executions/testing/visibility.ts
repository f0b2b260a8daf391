// Conformance of visibility: every verb tried with the ids of somebody else.
import { describe, expect, it } from "vitest"
import type { ApprovalRow, ExecutionRow, ExecutionStore, Visibility } from "../../execution-store.ts"
import type { ExecutionsUnderTest } from "./suite.ts"
import { allOf, approvalRow, auditRow, doneCall, eventRow, executionRow, later, newScope, sessionRoom } from "./samples.ts"

type Victim = { readonly execution: ExecutionRow; readonly approval: ApprovalRow }

const page = { after: null, limit: 100 }
const lease = { owner: "thief", until: later(900) }

async function createVictim({ executions: store }: ExecutionsUnderTest["stores"]): Promise<Victim> {
  const scope = newScope()
  const execution = executionRow(scope)
  const approval = approvalRow(scope, { executionId: execution.id, status: "accept" })
  await store.journal.append(
    [
      { kind: "execution", row: execution },
      { kind: "call", row: doneCall(execution) },
      { kind: "event", row: eventRow(execution, 0) },
      { kind: "approval", row: approval },
      { kind: "audit", row: auditRow(scope, later(1), { tokenId: "tok_1" }) },
      { kind: "shown", row: { tenant: scope.tenant, executionId: execution.id, viewer: "alice/tok_1", pause: 1, questions: null } },
    ],
    "now",
  )
  await store.values.put({ tenant: scope.tenant, session: "s", name: "n" }, "1", later(60), sessionRoom(100))
  return { execution, approval }
}

/** Everything that the victim has. */
async function inventory(
  { executions, journal, approvals, audit, values }: ExecutionStore,
  { execution, approval }: Victim,
): Promise<unknown> {
  const who = allOf(execution)
  return [
    await executions.get(who, execution.id),
    await journal.read(execution, execution.id),
    await approvals.get(who, approval.id),
    (await audit.list(who, {}, page)).map((line) => ({ ...line, link: null })),
    await values.get({ tenant: execution.tenant, session: "s", name: "n" }, later(0)),
  ]
}

/** Readers by visibility: what a stranger is answered must be the same as if there were nothing. */
const reads: Record<string, { try: (store: ExecutionStore, who: Visibility, victim: Victim) => Promise<unknown>; nothing: unknown }> = {
  "executions.get": { try: (store, who, { execution }) => store.executions.get(who, execution.id), nothing: null },
  "executions.list": { try: (store, who) => store.executions.list(who, {}, page), nothing: [] },
  "executions.list by user": {
    try: (store, who, { execution }) => store.executions.list(who, { principal: execution.user }, page),
    nothing: [],
  },
  "executions.list by status": { try: (store, who) => store.executions.list(who, { status: "running" }, page), nothing: [] },
  "approvals.get": { try: (store, who, { approval }) => store.approvals.get(who, approval.id), nothing: null },
  "approvals.list": { try: (store, who) => store.approvals.list(who, {}, page), nothing: [] },
  "approvals.list by execution": {
    try: (store, who, { execution }) => store.approvals.list(who, { executionId: execution.id }, page),
    nothing: [],
  },
  "approvals.list by status": { try: (store, who) => store.approvals.list(who, { status: "accept" }, page), nothing: [] },
  "audit.list": { try: (store, who) => store.audit.list(who, {}, page), nothing: [] },
}

const strangers: Record<string, (victim: Victim) => Visibility> = {
  "another tenant": () => allOf(newScope()),
  "a user of the same name in another tenant": () => ({ ...allOf(newScope()), user: "alice" }),
  "another user of the tenant": ({ execution }) => ({ ...allOf(execution), user: "bob" }),
  "another user with the same token": ({ execution }) => ({ ...allOf(execution), user: "bob", tokenId: "tok_1" }),
  "another agent of the user": ({ execution }) => ({ ...allOf(execution), user: "alice", tokenId: "tok_2" }),
  "an agent without a token": ({ execution }) => ({ ...allOf(execution), user: "alice", tokenId: "" }),
  "a user without a name": ({ execution }) => ({ ...allOf(execution), user: "" }),
}

/** Writers by tenant: they change nothing of another one's. */
const writes: Record<string, { try: (store: ExecutionStore, tenant: string, victim: Victim) => Promise<unknown>; nothing: unknown }> = {
  "journal.read": {
    try: (store, tenant, { execution }) => store.journal.read({ tenant, user: "alice" }, execution.id),
    nothing: { calls: [], events: [] },
  },
  "journal.calls": {
    try: (store, tenant, { execution }) => store.journal.calls({ tenant, user: "alice" }, execution.id, 0),
    nothing: [],
  },
  "journal.append": {
    try: (store, tenant, { execution }) =>
      store.journal.append(
        [{ kind: "outcome", tenant, executionId: execution.id, run: 1, outcome: { ...execution, status: "cancelled" } }],
        "now",
      ),
    nothing: undefined,
  },
  "executions.shown": {
    try: (store, tenant, { execution }) => store.executions.shown({ tenant, executionId: execution.id, viewer: "alice/tok_1" }),
    nothing: null,
  },
  "executions.claim": { try: (store, tenant, { execution }) => store.executions.claim({ ...execution, tenant }, lease), nothing: false },
  "leases.renew": {
    try: (store, tenant, { execution }) => store.leases.renew({ owner: "node_1", until: later(900) }, [{ tenant, id: execution.id }]),
    nothing: [],
  },
  "leases.findRunning": { try: (store, tenant, { execution }) => store.leases.findRunning({ tenant, id: execution.id }), nothing: null },
  "leases.findUnheld": {
    try: (store, tenant, { execution }) => store.leases.findUnheld("node_1", [{ tenant, id: execution.id }]),
    nothing: [],
  },
  "executions.trim": {
    try: (store, tenant) => store.executions.trim({ tenant, user: "alice", tokenId: "tok_1" }, 0),
    nothing: { unendedBytes: 0 },
  },
  "approvals.answer": {
    try: (store, tenant, { approval }) =>
      store.approvals.answer(tenant, [approval.id], {
        status: "accept",
        content: null,
        remember: null,
        answeredBy: "eve",
        answeredAt: later(1),
      }),
    nothing: [],
  },
  "approvals.spend": { try: (store, tenant, { approval }) => store.approvals.spend({ ...approval, tenant, now: later(1) }), nothing: null },
  "audit.chain": { try: async (store, tenant) => (await store.audit.chain(tenant)).head.position, nothing: 0 },
  "audit.sealed": { try: (store, tenant) => store.audit.sealed(tenant, null, 10), nothing: [] },
  "audit.findSealed": { try: (store, tenant) => store.audit.findSealed(tenant, {}, 0, 10), nothing: null },
  "audit.outside": { try: (store, tenant) => store.audit.outside(tenant, {}, page), nothing: [] },
  "values.get": { try: (store, tenant) => store.values.get({ tenant, session: "s", name: "n" }, later(0)), nothing: null },
  "values.put": {
    try: (store, tenant) => store.values.put({ tenant, session: "s", name: "n" }, "2", later(60), sessionRoom(100)),
    nothing: "kept",
  },
}

export function testVisibility(use: () => ExecutionsUnderTest): void {
  describe("visibility", () => {
    for (const [who, stranger] of Object.entries(strangers)) {
      it.each(Object.entries(reads))(`hides from ${who}: %s`, async (_verb, attempt) => {
        const { executions } = use().other
        const victim = await createVictim(use().stores)
        expect(await attempt.try(executions, stranger(victim), victim)).toEqual(attempt.nothing)
        // The attempt can find something at all.
        expect(await attempt.try(executions, { ...allOf(victim.execution), user: "alice", tokenId: "tok_1" }, victim)).not.toEqual(
          attempt.nothing,
        )
        expect(await attempt.try(executions, { ...allOf(victim.execution), user: "alice" }, victim)).not.toEqual(attempt.nothing)
      })
    }

    it.each(Object.entries(writes))("keeps another tenant out of %s", async (_verb, attempt) => {
      const { executions } = use().other
      const victim = await createVictim(use().stores)
      const before = await inventory(executions, victim)
      expect(await attempt.try(executions, newScope().tenant, victim)).toEqual(attempt.nothing)
      expect(await inventory(executions, victim)).toEqual(before)
    })
  })
}
