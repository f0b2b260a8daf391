// Invitations for the sign-in flows: opens and accepts them for people who are not users yet, each attempt with its audit.
import { ExecutorError } from "../core/errors.ts"
import { acceptInvitation, openInvitation } from "../identity/people/invitations.ts"
import type { AcceptedInvitation, Accepting, OpenInvitation } from "../identity/people/invitations.ts"
import { sha256 } from "../io/ids.ts"
import type { Store, UserRow } from "../store/store.ts"
import { auditAnonymous } from "./audit/anonymous.ts"
import { withAudit } from "./audit/audit.ts"
import type { EngineParts } from "./engine-parts.ts"

/** The token stands behind `#`, so that no server's log has it. */
export const invitationPath = "/invite"

export const invitationLink = (token: string, { oauthLinks }: Pick<EngineParts, "oauthLinks">): string => {
  const callback = new URL(oauthLinks.redirectUri())
  return `${oauthLinks.base() ?? callback.origin}${invitationPath}#${token}`
}

export type Invitations = {
  /** Throws an `ExecutorError` whose message the page shows. */
  open(token: string): Promise<OpenInvitation>
  /** `address`: of the client. `work` is done in the same transaction as the user is made in. */
  accept(
    token: string,
    accepting: Extract<Accepting, { kind: "new" }>,
    address: string | null,
    work: (user: UserRow, store: Store) => Promise<void>,
  ): Promise<AcceptedInvitation>
}

export const createInvitations = (parts: EngineParts): Invitations => ({
  open: (token) => openInvitation(token, parts),
  async accept(token, accepting, address, work) {
    try {
      const done = await acceptInvitation(token, accepting, parts, work)
      const user = { tenant: done.tenant, user: done.user.id, roles: [], rights: [], kind: "human", tokenId: null } as const
      await withAudit(user, parts)(
        "invitation.accept",
        done.invitation.id,
        async () => done,
        ({ user: after }) => ({ details: { after } }),
      )
      return done
    } catch (error) {
      await noteRefusal(token, error, address, parts)
      throw error
    }
  },
})

/** An unknown token belongs to no tenant, so that nobody could read of it. */
async function noteRefusal(token: string, error: unknown, address: string | null, parts: EngineParts): Promise<void> {
  const row = await parts.store.invitations.findByHash(sha256(token))
  if (row === null || !(error instanceof ExecutorError)) return
  const facts = { action: "invitation.accept", subject: row.id, outcome: error.code, address, details: { reason: error.message } }
  await auditAnonymous(row.tenant, facts, parts)
}
