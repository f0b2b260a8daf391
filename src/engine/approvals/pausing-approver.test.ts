// Tests that a human's "no" to a call wins over whatever would let it through by now, and that a question is answered once.
import { expect, test } from "vitest"
import { withLimits } from "../../core/limits.ts"
import type { PolicyAction } from "../../core/policy.ts"
import type { Principal } from "../../core/principal.ts"
import type { ApprovalAnswerWrite, ApprovalRow, ExecutionRow } from "../../store/execution-store.ts"
import { pausingApprover } from "./pausing-approver.ts"
import type { PausingParts } from "./pausing-approver.ts"
import { newApproval } from "./row.ts"

const principal: Principal = { tenant: "t", user: "u", roles: [], kind: "human", tokenId: null }
const clock = { now: () => new Date(0), monotonicMs: () => 0 }
const limits = withLimits({})
const call = { key: "k:0", seq: 0, path: "shop.orders.create", argsJson: "{}", args: {}, line: null }
const target = {
  address: "tools.shop.org.main.orders.create",
  subject: "shop.org.main.orders.create",
  effect: "write",
  requiresApproval: true,
  effectOf: null,
  alwaysAsks: false,
  title: "Create",
  approvalDescription: null,
  definitionHash: () => "definition",
  checkArgs: () => Promise.resolve(null),
  preview: () => null,
  open: () => Promise.reject(new Error("Nothing is opened here")),
} as const
const context = { requestedBy: "u", reason: "" }
const asking = { principal, executionId: "exe_1", call, target, kind: "approval", message: "?", context, requestedSchema: null } as const
const asked: ApprovalRow = newApproval({ ...asking, url: null, state: null, pause: 1 }, { clock, limits })
const other: ApprovalRow = { ...asked, id: "apr_other", callKey: "k:1", status: "accept", remember: "execution", answeredBy: "boss" }

/** `stored`: what the store has by now of the question that the run found pending. */
function decide(rows: ApprovalRow[], action: PolicyAction, stored: Partial<ApprovalRow> = {}, autoApprove = false) {
  const answers: ApprovalAnswerWrite[] = []
  const answer = (_tenant: string, ids: readonly string[], written: ApprovalAnswerWrite) => {
    answers.push(written)
    return Promise.resolve(ids.map(() => ({ ...asked, ...written, ...stored })))
  }
  const approver = pausingApprover(
    principal,
    { id: "exe_1", autoApprove, pauseCount: 1 } as ExecutionRow, // what the approver reads of it
    rows,
    { append: () => Promise.resolve() },
    {
      clock,
      limits,
      executions: { approvals: { answer } } as unknown as PausingParts["executions"], // the one verb that is used
      waitingQuota: { take: () => Promise.resolve(null) },
      policyEvaluator: { rules: () => Promise.resolve([]), decide: () => Promise.reject(new Error("It was decided before")) },
      tokenNames: { of: () => Promise.resolve(new Map()) },
    },
  )
  const decision = approver.decide(call, target, { action, rule: null, conditional: false })
  return decision.then((one) => ({ said: one.status === "refused" ? one.failure.error.code : one.status, answers, rows }))
}

test.each([
  ["decline", "approval_declined"],
  ["cancel", "approval_cancelled"],
] as const)("%s wins over a rule, an answer for the execution, and approval beforehand", async (status, code) => {
  const no = { ...asked, status, answeredBy: "u" }
  expect((await decide([no], "allow")).said).toBe(code)
  expect((await decide([other, no], "require_approval")).said).toBe(code)
  expect((await decide([no], "require_approval", {}, true)).said).toBe(code)
  expect((await decide([{ ...no, toolHash: "as it was" }], "allow")).said).toBe(code)
})

test("a rule answers the question that waits, for nobody", async () => {
  const { said, answers, rows } = await decide([asked], "allow")
  expect(said).toBe("approved")
  expect(answers).toMatchObject([{ status: "accept", answeredBy: null }])
  expect(rows).toMatchObject([{ status: "accept" }])
})

test("an answer for the execution answers the question that waits, by the same human", async () => {
  const { said, answers } = await decide([other, asked], "require_approval")
  expect(said).toBe("approved")
  expect(answers).toMatchObject([{ status: "accept", answeredBy: "boss" }])
})

test("a human who declines in the same moment is heard", async () => {
  expect((await decide([asked], "allow", { status: "decline", answeredBy: "u" })).said).toBe("approval_declined")
  expect((await decide([other, asked], "require_approval", { status: "decline" })).said).toBe("approval_declined")
})

test("what nobody was asked about is asked, or passes by the rule", async () => {
  expect((await decide([], "allow")).said).toBe("approved")
  expect((await decide([], "require_approval")).said).toBe("pending")
  expect((await decide([{ ...asked, status: "accept", toolHash: "as it was" }], "require_approval")).said).toBe("pending")
})
