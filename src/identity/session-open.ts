// A human's session in a browser: opened by a one-time code, known by a cookie, ended by signing out.
//
// A cookie goes to every server of its host, whatever the port, so that alone it shows nothing and does nothing: for that
// a session has a key, which the pages keep in the storage of their origin.
import type { Principal, Scope } from "../core/principal.ts"
import type { SignInCode } from "../core/token.ts"
import { newSecret, sha256 } from "../io/ids.ts"
import type { BrowserSessionRow } from "../store/store.ts"
import type { AccessReader } from "./access.ts"
import { createSignInLimits } from "./attempt-limit.ts"
import type { SignInLimits } from "./attempt-limit.ts"
import { makeSignInCode, newSessionRow } from "./session-code.ts"
import type { SessionParts } from "./session-code.ts"

export type OpenedSession = { readonly secret: string; readonly key: string; readonly lifeMs: number }

export type BrowserSessions = {
  /** Null where the code is unknown, used or too old. */
  open(code: string): Promise<OpenedSession | null>
  /** For whoever has shown in another way who they are. */
  openFor(owner: Scope): Promise<OpenedSession>
  /** Who looks and acts: the secret of the cookie counts together with the key that was given with it. */
  authenticate(secret: string, key: string): Promise<Principal | null>
  end(secret: string): Promise<void>
  /** How often sign-in may be tried, in whatever way. */
  readonly attempts: SignInLimits
  /** For the server itself, which shows a human of this user what waits for them. */
  invite(owner: { readonly tenant: string; readonly user: string }, lifeMs: number): Promise<SignInCode>
}

const secretCharsMax = 256

export function createBrowserSessions(parts: SessionParts, access: AccessReader): BrowserSessions {
  const { store, clock, limits } = parts
  const isOver = (row: BrowserSessionRow): boolean => row.expiresAt <= clock.now().toISOString()
  const isPlausible = (secret: string): boolean => secret !== "" && secret.length <= secretCharsMax
  const findRow = async (secret: string): Promise<BrowserSessionRow | null> => {
    const row = isPlausible(secret) ? await store.browserSessions.find("session", sha256(secret)) : null
    return row === null || isOver(row) ? null : row
  }
  const principalOf = async (row: BrowserSessionRow): Promise<Principal | null> => {
    const found = await access.of({ tenant: row.tenant, user: row.user, tokenId: null })
    return found?.principal ?? null
  }
  const openFor = async (owner: Scope): Promise<OpenedSession> => {
    const [secret, key] = [newSecret("exs"), newSecret("exk")]
    const secrets = { kind: "session", hash: sha256(secret), keyHash: sha256(key) } as const
    await store.browserSessions.put(newSessionRow(owner, secrets, limits.browserSessionMs, clock))
    return { secret, key, lifeMs: limits.browserSessionMs }
  }
  return {
    async open(code) {
      if (!isPlausible(code)) return null
      const row = await store.browserSessions.take("code", sha256(code))
      if (row === null || isOver(row)) return null
      return openFor(row)
    },
    openFor,
    async authenticate(secret, key) {
      const row = isPlausible(key) ? await findRow(secret) : null
      return row === null || row.keyHash !== sha256(key) ? null : principalOf(row)
    },
    async end(secret) {
      if (isPlausible(secret)) await store.browserSessions.take("session", sha256(secret))
    },
    attempts: createSignInLimits(limits, clock),
    invite: (owner, lifeMs) => makeSignInCode(owner, lifeMs, parts),
  }
}
