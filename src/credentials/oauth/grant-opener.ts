// Opens a connection's grant for one call: with its current token, or with a new one if it is due for renewal.
import type { ConnectionRef } from "../../core/address.ts"
import type { Credential } from "../../core/auth.ts"
import { ExecutorError } from "../../core/errors.ts"
import type { Scope } from "../../core/principal.ts"
import type { OauthGrantRow } from "../../store/oauth-store.ts"
import { connectionSecretRef } from "../../store/store.ts"
import type { CredentialSource } from "../open.ts"
import { fillPlacements } from "../placement.ts"
import { formsOf } from "../redact.ts"
import { lapsedError, lapseGrant, renewGrant } from "./grant-renew.ts"
import type { GrantParts } from "./grant-renew.ts"
import { openTokens } from "./grant-tokens.ts"

export type GrantOpener = {
  /** Null where the connection lives on no grant: its token, if it has one, was given by hand. */
  open(scope: Scope, ref: ConnectionRef, source: CredentialSource): Promise<Credential | null>
}

export function createGrantOpener(parts: GrantParts): GrantOpener {
  const underWay = new Map<string, Promise<void>>()

  /** Whoever asks while it is under way waits for the same request. */
  const renewOnce = (scope: Scope, grant: OauthGrantRow): Promise<void> => {
    const key = `${scope.tenant}\0${connectionSecretRef(scope, grant)}`
    const running = underWay.get(key) ?? renewGrant(scope, grant, grant.version, parts).finally(() => underWay.delete(key))
    underWay.set(key, running)
    return running
  }

  const open = async (scope: Scope, ref: ConnectionRef, source: CredentialSource): Promise<Credential | null> => {
    const grant = await parts.store.oauthGrants.get(scope, ref)
    if (grant === null) return null
    if (grant.lapsedAt !== null) throw lapsedError(grant, parts)
    const now = parts.clock.now().toISOString()
    const hasExpired = grant.issuedAt === null || (grant.expiresAt !== null && grant.expiresAt <= now)
    const isDue = hasExpired || (grant.renewAt !== null && grant.renewAt <= now)
    if (!isDue || (!grant.renewable && !hasExpired)) return credentialOf(scope, grant, source)
    if (!grant.renewable) throw lapsedError(await lapseGrant(scope, grant, "its token expired", parts), parts)
    const failure: unknown = await renewOnce(scope, grant).then(
      () => null,
      (error: unknown) => error,
    )
    const latest = await current(scope, grant)
    // A token that is still good serves while its provider is away, or does not accept us.
    const isPassing = failure instanceof ExecutorError && latest.lapsedAt === null
    if (failure !== null && (hasExpired || !isPassing)) throw failure
    return credentialOf(scope, latest, source)
  }

  /** After an upstream refused the token. */
  const renew = async (scope: Scope, grant: OauthGrantRow, source: CredentialSource): Promise<Credential> => {
    const ageMs = parts.clock.now().getTime() - Date.parse(grant.issuedAt ?? "")
    if (!grant.renewable) throw refusedError(grant, "its provider did not issue a refresh token", parts)
    if (ageMs < parts.limits.oauthRenewGapMs)
      throw refusedError(grant, "it is too new for a renewal to help: it may lack a scope, or be for another resource", parts)
    await renewOnce(scope, grant)
    return credentialOf(scope, await current(scope, grant), source)
  }

  const current = async (scope: Scope, grant: OauthGrantRow): Promise<OauthGrantRow> =>
    (await parts.store.oauthGrants.get(scope, grant)) ?? grant

  const credentialOf = async (scope: Scope, grant: OauthGrantRow, source: CredentialSource): Promise<Credential> => {
    const stored = await openTokens(scope, grant, parts.vaultOn(parts.store))
    if (stored === null) throw lapsedError({ ...grant, lapsedReason: "its token is missing" }, parts)
    const placements = fillPlacements(source.placements, { token: stored.token })
    const secrets = [stored.token, ...(stored.refreshToken === null ? [] : [stored.refreshToken]), ...placements.map(({ value }) => value)]
    const connectUrl = parts.connectUrl(grant)
    return {
      ...(connectUrl === null ? {} : { connectUrl }),
      placements,
      origins: source.origins,
      secrets: [...new Set(secrets.flatMap(formsOf))],
      renew: () => renew(scope, grant, source),
    }
  }

  return { open }
}

/** One refusal is no proof that the consent has ended, so the next call tries again. */
function refusedError(grant: OauthGrantRow, reason: string, parts: GrantParts): ExecutorError {
  const connectUrl = parts.connectUrl(grant)
  return new ExecutorError(
    "auth_required",
    `The upstream refused the token of the connection '${grant.connection}' of '${grant.integration}', and ${reason}; a human must connect it again`,
    connectUrl === null ? undefined : { connectUrl },
  )
}
