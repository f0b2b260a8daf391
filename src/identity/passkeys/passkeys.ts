// Signing in with a passkey, and adding one to an account.
import { ExecutorError } from "../../core/errors.ts"
import type { Limits } from "../../core/limits.ts"
import type {
  Assertion,
  InvitationPages,
  NewCredential,
  PasskeyBrowser,
  PasskeyPages,
  PasskeySession,
  PasskeyView,
} from "../../core/people/passkey.ts"
import type { Principal, Scope } from "../../core/principal.ts"
import type { RequestFacts } from "../../core/request-facts.ts"
import type { Clock } from "../../io/clock.ts"
import { newId, newSecret } from "../../io/ids.ts"
import type { PasskeyChallengeRow, PasskeyRow } from "../../store/passkey-store.ts"
import type { Store } from "../../store/store.ts"
import { requireAttempt } from "../attempt-limit.ts"
import type { BrowserSessions } from "../session-open.ts"
import { requireHuman } from "../people/people.ts"
import { beginChallenge, takeChallenge } from "./challenge.ts"
import { checkPasskeyName, viewPasskey } from "./own.ts"
import { checkAssertion, checkCreation, creationOptions, requestOptions } from "./webauthn.ts"

export type PasskeyParts = {
  readonly store: Store
  readonly clock: Clock
  readonly limits: Limits
  readonly sessions: Pick<BrowserSessions, "start" | "attempts">
  readonly audit: PasskeyAudit
}

/** What is known of a sign-in that failed; `owner` null: not even whose key it claims to be. */
export type FailedSignIn = {
  readonly owner: Scope | null
  readonly error: ExecutorError
  readonly reason: string
  readonly facts: RequestFacts
}

export type PasskeyAudit = {
  failed(attempt: FailedSignIn): Promise<void>
  signedIn(owner: Scope, passkey: PasskeyView, facts: RequestFacts): Promise<void>
  /** Records the work with its outcome. */
  registering(who: Principal, work: () => Promise<PasskeyView>): Promise<PasskeyView>
}

export function createPasskeyPages(parts: PasskeyParts): Omit<PasskeyPages, keyof InvitationPages | "isOff"> {
  const countAddress = ({ facts }: PasskeyBrowser): void => requireAttempt(parts.sessions.attempts.byAddress, facts.addressPrefix)
  return {
    async beginSignIn(browser) {
      countAddress(browser)
      const write = (challenge: string, timeoutMs: number) => requestOptions(browser.party, challenge, timeoutMs)
      return beginChallenge({ purpose: "sign_in", subject: "", userHandle: "" }, write, parts)
    },
    async signIn(input, browser) {
      countAddress(browser)
      return signIn(input, browser, parts)
    },
    async beginRegistration(who, browser) {
      requireHuman(who, "add passkeys")
      const user = await parts.store.users.get(who)
      const known = await parts.store.passkeys.list(who)
      requireRoom(known, parts.limits)
      const handle = known[0]?.userHandle ?? newUserHandle()
      const account = { handle, name: user?.email ?? who.user, displayName: user?.name ?? who.user, known }
      const write = (challenge: string, timeoutMs: number) => creationOptions(browser.party, account, challenge, timeoutMs)
      return beginChallenge({ purpose: "register", subject: subjectOf(who), userHandle: handle }, write, parts)
    },
    register: (who, input, browser) =>
      parts.audit.registering(who, async () => {
        requireHuman(who, "add passkeys")
        const name = checkPasskeyName(input.name, parts.limits)
        const challenge = await takeChallenge({ purpose: "register", subject: subjectOf(who) }, input.key, browser, parts)
        const row = await newPasskey(who, { name, credential: input.credential, challenge }, browser, parts)
        await parts.store.transaction((store) => addPasskey(row, store, parts.limits))
        return viewPasskey(row)
      }),
  }
}

const subjectOf = ({ tenant, user }: Scope): string => JSON.stringify([tenant, user])

