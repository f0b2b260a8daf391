// Reads approvals: those that an execution has requested so far, and the one that somebody asks for.
import { ExecutorError } from "../../core/errors.ts"
import type { Principal } from "../../core/principal.ts"
import type { ApprovalRow, ExecutionRow } from "../../store/execution-store.ts"
import type { EngineParts } from "../engine-parts.ts"
import { ofTenant } from "../execution-access.ts"
import { askedOf, isReadable, mayNotAnswer } from "./answerers.ts"

/** A call may need an approval, and then ask something of its own a few times. */
const approvalsPerCall = 4

export const approvalsOf = (
  row: Pick<ExecutionRow, "tenant" | "id">,
  parts: Pick<EngineParts, "executions" | "limits">,
): Promise<ApprovalRow[]> =>
  parts.executions.approvals.list(
    { tenant: row.tenant, user: null, tokenId: null },
    { executionId: row.id },
    { after: null, limit: parts.limits.executionCallsMax * approvalsPerCall },
  )

export async function readApproval(principal: Principal, id: string, parts: EngineParts): Promise<ApprovalRow> {
  const row = await parts.executions.approvals.get(ofTenant(principal), id)
  if (row === null || !(await isReadable(principal, row, parts))) throw noApproval(id)
  return row
}

/** A human who was given the link learns who may answer, where a rule names somebody. */
export async function answerableApproval(principal: Principal, id: string, parts: EngineParts): Promise<ApprovalRow> {
  const row = await parts.executions.approvals.get(ofTenant(principal), id)
  if (row === null) throw noApproval(id)
  if (await isReadable(principal, row, parts)) return row
  const asked = principal.kind === "human" ? await askedOf(row, parts) : null
  throw asked === null || asked.by.length === 0 ? noApproval(id) : mayNotAnswer(row, asked)
}

const noApproval = (id: string): ExecutorError => new ExecutorError("not_found", `There is no approval '${id.slice(0, 80)}'`)
