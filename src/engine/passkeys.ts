// Passkeys as the product offers them: every sign-in, failure and change is audited.
import type { ExecutorApi } from "../core/executor-api.ts"
import type { PasskeyPages, PasskeyView } from "../core/people/passkey.ts"
import { localTenant } from "../core/principal.ts"
import type { Principal } from "../core/principal.ts"
import { createInvitationPages } from "../identity/passkeys/invitation.ts"
import { withoutPasskeys } from "../identity/sso-only.ts"
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

export function openPasskeyPages(sessions: BrowserSessions, parts: EngineParts): PasskeyPages {
  const pages: PasskeyPages = {
    isOff: false,
    ...createPasskeyPages({ ...parts, sessions, audit: passkeyAudit(parts) }),
    ...createInvitationPages({ ...parts, sessions, audit: passkeyAudit(parts), invitations: createInvitations(parts) }),
  }
  return parts.isSsoOnly ? withoutPasskeys(pages) : pages
}

const passkeyAudit = (parts: EngineParts): PasskeyAudit => ({
  // An unknown key belongs to no tenant, so the attempt is recorded in the operator's.
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
