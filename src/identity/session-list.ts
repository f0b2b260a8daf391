// Manages open browser sessions: one's own, or for an admin those of everybody.
import { readPage, viewPage } from "../core/cursor.ts"
import { ExecutorError } from "../core/errors.ts"
import type { OfUser } from "../core/executor-api.ts"
import type { Page, PageRequest } from "../core/page.ts"
import type { SessionView } from "../core/people/session.ts"
import type { Principal } from "../core/principal.ts"
import { isAdmin, requireAdmin } from "../core/principal.ts"
import type { BrowserSessionRow, SessionOwners } from "../store/session-store.ts"
import { requireHuman } from "./people/people.ts"
import type { SessionParts } from "./session-code.ts"

/** `user`: for an admin, of them alone. */
export async function listSessions(principal: Principal, request: OfUser & PageRequest, parts: SessionParts): Promise<Page<SessionView>> {
  requireHuman(principal, "list sessions")
  const page = await readPage(
    request,
    parts.limits,
    (after) => parts.store.browserSessions.list(ownersFor(principal, request.user), after),
    ({ id }) => id,
  )
  return viewPage({ ...page, items: page.items.filter((row) => !isSessionOver(row, parts)) }, viewSession)
}

export async function removeSession(principal: Principal, id: string, parts: SessionParts): Promise<void> {
  requireHuman(principal, "end sessions")
  if (!(await parts.store.browserSessions.remove(ownersFor(principal), id)))
    throw new ExecutorError("not_found", `There is no session '${id.slice(0, 80)}'`)
}

/** Others than admins have their own alone. */
function ownersFor(principal: Principal, user: string | null = null): SessionOwners {
  if (!isAdmin(principal) && user !== null && user !== principal.user) requireAdmin(principal, "list sessions of others")
  return { tenant: principal.tenant, user: isAdmin(principal) ? user : principal.user }
}

/** By its expiry, or because it was idle for too long. */
export function isSessionOver(row: BrowserSessionRow, { clock, limits }: SessionParts): boolean {
  const now = clock.now()
  const idleMs = now.getTime() - Date.parse(row.lastSeenAt ?? row.createdAt)
  return row.expiresAt <= now.toISOString() || idleMs >= limits.browserSessionIdleMs
}

const viewSession = (row: BrowserSessionRow): SessionView => ({
  id: row.id,
  user: row.user,
  method: row.method ?? "code",
  createdAt: row.createdAt,
  lastSeenAt: row.lastSeenAt ?? row.createdAt,
  expiresAt: row.expiresAt,
  address: row.address,
  userAgent: row.userAgent,
})
