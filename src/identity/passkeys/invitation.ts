// Accepting an invitation with a passkey that is made on the spot: the user and their key come into being together.
import type {
  InvitationBegin,
  InvitationFinish,
  InvitationOffer,
  InvitationPages,
  PasskeyBegun,
  PasskeyBrowser,
  PasskeySession,
} from "../../core/people/passkey.ts"
import type { RequestFacts } from "../../core/request-facts.ts"
import { ExecutorError } from "../../core/errors.ts"
import { sha256 } from "../../io/ids.ts"
import type { Store, UserRow } from "../../store/store.ts"
import { requireAttempt } from "../attempt-limit.ts"
import { beginChallenge, takeChallenge } from "./challenge.ts"
import { checkPasskeyName, viewPasskey } from "./own.ts"
import { newPasskey, newUserHandle, putNew } from "./passkeys.ts"
import type { PasskeyParts } from "./passkeys.ts"
import { creationOptions } from "./webauthn.ts"

export type InvitationParts = PasskeyParts & {
  readonly invitations: {
    /** Throws what the page tells. */
    open(token: string): Promise<InvitationOffer & { readonly user: string }>
    /** `work` is done in the transaction that makes the user. */
    accept(input: InvitationBegin, address: string, work: (user: UserRow, store: Store) => Promise<void>): Promise<void>
    /** For the audit. */
    refused(token: string, error: unknown, address: string): Promise<void>
  }
}

export function createInvitationPages(parts: InvitationParts): InvitationPages {
  const count = ({ addressPrefix }: RequestFacts): void => requireAttempt(parts.sessions.attempts.byAddress, addressPrefix)
  const open = (token: string, { address }: RequestFacts) =>
    parts.invitations.open(token).catch(async (error: unknown) => {
      await parts.invitations.refused(token, error, address)
      throw error
    })
  return {
    async openInvitation(token, facts) {
      count(facts)
      const { tenant, name, email, roles, invitedBy, expiresAt } = await open(token, facts)
      return { tenant, name, email, roles, invitedBy, expiresAt }
    },
    async beginInvitation(input, browser) {
      count(browser.facts)
      return beginInvitation(input, await open(input.token, browser.facts), browser, parts)
    },
    async acceptInvitation(input, browser) {
      count(browser.facts)
      return acceptWithPasskey(input, await open(input.token, browser.facts), browser, parts)
    },
  }
}

type Invited = { readonly tenant: string; readonly user: string; readonly email: string | null }

const purposeOf = (token: string) => ({ purpose: "accept_invitation", subject: sha256(token) }) as const

async function beginInvitation(
  { token, name }: InvitationBegin,
  { tenant, user, email }: Invited,
  browser: PasskeyBrowser,
  parts: InvitationParts,
): Promise<PasskeyBegun> {
  const known = await parts.store.passkeys.list({ tenant, user })
  const handle = known[0]?.userHandle ?? newUserHandle()
  const account = { handle, name: email ?? name, displayName: name, known }
  const write = (challenge: string, timeoutMs: number) => creationOptions(browser.party, account, challenge, timeoutMs)
  return beginChallenge({ ...purposeOf(token), userHandle: handle }, write, parts)
}

async function acceptWithPasskey(
  input: InvitationFinish,
  { tenant, user }: Invited,
  browser: PasskeyBrowser,
  parts: InvitationParts,
): Promise<PasskeySession> {
  const { token, name, credential } = input
  const challenge = await takeChallenge(purposeOf(token), input.key, browser, parts)
  const passkeyName = checkPasskeyName(input.passkeyName, parts.limits)
  const row = await newPasskey({ tenant, user }, { name: passkeyName, credential, challenge }, browser, parts)
  await parts.invitations.accept({ token, name }, browser.facts.address, (accepted, store) => putNew({ ...row, user: accepted.id }, store))
  const session = await parts.sessions.start({ tenant, user }, "passkey", browser.facts)
  if (session === null) throw new ExecutorError("forbidden", "The account is not active; ask an admin")
  await parts.audit.signedIn({ tenant, user }, viewPasskey(row), browser.facts)
  return session
}
