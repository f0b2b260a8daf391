// Reads the audit log as far as a principal may.
import type { AuditExportRequest, AuditFilter, AuditView } from "../../core/audit/entry.ts"
import { readPage, viewPage } from "../../core/cursor.ts"
import { ExecutorError } from "../../core/errors.ts"
import type { ExecutorApi } from "../../core/executor-api.ts"
import type { Page, PageRequest } from "../../core/page.ts"
import { hasRight, requireRight } from "../../core/principal.ts"
import type { Principal } from "../../core/principal.ts"
import { readDetails } from "../../store/audit-store.ts"
import type { SealedRow } from "../../store/audit-store.ts"
import type { After } from "../../store/store.ts"
import type { EngineParts } from "../engine-parts.ts"
import { visibilityOf } from "../execution-access.ts"
import { withAudit } from "./audit.ts"
import { exportAudit, readFilter } from "./export.ts"
import { viewCaller } from "./token-names.ts"

export const auditOf = (principal: Principal, parts: EngineParts): ExecutorApi["audit"] => ({
  list: (filter = {}) => listAudit(principal, filter, parts),
  export: (request, { signal } = {}) => exportNoted(principal, request, parts, signal),
})

/** An export is recorded in the audit itself. */
async function* exportNoted(
  principal: Principal,
  request: AuditExportRequest,
  parts: EngineParts,
  signal?: AbortSignal,
): AsyncGenerator<string> {
  const { format, ...wanted } = request
  const permit = async (): Promise<AuditFilter> => {
    requireRight(principal, "auditor", "export the audit")
    return readFilter(wanted)
  }
  const filter = await withAudit(principal, parts)("audit.export", format, permit, (details) => ({ details }))
  yield* exportAudit(principal, format, filter, parts, signal)
}

/** A human reads what they and their agents did; an auditor, all of it. */
async function listAudit(principal: Principal, query: AuditFilter & PageRequest, parts: EngineParts): Promise<Page<AuditView>> {
  if (principal.kind === "agent") throw new ExecutorError("forbidden", "An agent may not read the audit; ask your human")
  const who = hasRight(principal, "auditor") ? { tenant: principal.tenant, user: null, tokenId: null } : visibilityOf(principal)
  const filter = readFilter(query)
  const list = (page: After<string>): Promise<SealedRow[]> => parts.executions.audit.list(who, filter, page)
  const page = await readPage(query, parts.limits, list, ({ id }) => id)
  const names = await parts.tokenNames.of(
    principal.tenant,
    page.items.map(({ tokenId }) => tokenId),
  )
  return viewPage(page, (row) => viewAudit(row, names))
}

const viewAudit = (row: SealedRow, names: ReadonlyMap<string, string>): AuditView => ({
  id: row.id,
  at: row.at,
  principal: viewCaller(row, names),
  action: row.action,
  subject: row.subject,
  executionId: row.executionId,
  decision: row.decision,
  rule: row.rule,
  outcome: row.outcome,
  details: readDetails(row.details),
  position: row.link?.position ?? null,
  previousHash: row.link?.previousHash ?? null,
  hash: row.link?.hash ?? null,
})
