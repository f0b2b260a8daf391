// A human's session in a browser: opened by a one-time code, known by a cookie, ended by signing out.
import type { Principal } from "../core/principal.ts"
import type { SignInCode } from "../core/token.ts"
import { newSecret, sha256 } from "../io/ids.ts"
import type { BrowserSessionRow } from "../store/store.ts"
import { makeSignInCode, newSessionRow } from "./session-code.ts"
import type { SessionParts } from "./session-code.ts"

export type OpenedSession = { readonly secret: string; readonly lifeMs: number }

export type BrowserSessions = {
  /** Null where the code is unknown, used or too old. */
  open(code: string): Promise<OpenedSession | null>
  /** Who the secret of a session stands for. */
  authenticate(secret: string): Promise<Principal | null>
  end(secret: string): Promise<void>
  /** For the server itself, which shows a human of this user what waits for them. */
  invite(owner: { readonly tenant: string; readonly user: string }, lifeMs: number): Promise<SignInCode>
}

const secretCharsMax = 256

export function createBrowserSessions(parts: SessionParts): BrowserSessions {
  const { store, clock, limits } = parts
  const isOver = (row: BrowserSessionRow): boolean => row.expiresAt <= clock.now().toISOString()
  const isPlausible = (secret: string): boolean => secret !== "" && secret.length <= secretCharsMax
  return {
    async open(code) {
      if (!isPlausible(code)) return null
      const row = await store.browserSessions.take("code", sha256(code))
      if (row === null || isOver(row)) return null
      const secret = newSecret("exs")
      await store.browserSessions.put(newSessionRow(row, "session", sha256(secret), limits.browserSessionMs, clock))
      return { secret, lifeMs: limits.browserSessionMs }
    },
    async authenticate(secret) {
      if (!isPlausible(secret)) return null
      const row = await store.browserSessions.find("session", sha256(secret))
      if (row === null || isOver(row)) return null
      const user = await store.tenants.user(row)
      return user === null ? null : { tenant: row.tenant, user: row.user, roles: user.roles, kind: "human", tokenId: null }
    },
    async end(secret) {
      if (isPlausible(secret)) await store.browserSessions.take("session", sha256(secret))
    },
    invite: (owner, lifeMs) => makeSignInCode(owner, lifeMs, parts),
  }
}
