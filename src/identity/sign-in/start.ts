// Starts a sign-in at a provider, bound to the browser that asked for it.
import { ExecutorError } from "../../core/errors.ts"
import { requireAdmin } from "../../core/principal.ts"
import type { Principal } from "../../core/principal.ts"
import type { SignInStart, SignInStarted, SignInTest } from "../../core/people/sign-in.ts"
import type { RequestFacts } from "../../core/request-facts.ts"
import { requestOpenid } from "../../credentials/oauth/oauth.ts"
import { newId, newSecret, sha256 } from "../../io/ids.ts"
import { signInFlowSecretRef } from "../../store/sign-in-store.ts"
import type { SignInFlowRow, SignInProviderRow } from "../../store/sign-in-store.ts"
import { requireAttempt } from "../attempt-limit.ts"
import { findProvider, scopesOf } from "./providers.ts"
import { ofTenant, providerNetwork } from "./sign-in-parts.ts"
import type { SignInFlowParts, SignInParts } from "./sign-in-parts.ts"

export async function startSignIn(input: SignInStart, facts: RequestFacts, parts: SignInFlowParts): Promise<SignInStarted> {
  requireAttempt(parts.browserSessions.attempts.byAddress, facts.addressPrefix)
  const returnTo = input.returnTo === null ? null : checkReturn(input.returnTo)
  const provider = await findProvider(input.tenant, input.provider, parts.store)
  requireOwnAddress(input, parts)
  const purpose = input.ticket === null ? "sign_in" : await takeTicket(input.ticket, provider, parts)
  try {
    return await start(provider, { purpose, returnTo, invitation: input.invitation }, parts)
  } catch (error) {
    await parts.audit.refused(provider.tenant, { subject: provider.id, error }, facts)
    throw error
  }
}

type FlowFacts = Pick<SignInFlowRow, "purpose" | "returnTo"> & { readonly invitation: string | null }

async function start(provider: SignInProviderRow, flow: FlowFacts, parts: SignInFlowParts): Promise<SignInStarted> {
  const redirectUri = parts.oauthLinks.signInRedirectUri()
  const target = { issuer: provider.issuer, clientId: provider.clientId, redirectUri, scopes: scopesOf(provider) }
  const { url, ...request } = await requestOpenid(target, providerNetwork(provider.issuer, parts))
  const [cookie, key] = [newSecret("exf"), newSecret("exk")]
  const hashes = { stateHash: sha256(request.state), cookieHash: sha256(cookie), keyHash: sha256(key) }
  const row = newFlow(provider, { ...flow, ...hashes }, parts)
  await parts.store.transaction(async (store) => {
    await store.signInFlows.put(row)
    const secrets = { ...request, ...(flow.invitation === null ? {} : { invitation: flow.invitation }) }
    await parts.vaultOn(store).put(ofTenant(row.tenant), signInFlowSecretRef(row.id), secrets)
  })
  return { url, key, cookie: { name: flowCookieName(row), value: cookie } }
}

/** For an admin: a link that leads one browser, their own or another's, through a sign-in that changes nothing. */
export async function testProvider(principal: Principal, id: string, parts: SignInParts): Promise<SignInTest> {
  requireAdmin(principal, "test a sign-in provider")
  const provider = await findProvider(principal.tenant, id, parts.store)
  const base = parts.oauthLinks.base()
  if (base === null) throw new ExecutorError("conflict", "No server is running that a browser could be led to; start one, then test again")
  // So that a wrong issuer shows here, and not only in the browser.
  const target = { issuer: provider.issuer, clientId: provider.clientId, redirectUri: parts.oauthLinks.signInRedirectUri(), scopes: [] }
  await requestOpenid(target, providerNetwork(provider.issuer, parts))
  const ticket = newSecret("ext")
  const hashes = { stateHash: sha256(ticket), cookieHash: null, keyHash: null }
  const row = newFlow(provider, { purpose: "ticket", returnTo: null, ...hashes }, parts)
  await parts.store.signInFlows.put(row)
  const query = new URLSearchParams({ provider: id, test: ticket })
  return { url: `${base}/signin/${encodeURIComponent(provider.tenant)}?${query.toString()}`, expiresAt: row.expiresAt }
}

async function takeTicket(ticket: string, provider: SignInProviderRow, parts: SignInParts): Promise<"test"> {
  const row = await parts.store.signInFlows.find(sha256(ticket))
  const isFor = row?.purpose === "ticket" && row.tenant === provider.tenant && row.provider === provider.id
  const isGood = row !== null && isFor && row.expiresAt > parts.clock.now().toISOString() && (await parts.store.signInFlows.take(row))
  if (!isGood) throw new ExecutorError("not_found", "This test link has been used or has expired; start the test again")
  return "test"
}

type NewFlow = Pick<SignInFlowRow, "purpose" | "stateHash" | "cookieHash" | "keyHash" | "returnTo">

function newFlow(provider: SignInProviderRow, flow: NewFlow, { clock, limits }: SignInParts): SignInFlowRow {
  const now = clock.now()
  return {
    tenant: provider.tenant,
    id: newId("sif", now),
    provider: provider.id,
    purpose: flow.purpose,
    stateHash: flow.stateHash,
    cookieHash: flow.cookieHash,
    keyHash: flow.keyHash,
    returnTo: flow.returnTo,
    createdAt: now.toISOString(),
    expiresAt: new Date(now.getTime() + limits.signInFlowMs).toISOString(),
  }
}

/** One cookie a flow, so that several can be under way in one browser. */
export const flowCookieName = (flow: Pick<SignInFlowRow, "stateHash">): string => `executor_signin_${flow.stateHash.slice(0, 16)}`

/** The provider sends the browser to the one address that is registered there, or on from it to where people go; cookies follow no further. */
function requireOwnAddress({ origin, tenant }: SignInStart, parts: SignInParts): void {
  const base = parts.oauthLinks.base()
  if (base === null || [base, parts.oauthLinks.signInRedirectUri()].some((url) => new URL(url).origin === origin)) return
  throw new ExecutorError(
    "invalid_request",
    `Sign in at ${base}/signin/${encodeURIComponent(tenant)}: that is where the provider sends you back to`,
  )
}

/** Only a path of this server: anything else would be an open redirect. */
function checkReturn(text: string): string {
  const isPath = /^\/(?![/\\])[^\\\p{C}]*$/u.test(text) && URL.parse(text, "http://here")?.origin === "http://here"
  if (!isPath || text.length > returnCharsMax)
    throw new ExecutorError("invalid_request", "return must be a path of this server, such as /approve")
  return text
}

const returnCharsMax = 8000
