// Who may see and change which executions: an agent its own, a human also those of their agents, an admin all; an auditor sees all.
import { ExecutorError } from "../core/errors.ts"
import { hasRight, isAdmin } from "../core/principal.ts"
import type { Principal } from "../core/principal.ts"
import type { ExecutionRow, Visibility } from "../store/execution-store.ts"
import type { EngineParts } from "./engine-parts.ts"

/** What they may read. */
export const visibilityOf = (principal: Principal): Visibility =>
  hasRight(principal, "auditor") ? { tenant: principal.tenant, user: null, tokenId: null } : changeableBy(principal)

/** What they may answer, resume and cancel. */
function changeableBy(principal: Principal): Visibility {
  if (isAdmin(principal)) return { tenant: principal.tenant, user: null, tokenId: null }
  return { tenant: principal.tenant, user: principal.user, tokenId: principal.kind === "agent" ? (principal.tokenId ?? "") : null }
}

type Owned = Pick<ExecutionRow, "tenant" | "user" | "tokenId">

export const isVisible = (row: Owned, principal: Principal): boolean => isIn(row, visibilityOf(principal))
export const isChangeable = (row: Owned, principal: Principal): boolean => isIn(row, changeableBy(principal))

export const isIn = (row: Owned, who: Visibility): boolean =>
  row.tenant === who.tenant && (who.user === null || who.user === row.user) && (who.tokenId === null || who.tokenId === row.tokenId)

/** For what is decided about each row. */
export const ofTenant = ({ tenant }: Pick<Principal, "tenant">): Visibility => ({ tenant, user: null, tokenId: null })

export async function getExecution(principal: Principal, id: string, parts: EngineParts): Promise<ExecutionRow> {
  const row = await parts.executions.executions.get(visibilityOf(principal), id)
  if (row === null) throw new ExecutorError("not_found", `There is no execution '${id.slice(0, 80)}'`)
  return row
}

/** To answer, resume or cancel it. */
export async function getChangeable(principal: Principal, id: string, parts: EngineParts): Promise<ExecutionRow> {
  const row = await getExecution(principal, id, parts)
  if (isChangeable(row, principal)) return row
  throw new ExecutorError("forbidden", "An auditor reads executions and changes none; ask an admin or whoever started it")
}
