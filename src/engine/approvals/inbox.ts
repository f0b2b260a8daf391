// The inbox of a principal: the pending approvals that they may answer. Beside it, what they ask and others must answer.
import type { Principal } from "../../core/principal.ts"
import { approvePrefix } from "../../core/people/role.ts"
import { isAdmin } from "../../core/principal.ts"
import type { ApprovalFilter, ApprovalRow, ExecutionStore, Visibility } from "../../store/execution-store.ts"
import type { After } from "../../store/store.ts"
import { ofTenant, visibilityOf } from "../execution-access.ts"
import { answerersBeside, askedOf, isAnswerable } from "./answerers.ts"
import type { AnswererParts } from "./answerers.ts"

export type InboxParts = AnswererParts & { readonly executions: Pick<ExecutionStore, "approvals"> }

export async function inboxRows(
  principal: Principal,
  filter: ApprovalFilter,
  page: After<string>,
  parts: InboxParts,
): Promise<ApprovalRow[]> {
  if (principal.kind === "agent") return parts.executions.approvals.list(visibilityOf(principal), filter, page)
  const whose = (await mayAnswerAnybody(principal, parts)) ? {} : { userOrNamed: principal.user }
  return rowsWhere((row) => isAnswerable(principal, row, parts), ofTenant(principal), { ...filter, ...whose }, page, parts)
}

/** What they ask, or their agents, and they cannot answer. */
export function rowsForOthers(
  { tenant, user, kind, tokenId }: Principal,
  filter: ApprovalFilter,
  page: After<string>,
  parts: InboxParts,
): Promise<ApprovalRow[]> {
  const isForOthers = async (row: ApprovalRow): Promise<boolean> => {
    const asked = await askedOf(row, parts)
    return asked !== null && (await answerersBeside(asked, tenant, parts)) !== null
  }
  return rowsWhere(isForOthers, { tenant, user, tokenId: kind === "agent" ? (tokenId ?? "") : null }, filter, page, parts)
}

/** Fewer than the limit only at the end. */
async function rowsWhere(
  isMeant: (row: ApprovalRow) => Promise<boolean>,
  who: Visibility,
  filter: ApprovalFilter,
  page: After<string>,
  { executions }: InboxParts,
): Promise<ApprovalRow[]> {
  const found: ApprovalRow[] = []
  for (let { after } = page; found.length < page.limit;) {
    const rows = await executions.approvals.list(who, filter, { ...page, after })
    for (const row of rows) if (found.length < page.limit && (await isMeant(row))) found.push(row)
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
