// The open invitations of a tenant, and the users who exist only because they were invited.
import { ExecutorError } from "../../core/errors.ts"
import { executorCommandOnPages } from "../../io/executor-command.ts"
import { allRows } from "../../store/all-rows.ts"
import type { InvitationRow } from "../../store/session-store.ts"
import type { Store, UserRow } from "../../store/store.ts"
import type { IdentityParts } from "../token-create.ts"
import { suggestId } from "./input.ts"
import { scopeOf } from "./people.ts"
import type { People } from "./people.ts"

/** Until then, whoever opens the link is told that it has expired. */
const expiredKeptMs = 30 * 24 * 3600_000

export const openRows = (tenant: string, store: Store): Promise<InvitationRow[]> =>
  allRows<InvitationRow, string>(
    (page) => store.invitations.list(tenant, page),
    ({ id }) => id,
  )

/** Inviting the same person again would make a second user; another address is another person. */
export async function refuseSecond(
  known: Pick<UserRow, "name" | "email">,
  people: People,
  store: Store,
  { clock }: IdentityParts,
): Promise<void> {
  const user = people.users.get(suggestId(known, () => false))
  if (user?.status !== "invited" || (user.email !== null && known.email !== null && user.email !== known.email)) return
  const now = clock.now().toISOString()
  const open = (await openRowsOf(user.id, people, store)).find(({ expiresAt }) => expiresAt > now)
  if (open === undefined) return
  throw new ExecutorError(
    "conflict",
    `'${user.id}' is invited already, by the invitation ${open.id}. For a new link, an admin runs ${executorCommandOnPages} invitations create --user ${user.id}; to end the old one, run ${executorCommandOnPages} invitations revoke ${open.id}. For somebody else, choose another name or add their e-mail address`,
  )
}

/** Of a user who has not accepted one yet: a new link takes the place of theirs. */
export async function openRowsOf(id: string, people: People, store: Store): Promise<InvitationRow[]> {
  if (people.users.get(id)?.status !== "invited") return []
  return (await openRows(people.tenant, store)).filter(({ user }) => user === id)
}

/** A user who was only invited, and has no other invitation. */
export async function dropPlaceholder(row: InvitationRow, people: People, store: Store): Promise<void> {
  const user = people.users.get(row.user)
  const open = await openRows(row.tenant, store)
  if (user?.status !== "invited" || open.some((one) => one.id !== row.id && one.user === row.user)) return
  await store.users.remove(scopeOf(user))
  people.users.delete(user.id)
}

/** With the users who never accepted: of the old ones, and of whoever is invited anew, whose address would be taken. */
export async function dropExpired(people: People, email: string | null, store: Store, { clock }: IdentityParts): Promise<void> {
  const now = clock.now()
  const keptSince = new Date(now.getTime() - expiredKeptMs).toISOString()
  const isOver = (row: InvitationRow): boolean =>
    row.expiresAt < keptSince || (email !== null && row.email === email && row.expiresAt <= now.toISOString())
  for (const row of (await openRows(people.tenant, store)).filter(isOver)) {
    await store.invitations.remove(row.tenant, row.id)
    await dropPlaceholder(row, people, store)
  }
  await store.invitations.dropExpired(people.tenant, keptSince)
}

export async function requireRoom(people: People, store: Store, parts: IdentityParts): Promise<void> {
  const now = parts.clock.now().toISOString()
  const open = (await openRows(people.tenant, store)).filter(({ expiresAt }) => expiresAt > now)
  if (open.length >= parts.limits.invitationsOpenMax)
    throw new ExecutorError("conflict", `There are ${parts.limits.invitationsOpenMax} open invitations; revoke some first`)
}
