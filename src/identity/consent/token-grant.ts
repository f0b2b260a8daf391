// The token endpoint: a code becomes an agent's token once, and a refresh token keeps it alive.
//
// Whoever presents a code with its verifier, or a refresh token, a second time shows that two parties hold it. Nobody can
// tell which of them is the client, so that everything that came out of the consent ends.
import { createHash } from "node:crypto"
import { OauthError, consentScope } from "../../core/authorization-server.ts"
import type { TokenAnswer } from "../../core/authorization-server.ts"
import { newId, newSecret, sha256 } from "../../io/ids.ts"
import { isSameText } from "../../io/keyed-hash.ts"
import type { AgentGrantRow } from "../../store/agent-grant-store.ts"
import type { TokenRow } from "../../store/store.ts"
import { humanOf } from "./consent-parts.ts"
import type { ConsentParts } from "./consent-parts.ts"
import { endGrant } from "./grant-end.ts"
import { readResource } from "./resource.ts"
import { readRefreshToken, writeAccessToken, writeRefreshToken } from "./secrets.ts"
import type { RefreshToken } from "./secrets.ts"

const verifierPattern = /^[\w.~-]{43,128}$/

export async function answerTokenRequest(form: URLSearchParams, parts: ConsentParts): Promise<TokenAnswer> {
  for (const name of new Set(form.keys()))
    if (form.getAll(name).length > 1) throw new OauthError("invalid_request", `The parameter '${name.slice(0, 40)}' was sent twice`)
  const clientId = form.get("client_id") ?? ""
  if (clientId === "") throw new OauthError("invalid_client", "client_id is missing")
  switch (form.get("grant_type")) {
    case "authorization_code":
      return redeemCode(form, clientId, parts)
    case "refresh_token":
      return refresh(form, clientId, parts)
    default:
      throw new OauthError("unsupported_grant_type", "grant_type must be authorization_code or refresh_token")
  }
}

async function redeemCode(form: URLSearchParams, clientId: string, parts: ConsentParts): Promise<TokenAnswer> {
  const { store, clock, limits } = parts
  const grant = await store.agentGrants.findByCode(sha256(form.get("code") ?? ""))
  if (grant === null) throw badGrant("The code is unknown or has expired")
  if (grant.tokenId !== null) throw await refuseRedeemed(grant, clientId, form, parts)
  try {
    checkClient(grant, clientId, form, parts)
    checkCode(grant, form)
    await requireOwner(grant, parts)
  } catch (error) {
    const details = { reason: error instanceof Error ? error.message : "" }
    await parts.note(humanOf(grant), { action: "consent.redeem", subject: grant.clientName, outcome: "unauthorized", details })
    throw error
  }
  const at = clock.now()
  const secret = newSecret("s").slice(2)
  const redeemed: AgentGrantRow & { tokenId: string } = { ...grant, tokenId: newId("tok", at), rotatedAt: at.toISOString() }
  const expiresAt = after(at, limits.agentRefreshMs)
  const wasFirst = await store.transaction(async (rows) => {
    const row = { tokenId: redeemed.tokenId, secretHash: sha256(secret), at: at.toISOString(), expiresAt }
    if (!(await rows.agentGrants.redeem(grant, row))) return false
    await rows.tokens.put(tokenRow(redeemed, { secret, generation: 0 }, expiresAt, parts))
    return true
  })
  if (!wasFirst) throw badGrant("The code is unknown or has expired")
  const details = { id: redeemed.tokenId, kind: "agent", client: grant.clientName, surface: "mcp" }
  await parts.note(humanOf(grant), { action: "token.create", subject: grant.clientName, outcome: "ok", details })
  return answerOf(redeemed, { secret, generation: 0 }, parts)
}

/** Throws for whoever has the code alone, e.g. from a browser's history: they could not have redeemed it, and so end nothing. */
async function refuseRedeemed(grant: AgentGrantRow, clientId: string, form: URLSearchParams, parts: ConsentParts): Promise<OauthError> {
  checkClient(grant, clientId, form, parts)
  checkCode(grant, form)
  return endReplayed(grant, "code", parts)
}

function checkCode(grant: AgentGrantRow, form: URLSearchParams): void {
  const asked = form.get("redirect_uri")
  if (asked !== null && asked !== grant.redirectUri) throw badGrant("redirect_uri is not the one of the consent")
  const verifier = form.get("code_verifier") ?? ""
  const challenge = createHash("sha256").update(verifier).digest("base64url")
  if (!verifierPattern.test(verifier) || !isSameText(challenge, grant.challenge)) throw badGrant("code_verifier does not fit the consent")
}

