// A human's session in a browser: opened by signing in, known by a cookie, ended by signing out or by its time.
//
// A cookie goes to every server of its host, whatever the port, so that alone it shows nothing and does nothing: for that
// a session has a key, which the pages keep in the storage of their origin.
import type { SignInMethod } from "../core/people/session.ts"
import type { Principal, Scope } from "../core/principal.ts"
import type { RequestFacts } from "../core/request-facts.ts"
import type { SignInCode } from "../core/token.ts"
import { newSecret, sha256 } from "../io/ids.ts"
import type { BrowserSessionRow } from "../store/session-store.ts"
import type { AccessReader } from "./access.ts"
import { createSignInLimits } from "./attempt-limit.ts"
import type { SignInLimits } from "./attempt-limit.ts"
import { createLastSeen } from "./last-seen.ts"
import { makeSignInCode, newSessionRow } from "./session-code.ts"
import type { SessionParts } from "./session-code.ts"
import { isSessionOver } from "./session-list.ts"

export type OpenedSession = { readonly owner: Scope; readonly secret: string; readonly key: string; readonly lifeMs: number }

/** What is kept of the request that opened it. */
export type SessionOrigin = Pick<RequestFacts, "addressPrefix" | "userAgent">

export type BrowserSessions = {
  /** Null where the code is unknown, used or too old. */
  open(code: string, origin: SessionOrigin): Promise<OpenedSession | null>
  /** For a human who has proved in another way who they are; null where nothing may act in their name. */
  start(owner: Scope, method: SignInMethod, origin: SessionOrigin): Promise<OpenedSession | null>
  /** By the secret of the cookie together with the key that was given with it. */
  authenticate(secret: string, key: string): Promise<Principal | null>
  /** The same for a request that is still running: it does not count as use of the session. */
  look(secret: string, key: string): Promise<Principal | null>
  end(secret: string): Promise<void>
  /** How often sign-in may be tried, in whatever way. */
  readonly attempts: SignInLimits
  /** A code with which the server itself opens a page for this user. */
  invite(owner: { readonly tenant: string; readonly user: string }, lifeMs: number): Promise<SignInCode>
}

const secretCharsMax = 256
/** A session that is in use is written this often. */
const seenEveryMs = 60_000

export function createBrowserSessions(parts: SessionParts, access: AccessReader): BrowserSessions {
  const { store, clock, limits } = parts
  const isSeen = createLastSeen(parts)
  const isPlausible = (secret: string): boolean => secret !== "" && secret.length <= secretCharsMax
  const principalOf = async (owner: Scope): Promise<Principal | null> => {
    const found = await access.of({ tenant: owner.tenant, user: owner.user, tokenId: null })
    // A service account never signs in.
    return found === null || found.isService ? null : found.principal
  }
  const findRow = async (secret: string): Promise<BrowserSessionRow | null> => {
    const row = isPlausible(secret) ? await store.browserSessions.find("session", sha256(secret)) : null
    return row === null || isSessionOver(row, parts) ? null : row
  }
  const findWithKey = async (secret: string, key: string): Promise<BrowserSessionRow | null> => {
    const row = isPlausible(key) ? await findRow(secret) : null
    return row?.keyHash === sha256(key) ? row : null
  }
  const start: BrowserSessions["start"] = async (owner, method, { addressPrefix, userAgent }) => {
    if ((await principalOf(owner)) === null) return null
    const [secret, key] = [newSecret("exs"), newSecret("exk")]
    const facts = { kind: "session", hash: sha256(secret), keyHash: sha256(key), method, address: addressPrefix, userAgent } as const
    await store.browserSessions.put(newSessionRow(owner, facts, limits.browserSessionMs, clock))
    return { owner: { tenant: owner.tenant, user: owner.user }, secret, key, lifeMs: limits.browserSessionMs }
  }
  return {
    start,
    async open(code, origin) {
      const row = isPlausible(code) ? await store.browserSessions.take("code", sha256(code)) : null
      return row === null || row.expiresAt <= clock.now().toISOString() ? null : start(row, "code", origin)
    },
    async look(secret, key) {
      const row = await findWithKey(secret, key)
      return row === null ? null : principalOf(row)
    },
    async authenticate(secret, key) {
      const row = await findWithKey(secret, key)
      if (row === null) return null
      const now = clock.now()
      if (now.getTime() - Date.parse(row.lastSeenAt ?? row.createdAt) >= seenEveryMs)
        await store.browserSessions.seen(row, now.toISOString())
      const principal = await principalOf(row)
      if (principal !== null) isSeen(principal)
      return principal
    },
    async end(secret) {
      if (isPlausible(secret)) await store.browserSessions.take("session", sha256(secret))
    },
    attempts: createSignInLimits(limits, clock),
    invite: (owner, lifeMs) => makeSignInCode(owner, lifeMs, parts),
  }
}
