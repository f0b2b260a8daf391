// A grant's row with new tokens: when they are renewed, when they expire, and how they are stored in the vault.
import type { ConnectionRef } from "../../core/address.ts"
import type { Limits } from "../../core/limits.ts"
import type { Scope } from "../../core/principal.ts"
import type { OauthGrantRow } from "../../store/oauth-store.ts"
import { connectionSecretRef } from "../../store/store.ts"
import type { SecretValues, Vault } from "../vault.ts"
import type { Tokens } from "./token-answer.ts"

/** `requestedAt`: before the provider was asked, so that a slow answer does not make a token look younger. */
export function withTokens(grant: OauthGrantRow, tokens: Tokens, requestedAt: Date, limits: Limits): OauthGrantRow {
  const after = (ms: number): string => new Date(requestedAt.getTime() + ms).toISOString()
  const { lifetimeMs } = tokens
  // A token that lives for a minute would otherwise be renewed at every call.
  const aheadMs = Math.min(limits.oauthRenewAheadMs, (lifetimeMs ?? 0) / 4)
  return {
    ...grant,
    version: grant.version + 1,
    grantedScopes: tokens.scopes === null ? grant.grantedScopes : JSON.stringify(tokens.scopes),
    renewable: tokens.refreshToken !== null || grant.grantType === "client_credentials",
    issuedAt: requestedAt.toISOString(),
    renewAt: lifetimeMs === null ? null : after(lifetimeMs - aheadMs),
    expiresAt: lifetimeMs === null ? null : after(lifetimeMs),
    lapsedAt: null,
    lapsedReason: null,
    leaseOwner: null,
    leaseUntil: null,
  }
}

export type StoredTokens = { readonly token: string; readonly refreshToken: string | null }

/** To be called in the transaction that writes the grant's row. */
export const putTokens = (scope: Scope, ref: ConnectionRef, tokens: Tokens, vault: Vault): Promise<void> =>
  vault.put(scope, connectionSecretRef(scope, ref), {
    token: tokens.accessToken,
    ...(tokens.refreshToken === null ? {} : { refreshToken: tokens.refreshToken }),
  })

export async function openTokens(scope: Scope, ref: ConnectionRef, vault: Vault): Promise<StoredTokens | null> {
  const values: SecretValues = (await vault.open(scope, connectionSecretRef(scope, ref))) ?? {}
  const token = values["token"]
  return token === undefined ? null : { token, refreshToken: values["refreshToken"] ?? null }
}
