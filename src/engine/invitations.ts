// Invitations for people who are not users yet: opening and accepting them, with an audit entry for every attempt.
import { ExecutorError } from "../core/errors.ts"
import { acceptInvitation, openInvitation } from "../identity/people/invitations.ts"
import type { InvitationParts } from "../identity/passkeys/invitation.ts"
import { sha256 } from "../io/ids.ts"
import { auditAnonymous } from "./audit/anonymous.ts"
import { withAudit } from "./audit/audit.ts"
import type { EngineParts } from "./engine-parts.ts"

/** The token stands behind `#`, so that no server's log has it. */
export const invitationLink = (token: string, { oauthLinks }: Pick<EngineParts, "oauthLinks">): string =>
  `${oauthLinks.base() ?? new URL(oauthLinks.redirectUri()).origin}/invite#${token}`

export const createInvitations = (parts: EngineParts): InvitationParts["invitations"] => ({
  open: (token, address) => auditedRefusal("invitation.open", token, address, parts, () => openInvitation(token, parts)),
  async accept({ token, name }, address, work) {
    const done = await auditedRefusal("invitation.accept", token, address, parts, () =>
      acceptInvitation(token, { kind: "new", name }, parts, work),
    )
    const user = { tenant: done.tenant, user: done.user.id, roles: [], rights: [], kind: "human", tokenId: null } as const
    await withAudit(user, parts)(
      "invitation.accept",
      done.invitation.id,
      async () => done,
      ({ user: after }) => ({ details: { after } }),
    )
  },
})

/** Nothing is recorded for an unknown token: it belongs to no tenant, so that nobody could read the entry. */
async function auditedRefusal<T>(action: string, token: string, address: string, parts: EngineParts, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const row = error instanceof ExecutorError ? await parts.store.invitations.findByHash(sha256(token)) : null
    if (row !== null && error instanceof ExecutorError)
      await auditAnonymous(row.tenant, { action, subject: row.id, outcome: error.code, address, details: { reason: error.message } }, parts)
    throw error
  }
}
