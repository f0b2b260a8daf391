// Reads approvals: those that an execution has requested so far, and the one that somebody asks for.
import { ExecutorError } from "../../core/errors.ts"
import type { Principal } from "../../core/principal.ts"
import type { ApprovalRow, ExecutionRow } from "../../store/execution-store.ts"
import type { EngineParts } from "../engine-parts.ts"
import { ofTenant } from "../execution-access.ts"
import { askedOf, isReadable, mayNotAnswer } from "./answerers.ts"

/** A call may need an approval, and then ask something of its own a few times. */
const approvalsPerCall = 4

type Asking = Pick<ExecutionRow, "tenant" | "id"> & Partial<Pick<ExecutionRow, "rootId" | "rootKey">>

/** Those of a run that another one started are its root's; only its own are answered here. */
export async function approvalsOf(
  { tenant, id, rootId = null, rootKey = null }: Asking,
  parts: Pick<EngineParts, "executions" | "limits">,
): Promise<ApprovalRow[]> {
  const rows = await parts.executions.approvals.list(
    { tenant, user: null, tokenId: null },
    { executionId: rootId ?? id },
    { after: null, limit: parts.limits.executionCallsMax * approvalsPerCall },
  )
  return rootKey === null ? rows : rows.filter(({ callKey }) => callKey?.startsWith(`${rootKey}/`) === true)
}

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
