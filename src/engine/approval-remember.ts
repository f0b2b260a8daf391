// `remember: "always"`: an allow rule of the approver's own for exactly that tool.
import { ExecutorError } from "../core/errors.ts"
import type { Principal } from "../core/principal.ts"
import { withoutRoot } from "../core/address.ts"
import { createPolicy } from "../catalog/policy-edit.ts"
import { decide } from "../policy/decide.ts"
import type { ApprovalRow } from "../store/execution-store.ts"
import { audited } from "./audited.ts"
import type { EngineParts } from "./engine-parts.ts"

/** Refused where another owner's rule demands approval, because the new rule would change nothing there. */
export async function checkRemember(principal: Principal, approvals: readonly ApprovalRow[], parts: EngineParts): Promise<void> {
  const rules = await parts.policyDesk.rules(principal)
  for (const subject of subjectsOf(approvals)) {
    if (parts.staticTools.find(subject)?.alwaysAsks === true)
      throw new ExecutorError("conflict", `'${subject}' always asks; it cannot be allowed once and for all`)
    const others = decide(
      { subject, requiresApproval: false },
      rules.filter((rule) => rule.owner !== "user"),
      {},
    )
    if (others.rule !== null && others.action !== "allow") {
      throw new ExecutorError("conflict", `A rule of the organisation demands approval for '${subject}'; only an admin can change that`, {
        rule: others.rule,
      })
    }
  }
}

/** After the answer is won: whoever comes second must leave no rule behind. */
export async function rememberAlways(principal: Principal, approvals: readonly ApprovalRow[], parts: EngineParts): Promise<void> {
  const note = audited(principal, parts)
  for (const subject of subjectsOf(approvals))
    await note("policy.create", subject, () => createPolicy(principal, { owner: "user", pattern: subject, action: "allow" }, parts))
}

const subjectsOf = (approvals: readonly ApprovalRow[]): Set<string> =>
  new Set(approvals.filter((row) => row.kind === "approval").map((row) => withoutRoot(row.address)))
