// Accepts an invitation with a new passkey: user and passkey are created in one transaction.
import type {
  InvitationBegin,
  InvitationFinish,
  InvitationOffer,
  InvitationPages,
  PasskeyBegun,
  PasskeyBrowser,
  PasskeySession,
} from "../../core/people/passkey.ts"
import type { SignInAllow } from "../../core/people/sign-in.ts"
import type { RequestFacts } from "../../core/request-facts.ts"
import { ExecutorError } from "../../core/errors.ts"
import { sha256 } from "../../io/ids.ts"
import type { Store, UserRow } from "../../store/store.ts"
import { requireAttempt } from "../attempt-limit.ts"
import { beginChallenge, takeChallenge } from "./challenge.ts"
import { checkPasskeyName, viewPasskey } from "./own.ts"
import { addPasskey, newPasskey, newUserHandle } from "./passkeys.ts"
import type { PasskeyParts } from "./passkeys.ts"
import { creationOptions } from "./webauthn.ts"

export type InvitationParts = PasskeyParts & {
  readonly invitations: {
    /** Throws an `ExecutorError` whose message the page shows. `address`: of the client. */
    open(token: string, address: string): Promise<Omit<InvitationOffer, "vouchedBy"> & { readonly user: string }>
    /** `work` is done in the transaction that makes the user. */
    accept(input: InvitationBegin, address: string, work: (user: UserRow, store: Store) => Promise<void>): Promise<void>
  }
}

export function createInvitationPages(parts: InvitationParts): InvitationPages {
  const count = ({ addressPrefix }: RequestFacts): void => requireAttempt(parts.sessions.attempts.byAddress, addressPrefix)
  const open = (token: string, { address }: RequestFacts) => parts.invitations.open(token, address)
  return {
    async openInvitation(token, facts) {
      count(facts)
      const { tenant, name, email, roles, invitedBy, expiresAt } = await open(token, facts)
      return { tenant, name, email, roles, invitedBy, expiresAt, vouchedBy: await vouchedBy({ tenant, email }, parts) }
    },
    async beginInvitation(input, browser) {
      count(browser.facts)
      const invited = await open(input.token, browser.facts)
      await requireLinkIsEnough(invited, parts)
      return beginInvitation(input, invited, browser, parts)
    },
    async acceptInvitation(input, browser) {
      count(browser.facts)
      const invited = await open(input.token, browser.facts)
      await requireLinkIsEnough(invited, parts)
      return acceptWithPasskey(input, invited, browser, parts)
    },
  }
}

type Invited = { readonly tenant: string; readonly user: string; readonly email: string | null }

/** No mail is sent, so that the link is the proof, unless a provider knows whose the addresses of this domain are. */
async function vouchedBy({ tenant, email }: Pick<Invited, "tenant" | "email">, { store }: InvitationParts): Promise<string | null> {
  const domain = email?.split("@").at(-1)?.toLowerCase()
  if (domain === undefined) return null
  const providers = await store.signInProviders.list(tenant)
  const isOf = (allow: string): boolean => (JSON.parse(allow) as SignInAllow).domains?.includes(domain) === true // checked before it was written
  return providers.find(({ allow }) => isOf(allow))?.name ?? null
}

async function requireLinkIsEnough(invited: Invited, parts: InvitationParts): Promise<void> {
  const provider = await vouchedBy(invited, parts)
  if (provider !== null)
    throw new ExecutorError(
      "forbidden",
      `This invitation is for ${invited.email ?? ""}, and '${provider}' vouches for such addresses: accept it by signing in there`,
    )
}

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
  await parts.invitations.accept({ token, name }, browser.facts.address, (accepted, store) =>
    addPasskey({ ...row, user: accepted.id }, store, parts.limits),
  )
  const session = await parts.sessions.start({ tenant, user }, "passkey", browser.facts)
  if (session === null) throw new ExecutorError("forbidden", "The account is not active; ask an admin")
  await parts.audit.signedIn({ tenant, user }, viewPasskey(row), browser.facts)
  return session
}
