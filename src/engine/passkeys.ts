// Passkeys with their audit: who signed in with one, who failed, and which were added, renamed and removed.
import type { ExecutorApi } from "../core/executor-api.ts"
import type { PasskeyPages, PasskeyView } from "../core/people/passkey.ts"
import { localTenant } from "../core/principal.ts"
import type { Principal } from "../core/principal.ts"
import { createInvitationPages } from "../identity/passkeys/invitation.ts"
import type { InvitationParts } from "../identity/passkeys/invitation.ts"
import { sha256 } from "../io/ids.ts"
import { ExecutorError } from "../core/errors.ts"
import { createInvitations } from "./invitations.ts"
import { listPasskeys, removePasskey, renamePasskey } from "../identity/passkeys/own.ts"
import { createPasskeyPages } from "../identity/passkeys/passkeys.ts"
import type { PasskeyAudit } from "../identity/passkeys/passkeys.ts"
import type { BrowserSessions } from "../identity/session-open.ts"
import { auditAnonymous } from "./audit/anonymous.ts"
import { withAudit } from "./audit/audit.ts"
import type { AuditDetails } from "./audit/audit.ts"
import type { EngineParts } from "./engine-parts.ts"

const action = "signin.passkey"

export function passkeyApi(principal: Principal, parts: EngineParts): ExecutorApi["passkeys"] {
  const audit = withAudit(principal, parts)
  return {
    list: () => listPasskeys(principal, parts),
    rename: (id, name) => audit("passkey.rename", id, () => renamePasskey(principal, id, name, parts), detailsOf),
    remove: async (id) => void (await audit("passkey.remove", id, () => removePasskey(principal, id, parts), detailsOf)),
  }
}

export const openPasskeyPages = (sessions: BrowserSessions, parts: EngineParts): PasskeyPages => ({
  ...createPasskeyPages({ ...parts, sessions, audit: passkeyAudit(parts) }),
  ...createInvitationPages({ ...parts, sessions, audit: passkeyAudit(parts), invitations: invitationDoor(parts) }),
})

function invitationDoor(parts: EngineParts): InvitationParts["invitations"] {
  const invitations = createInvitations(parts)
  return {
    open: (token) => invitations.open(token),
    accept: async ({ token, name }, address, work) => void (await invitations.accept(token, { kind: "new", name }, address, work)),
    // A link that nobody made belongs to no tenant, so that nobody could read of it.
    async refused(token, error, address) {
      const row = await parts.store.invitations.findByHash(sha256(token))
      if (row === null || !(error instanceof ExecutorError)) return
      const facts = { action: "invitation.open", subject: row.id, outcome: error.code, address, details: { reason: error.message } }
      await auditAnonymous(row.tenant, facts, parts)
    },
  }
}

const passkeyAudit = (parts: EngineParts): PasskeyAudit => ({
  // A key that nobody knows belongs to no tenant; the operator's is where such attempts are looked for.
  failed: ({ owner, error, reason, facts }) =>
    auditAnonymous(
      owner?.tenant ?? localTenant,
      {
        action,
        subject: owner?.user ?? "unknown",
        outcome: error.code,
        address: facts.address,
        details: { reason, userAgent: facts.userAgent },
        ...(owner === null ? {} : { user: owner.user }),
      },
      parts,
    ),
  async signedIn({ tenant, user }, passkey, facts) {
    const who = { tenant, user, roles: [], rights: [], kind: "human", tokenId: null } as const
    const details = { passkey: passkey.id, name: passkey.name, address: facts.addressPrefix, userAgent: facts.userAgent }
    await withAudit(who, parts)(
      action,
      user,
      async () => passkey,
      () => ({ details }),
    )
  },
  registering: (who, work) => withAudit(who, parts)("passkey.add", who.user, work, detailsOf),
})

const detailsOf = ({ id, name }: PasskeyView): AuditDetails => ({ subject: id, details: { id, name } })
