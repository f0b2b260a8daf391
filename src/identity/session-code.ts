// One-time codes: how a human who holds their token opens a session in a browser.
import { ExecutorError } from "../core/errors.ts"
import type { Limits } from "../core/limits.ts"
import type { Principal, Scope } from "../core/principal.ts"
import type { SignInCode } from "../core/token.ts"
import type { Clock } from "../io/clock.ts"
import { newId, newSecret, sha256 } from "../io/ids.ts"
import type { BrowserSessionRow } from "../store/session-store.ts"
import type { Store } from "../store/store.ts"

export type SessionParts = { readonly store: Store; readonly clock: Clock; readonly limits: Limits }

/** For humans: whoever uses it is that human until the session ends. */
export function createSignInCode(principal: Principal, parts: SessionParts): Promise<SignInCode> {
  if (principal.kind === "agent") throw new ExecutorError("forbidden", "An agent may not sign in; ask a human to do it")
  return makeSignInCode(principal, parts.limits.signInCodeMs, parts)
}

/** Stored hashed; the code itself is shown once. */
export async function makeSignInCode(owner: Scope, lifeMs: number, parts: SessionParts): Promise<SignInCode> {
  const code = newSecret("exc")
  const origin = { method: null, address: null, userAgent: null }
  const row = newSessionRow(owner, { kind: "code", hash: sha256(code), keyHash: null, ...origin }, lifeMs, parts.clock)
  await parts.store.browserSessions.put(row)
  return { code, expiresAt: row.expiresAt }
}

export function newSessionRow(
  owner: Scope,
  facts: Pick<BrowserSessionRow, "kind" | "hash" | "keyHash" | "method" | "address" | "userAgent">,
  lifeMs: number,
  clock: Clock,
): BrowserSessionRow {
  const now = clock.now()
  return {
    tenant: owner.tenant,
    user: owner.user,
    id: newId("ses", now),
    ...facts,
    createdAt: now.toISOString(),
    expiresAt: new Date(now.getTime() + lifeMs).toISOString(),
    lastSeenAt: now.toISOString(),
  }
}
