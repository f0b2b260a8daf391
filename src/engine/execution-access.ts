// Who may see and change which executions: an agent its own, a human also those of their agents, an admin all.
import { ExecutorError } from "../core/errors.ts"
import { isAdmin } from "../core/principal.ts"
import type { Principal } from "../core/principal.ts"
import type { ExecutionRow, Visibility } from "../store/execution-store.ts"
import type { EngineParts } from "./engine-parts.ts"

export function visibilityOf(principal: Principal): Visibility {
  if (isAdmin(principal)) return { tenant: principal.tenant, user: null, tokenId: null }
  return { tenant: principal.tenant, user: principal.user, tokenId: principal.kind === "agent" ? (principal.tokenId ?? "") : null }
}

export function isVisible(row: Pick<ExecutionRow, "tenant" | "user" | "tokenId">, principal: Principal): boolean {
  const who = visibilityOf(principal)
  return row.tenant === who.tenant && (who.user === null || who.user === row.user) && (who.tokenId === null || who.tokenId === row.tokenId)
}

/** For what is decided about each row. */
export const ofTenant = ({ tenant }: Pick<Principal, "tenant">): Visibility => ({ tenant, user: null, tokenId: null })

export async function getExecution(principal: Principal, id: string, parts: EngineParts): Promise<ExecutionRow> {
  const row = await parts.executions.executions.get(visibilityOf(principal), id)
  if (row === null) throw new ExecutorError("not_found", `There is no execution '${id.slice(0, 80)}'`)
  return row
}