/** Random: on `localhost` several servers share one domain, and must not replace each other's keys. */
export const newUserHandle = (): string => Buffer.from(newSecret("exu")).toString("base64url")

async function signIn(
  { key, credential }: { readonly key: string; readonly credential: Assertion },
  browser: PasskeyBrowser,
  parts: PasskeyParts,
): Promise<PasskeySession> {
  const { facts } = browser
  const row = await parts.store.passkeys.findByCredential(credential.id)
  const fail = async (error: ExecutorError, reason: string): Promise<never> => {
    await parts.audit.failed({ owner: row, error, reason, facts })
    throw error
  }
  if (row !== null) requireAttempt(parts.sessions.attempts.byAccount, subjectOf(row))
  const challenge = await takeChallenge({ purpose: "sign_in", subject: "" }, key, browser, parts).catch((error: ExecutorError) =>
    fail(error, "The challenge is not open"),
  )
  if (row === null) return fail(unknownKey(), "The key is not known")
  const expected = { party: browser.party, challengeHash: challenge.challengeHash }
  const counter = await checkAssertion(credential, row, expected).catch((error: unknown) => fail(badAnswer(), String(error)))
  const now = parts.clock.now().toISOString()
  if (!(await parts.store.passkeys.used(row, counter, now))) return fail(copiedKey(), `The counter went from ${row.counter} to ${counter}`)
  const session = await parts.sessions.start(row, "passkey", facts)
  if (session === null) return fail(notActive(), "The user is not active")
  await parts.audit.signedIn(row, viewPasskey(row), facts)
  return session
}

type NewKey = { readonly name: string; readonly credential: NewCredential; readonly challenge: PasskeyChallengeRow }

/** A key that has answered its challenge, for this owner. */
export async function newPasskey(
  owner: Scope,
  { name, credential, challenge }: NewKey,
  { party }: PasskeyBrowser,
  { store, clock }: Pick<PasskeyParts, "store" | "clock">,
): Promise<PasskeyRow> {
  const checked = await checkCreation(credential, { party, challengeHash: challenge.challengeHash }).catch((error: unknown) => {
    throw new ExecutorError("invalid_request", "The browser's answer could not be verified; try again", {
      reason: String(error).slice(0, 300),
    })
  })
  if ((await store.passkeys.findByCredential(checked.credentialId)) !== null) throw takenKey()
  const now = clock.now()
  return {
    ...checked,
    tenant: owner.tenant,
    user: owner.user,
    id: newId("psk", now),
    userHandle: challenge.userHandle,
    transports: JSON.stringify(credential.response.transports ?? []),
    name,
    createdAt: now.toISOString(),
    lastUsedAt: null,
  }
}

/** `store`: of a transaction, in which nobody else adds one for this user. */
export async function addPasskey(row: PasskeyRow, store: Store, limits: Limits): Promise<void> {
  requireRoom(await store.passkeys.list(row), limits)
  if (!(await store.passkeys.add(row))) throw takenKey()
}

function requireRoom(known: readonly PasskeyRow[], { passkeysPerUserMax }: Limits): void {
  if (known.length >= passkeysPerUserMax)
    throw new ExecutorError("conflict", `You have ${known.length} passkeys, which is the most there can be; remove one first`)
}

const takenKey = (): ExecutorError => new ExecutorError("conflict", "This passkey is in use already; choose another device or account")

const unknownKey = (): ExecutorError =>
  new ExecutorError(
    "unauthorized",
    "This passkey is not known here, or was removed. Choose another one, sign in another way, or ask an admin for a new invitation",
  )

const badAnswer = (): ExecutorError => new ExecutorError("unauthorized", "The passkey's answer could not be verified; try again")

const copiedKey = (): ExecutorError =>
  new ExecutorError(
    "unauthorized",
    "This passkey was used elsewhere: somebody may have a copy of it. Sign in another way and remove it, or ask an admin for a new invitation",
  )

const notActive = (): ExecutorError => new ExecutorError("forbidden", "This account is disabled; ask an admin")
