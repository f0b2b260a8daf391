// Renews the token of one grant, once, regardless of how many calls, processes and machines need it.
//
// Order of events: the version of the grant that the caller saw is claimed in the store, which succeeds for one node
// at a time; whoever does not get it waits for the version to change. The provider is asked. What it answers is
// committed, the new refresh token with it, before anybody uses the new access token: a process that dies afterwards
// has lost nothing. A request to the provider is never abandoned because its caller went away, since the old refresh
// token may be worthless by then. A claim outlives the longest request, so that a node that died does not block.
import { setTimeout } from "node:timers/promises"
import type { ConnectionRef } from "../../core/address.ts"
import { ExecutorError } from "../../core/errors.ts"
import type { Limits } from "../../core/limits.ts"
import type { OauthServer } from "../../core/oauth.ts"
import type { Scope } from "../../core/principal.ts"
import type { Clock } from "../../io/clock.ts"
import type { Log } from "../../io/log.ts"
import type { Network } from "../../io/network/outbound.ts"
import type { OauthClientRow, OauthGrantRow } from "../../store/oauth-store.ts"
import { openClient } from "./client-open.ts"
import type { ClientParts } from "./client-open.ts"
import { openTokens, putTokens, withTokens } from "./grant-tokens.ts"
import { refreshTokens, requestClientToken } from "./token-request.ts"
import type { Refused, TokenAnswer, Tokens } from "./token-answer.ts"

export type GrantParts = ClientParts & {
  readonly network: Network
  readonly limits: Limits
  readonly clock: Clock
  readonly log: Log
  /** This process among those on the store. */
  readonly node: string
  /** The URLs that an admin wrote for the integration; its provider may be at one of them. */
  literalUrls(scope: Scope, integration: string): Promise<readonly string[]>
  /** Where a human connects again; null where no server runs. */
  connectUrl(grant: OauthGrantRow): string | null
}

const pollMs = 50

/** Resolves when the grant's version is another than `seen`. */
export async function renewGrant(scope: Scope, ref: ConnectionRef, seen: number, parts: GrantParts): Promise<void> {
  const giveUpAt = parts.clock.monotonicMs() + parts.limits.oauthLeaseMs + parts.limits.oauthRequestMs
  for (;;) {
    const grant = await parts.store.oauthGrants.get(scope, ref)
    if (grant === null) throw new ExecutorError("auth_required", "The connection has been removed")
    if (grant.lapsedAt !== null) throw lapsedError(grant, parts)
    if (grant.version !== seen) return
    if (await claim(scope, grant, parts)) return renewClaimed(scope, grant, parts)
    if (parts.clock.monotonicMs() > giveUpAt)
      throw new ExecutorError("timeout", "Another process has been renewing the connection's token for too long")
    await setTimeout(pollMs)
  }
}

function claim(scope: Scope, grant: OauthGrantRow, parts: GrantParts): Promise<boolean> {
  const now = parts.clock.now()
  const until = new Date(now.getTime() + parts.limits.oauthLeaseMs).toISOString()
  return parts.store.oauthGrants.claim(scope, grant, { version: grant.version, owner: parts.node, now: now.toISOString(), until })
}

/** Whatever stands in the way, the claim is given back: the next call need not wait until it runs out. */
async function renewClaimed(scope: Scope, grant: OauthGrantRow, parts: GrantParts): Promise<void> {
  try {
    await renewNow(scope, grant, parts)
  } catch (error) {
    await release(scope, grant, parts)
    throw error
  }
}

async function renewNow(scope: Scope, grant: OauthGrantRow, parts: GrantParts): Promise<void> {
  const requestedAt = parts.clock.now()
  const answer = await askProvider(scope, grant, parts)
  switch (answer.status) {
    case "granted":
      return saveTokens(scope, grant, answer.tokens, requestedAt, parts)
    case "refused": {
      const isEnded = answer.what === "grant" || (answer.what === "client" && (await forgetClient(scope, grant.oauthClientId, parts)))
      throw isEnded ? lapsedError(await lapseGrant(scope, grant, answer.reason, parts), parts) : unrenewedError(grant, answer, parts)
    }
    case "unavailable":
      throw new ExecutorError("upstream_unreachable", `The connection's token could not be renewed: ${answer.message}`)
  }
}

