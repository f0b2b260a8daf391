// The inbox of a principal: the pending approvals that they may answer.
import type { Principal } from "../../core/principal.ts"
import { approvePrefix } from "../../core/people/role.ts"
import { isAdmin } from "../../core/principal.ts"
import type { ApprovalFilter, ApprovalRow, ExecutionStore } from "../../store/execution-store.ts"
import type { After } from "../../store/store.ts"
import { ofTenant, visibilityOf } from "../execution-access.ts"
import { isAnswerable } from "./answerers.ts"
import type { AnswererParts } from "./answerers.ts"

export type InboxParts = AnswererParts & { readonly executions: Pick<ExecutionStore, "approvals"> }

/** Fewer than the limit only at the end. */
export async function inboxRows(
  principal: Principal,
  filter: ApprovalFilter,
  page: After<string>,
  parts: InboxParts,
): Promise<ApprovalRow[]> {
  if (principal.kind === "agent") return parts.executions.approvals.list(visibilityOf(principal), filter, page)
  const whose = (await mayAnswerAnybody(principal, parts)) ? {} : { userOrNamed: principal.user }
  const found: ApprovalRow[] = []
  for (let { after } = page; found.length < page.limit;) {
    const rows = await parts.executions.approvals.list(ofTenant(principal), { ...filter, ...whose }, { ...page, after })
    for (const row of rows) if (found.length < page.limit && (await isAnswerable(principal, row, parts))) found.push(row)
    if (rows.length < page.limit) break
    after = rows.at(-1)?.id ?? after
  }
  return found
}

/** Everybody else finds their own, and what names those who may answer it. */
async function mayAnswerAnybody(principal: Principal, { policyEvaluator }: AnswererParts): Promise<boolean> {
  if (isAdmin(principal) || principal.rights.some((right) => right.startsWith(approvePrefix))) return true
  const rules = await policyEvaluator.all(principal)
  return rules.some(({ by }) => by?.role !== undefined && principal.roles.includes(by.role))
}