async function refresh(form: URLSearchParams, clientId: string, parts: ConsentParts): Promise<TokenAnswer> {
  const { store, limits, clock } = parts
  const given = readRefreshToken(form.get("refresh_token") ?? "", parts.key)
  const grant = given === null ? null : await store.agentGrants.findBySecret(sha256(given.secret))
  if (given === null || grant === null || grant.tokenId === null) throw badGrant("The refresh token is unknown, or was revoked")
  checkClient(grant, clientId, form, parts)
  await requireOwner(grant, parts)
  const at = clock.now()
  if (given.generation === grant.generation && (await rotate(grant, given, at, parts)))
    return answerOf({ ...grant, rotatedAt: at.toISOString() }, next(given), parts)
  // Whoever lost the race finds what the winner wrote.
  const current = await store.agentGrants.findBySecret(sha256(given.secret))
  if (current === null || current.expiresAt <= at.toISOString()) throw badGrant("The refresh token has expired")
  const isAgain =
    given.generation === current.generation - 1 && after(new Date(current.rotatedAt ?? 0), limits.agentRefreshGraceMs) > at.toISOString()
  if (!isAgain) throw await endReplayed(current, "refresh token", parts)
  return answerOf(current, next(given), parts)
}

/** False where another request was first, or it has ended meanwhile. */
async function rotate(grant: AgentGrantRow, given: RefreshToken, at: Date, parts: ConsentParts): Promise<boolean> {
  const expiresAt = after(at, parts.limits.agentRefreshMs)
  return parts.store.transaction(async (rows) => {
    if (!(await rows.agentGrants.rotate(grant, { at: at.toISOString(), expiresAt }))) return false
    // Inside the transaction, because a token that is put again is one that is not revoked.
    if ((await rows.tokens.get(grant, grant.tokenId ?? "")) === null) throw badGrant("The human has revoked this access")
    const rotated = { ...grant, rotatedAt: at.toISOString() }
    await rows.tokens.put(tokenRow(rotated, next(given), expiresAt, parts))
    return true
  })
}

function tokenRow(grant: AgentGrantRow, generation: RefreshToken, expiresAt: string, parts: ConsentParts): TokenRow {
  return {
    tenant: grant.tenant,
    user: grant.user,
    id: grant.tokenId ?? "",
    hash: sha256(accessToken(grant, generation, parts)),
    name: grant.clientName,
    kind: "agent",
    elicitation: grant.elicitation,
    createdAt: grant.createdAt,
    patterns: grant.patterns,
    expiresAt,
    createdBy: null,
    debug: false,
    client: grant.clientName,
    surface: "mcp",
  }
}

const accessEnd = ({ rotatedAt }: AgentGrantRow, { limits }: ConsentParts): Date =>
  new Date(new Date(rotatedAt ?? 0).getTime() + limits.agentAccessMs)

const accessToken = (grant: AgentGrantRow, generation: RefreshToken, parts: ConsentParts): string =>
  writeAccessToken(generation, accessEnd(grant, parts), parts.key)

const answerOf = (grant: AgentGrantRow, generation: RefreshToken, parts: ConsentParts): TokenAnswer => ({
  access_token: accessToken(grant, generation, parts),
  token_type: "Bearer",
  expires_in: Math.max(0, Math.floor((accessEnd(grant, parts).getTime() - parts.clock.now().getTime()) / 1000)),
  refresh_token: writeRefreshToken(generation, parts.key),
  scope: consentScope,
})

const next = ({ secret, generation }: RefreshToken): RefreshToken => ({ secret, generation: generation + 1 })

function checkClient(grant: AgentGrantRow, clientId: string, form: URLSearchParams, parts: ConsentParts): void {
  if (clientId !== grant.clientId) throw badGrant("It was given to another client")
  const resource = form.get("resource")
  if (resource !== null && readResource(resource, parts)?.url !== grant.resource)
    throw new OauthError("invalid_target", "resource is not the one of the consent")
}

/** A grant of a disabled or removed user is worth nothing. */
async function requireOwner({ tenant, user }: AgentGrantRow, { access }: ConsentParts): Promise<void> {
  if ((await access.of({ tenant, user, tokenId: null })) === null) throw badGrant("The human who allowed it is not active")
}

async function endReplayed(grant: AgentGrantRow, what: "code" | "refresh token", parts: ConsentParts): Promise<OauthError> {
  await endGrant(grant, parts)
  const details = { what, id: grant.tokenId }
  await parts.note(humanOf(grant), { action: "consent.replay", subject: grant.clientName, outcome: "unauthorized", details })
  return badGrant(`The ${what} was used before, so that the access it gave has ended; ask the human again`)
}

const badGrant = (message: string): OauthError => new OauthError("invalid_grant", message)

const after = (time: Date, ms: number): string => new Date(time.getTime() + ms).toISOString()