async function askProvider(scope: Scope, grant: OauthGrantRow, parts: GrantParts): Promise<TokenAnswer> {
  const client = await parts.store.oauthClients.get(scope, grant.oauthClientId)
  if (client === null) return { status: "refused", reason: "its OAuth client was removed", what: "grant" }
  const server = JSON.parse(grant.server) as OauthServer // written from one
  const target = { server, resource: grant.resource, client: await openClient(scope, client, parts) }
  const literalUrls = [...(await parts.literalUrls(scope, grant.integration)), ...readClientServer(client).literalUrls]
  const network = { outbound: parts.network.outbound({ literalUrls }), limits: parts.limits }
  if (grant.grantType === "client_credentials") return requestClientToken(JSON.parse(grant.scopes) as string[], target, network) // a JSON array of text
  const stored = await openTokens(scope, grant, parts.vaultOn(parts.store))
  if (stored === null || stored.refreshToken === null)
    return { status: "refused", reason: "the provider did not issue a refresh token", what: "grant" }
  const answer = await refreshTokens(stored.refreshToken, target, network)
  if (answer.status !== "granted" || answer.tokens.refreshToken !== null) return answer
  // A provider that sends none means that the one before stays good.
  return { status: "granted", tokens: { ...answer.tokens, refreshToken: stored.refreshToken } }
}

/** A client's server as it is stored: with the URLs that an admin wrote, because those may be private. */
export type ClientServer = OauthServer & { readonly literalUrls: readonly string[] }

export const readClientServer = (client: Pick<OauthClientRow, "server">): ClientServer => JSON.parse(client.server) as ClientServer // written from one

const saveTokens = (scope: Scope, grant: OauthGrantRow, tokens: Tokens, requestedAt: Date, parts: GrantParts): Promise<void> =>
  parts.store.transaction(async (store) => {
    const current = await store.oauthGrants.get(scope, grant)
    // A human who connected again in the meantime brought better ones.
    if (current === null || current.version !== grant.version) return
    await putTokens(scope, grant, tokens, parts.vaultOn(store))
    await store.oauthGrants.put(scope, grant, withTokens(current, tokens, requestedAt, parts.limits))
  })

/** The grant ended at the provider: its connection says so, and keeps its tools for when a human has connected again. */
export async function lapseGrant(scope: Scope, grant: OauthGrantRow, reason: string, parts: GrantParts): Promise<OauthGrantRow> {
  const lapsed = { lapsedAt: parts.clock.now().toISOString(), lapsedReason: reason, leaseOwner: null, leaseUntil: null }
  parts.log.warn(
    { integration: grant.integration, connection: grant.connection, reason },
    "An OAuth grant ended; a human must connect again",
  )
  await parts.store.transaction(async (store) => {
    const current = await store.oauthGrants.get(scope, grant)
    const connection = await store.connections.get(scope, grant)
    if (current === null || connection === null || current.version !== grant.version) return
    await store.oauthGrants.put(scope, grant, { ...current, ...lapsed })
    await store.connections.put(scope, { ...connection, status: "needs_credentials", error: lapsedMessage(grant, reason) })
  })
  return { ...grant, ...lapsed }
}

async function release(scope: Scope, grant: OauthGrantRow, parts: GrantParts): Promise<void> {
  await parts.store.transaction(async (store) => {
    const current = await store.oauthGrants.get(scope, grant)
    if (current?.version === grant.version && current.leaseOwner === parts.node)
      await store.oauthGrants.put(scope, grant, { ...current, leaseOwner: null, leaseUntil: null })
  })
}

/** A client that we registered and the provider forgot is registered anew when a human connects again; one that an admin made is theirs to mend. */
export async function forgetClient(scope: Scope, id: string, parts: ClientParts): Promise<boolean> {
  const client = await parts.store.oauthClients.get(scope, id)
  return client?.kind === "registered" && (await parts.store.oauthClients.remove(scope, id))
}

/** The consent stands: what an admin mends at the provider or here, the next call makes use of. */
function unrenewedError(grant: OauthGrantRow, { reason, what }: { reason: string; what: Refused }, parts: GrantParts): ExecutorError {
  const connectUrl = parts.connectUrl(grant)
  const remedy =
    what === "client" ? "an admin must correct the OAuth client or its secret" : "an admin must check its scopes, resource and client"
  return new ExecutorError(
    "auth_required",
    `The provider did not renew the token of the connection '${grant.connection}' of '${grant.integration}' (${reason}): ${remedy}. The next call will try again`,
    connectUrl === null ? undefined : { connectUrl },
  )
}

export const lapsedMessage = (grant: ConnectionRef, reason: string | null): string =>
  `The consent for the connection '${grant.connection}' of '${grant.integration}' has ended (${reason ?? "unknown"}): a human must connect it again`

export function lapsedError(grant: OauthGrantRow, parts: Pick<GrantParts, "connectUrl">): ExecutorError {
  const connectUrl = parts.connectUrl(grant)
  return new ExecutorError("auth_required", lapsedMessage(grant, grant.lapsedReason), connectUrl === null ? undefined : { connectUrl })
}
