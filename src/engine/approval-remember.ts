// `remember: "always"`: an allow rule of the approver's own for exactly that tool.
import { ExecutorError } from "../core/errors.ts"
import type { Principal } from "../core/principal.ts"
import { withoutRoot } from "../core/address.ts"
import { createPolicy } from "../catalog/policy-edit.ts"
import { decide } from "../policy/decide.ts"
import type { ApprovalRow } from "../store/execution-store.ts"
import { tellPolicy } from "./audit-details.ts"
import { audited } from "./audited.ts"
import type { EngineParts } from "./engine-parts.ts"

/** Refused where another owner's rule demands approval, because the new rule would change nothing there. */
export async function checkRemember(principal: Principal, approvals: readonly ApprovalRow[], parts: EngineParts): Promise<void> {
  const rules = await parts.policyDesk.rules(principal)
  for (const approval of approvals) {
    const subject = withoutRoot(approval.address)
    if (parts.staticTools.find(subject)?.alwaysAsks === true)
      throw new ExecutorError("conflict", `'${subject}' always requires approval; it cannot be allowed permanently`)
    const others = decide(
      { subject, requiresApproval: false },
      rules.filter((rule) => rule.owner !== "user"),
      JSON.parse(approval.argsJson === "" ? "{}" : approval.argsJson) as Record<string, unknown>, // written by the code that called
    )
    if (others.rule !== null && others.action !== "allow") {
      throw new ExecutorError("conflict", `A rule of the organization requires approval for '${subject}'; only an admin can change it`, {
        rule: others.rule,
      })
    }
  }
}

/** After the answer is won: whoever comes second must leave no rule behind. An answer that is repeated makes no second one. */
export async function rememberAlways(principal: Principal, approvals: readonly ApprovalRow[], parts: EngineParts): Promise<void> {
  const note = audited(principal, parts)
  const rules = await parts.policyDesk.rules(principal)
  const isThere = (subject: string): boolean =>
    rules.some((rule) => rule.owner === "user" && rule.pattern === subject && rule.action === "allow" && rule.when.length === 0)
  for (const subject of new Set(approvals.map((row) => withoutRoot(row.address)).filter((one) => !isThere(one))))
    await note(
      "policy.create",
      subject,
      () => createPolicy(principal, { owner: "user", pattern: subject, action: "allow" }, parts),
      tellPolicy,
    )
}
