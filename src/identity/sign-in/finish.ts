// Finishes a sign-in at a provider: the browser that started it exchanges the provider's answer for a session.
//
// The flow is used up before its code is sent anywhere, so an answer counts only once. Every refusal is recorded.
import { localTenant } from "../../core/principal.ts"
import type { Scope } from "../../core/principal.ts"
import type { SignInBrowser, SignInDone, SignInTerms, SignInTested } from "../../core/people/sign-in.ts"
import type { RequestFacts } from "../../core/request-facts.ts"
import { resolveEnv } from "../../credentials/env/reference.ts"
import { redeemOpenid } from "../../credentials/oauth/oauth.ts"
import type { OpenidPerson } from "../../credentials/oauth/oauth.ts"
import { sha256 } from "../../io/ids.ts"
import { readClaim } from "../../policy/sign-in-claims.ts"
import type { Claims } from "../../policy/sign-in-claims.ts"
import { decideSignIn, needsValues } from "../../policy/sign-in-rules.ts"
import type { SignInVerdict } from "../../policy/sign-in-rules.ts"
import { signInFlowSecretRef, signInProviderSecretRef } from "../../store/sign-in-store.ts"
import type { SignInFlowRow, SignInProviderRow } from "../../store/sign-in-store.ts"
import { requireAttempt } from "../attempt-limit.ts"
import { admitPerson, refusal } from "./person.ts"
import { findProvider, termsOf } from "./providers.ts"
import { keepSignIn } from "./record.ts"
import { ofTenant, providerNetwork } from "./sign-in-parts.ts"
import type { SignInFlowParts } from "./sign-in-parts.ts"
import { flowCookieName } from "./start.ts"

export async function finishSignIn(
  answer: URLSearchParams,
  browser: SignInBrowser,
  facts: RequestFacts,
  parts: SignInFlowParts,
): Promise<SignInDone> {
  requireAttempt(parts.browserSessions.attempts.byAddress, facts.addressPrefix)
  const state = answer.get("state") ?? ""
  const flow = state === "" ? null : await parts.store.signInFlows.find(sha256(state))
  // For the audit entry of a refusal: what is known by then.
  const known: Known = { details: {} }
  try {
    if (flow === null || flow.purpose === "ticket")
      throw refusal("state", "This sign-in is unknown here: it was finished already, has expired, or was started elsewhere. Start again")
    return await finish(flow, answer, browser, facts, known, parts)
  } catch (error) {
    await parts.audit.refused(flow?.tenant ?? localTenant, { subject: flow?.provider ?? "unknown", error, ...known }, facts)
    throw error
  }
}

type Known = { user?: string; details: Record<string, unknown> }

async function finish(
  flow: SignInFlowRow,
  answer: URLSearchParams,
  browser: SignInBrowser,
  facts: RequestFacts,
  known: Known,
  parts: SignInFlowParts,
): Promise<SignInDone> {
  const cookieName = flowCookieName(flow)
  requireBrowser(flow, browser)
  const secrets = await takeFlow(flow, parts)
  const provider = await findProvider(flow.tenant, flow.provider, parts.store)
  const person = await redeem(provider, answer, secrets, parts)
  known.details = { issuer: person.issuer, subject: person.subject }
  requireAttempt(parts.browserSessions.attempts.byAccount, JSON.stringify([flow.tenant, person.issuer, person.subject]))
  const terms = termsOf(provider)
  const claims = await allClaims(person, terms)
  const verdict = decideSignIn(terms, claims, await parts.access.roles(flow.tenant))
  known.details = { ...known.details, email: verdict.email }
  if (flow.purpose === "test") return { kind: "tested", provider: provider.name, result: testedOf(claims, verdict), cookieName }

  const invitation = secrets["invitation"] ?? null
  const admission = await admitPerson({ provider, issuer: person.issuer, subject: person.subject, claims, verdict, invitation }, parts)
  if (admission.user !== null) known.user = typeof admission.user === "string" ? admission.user : admission.user.id
  if (admission.keptAdmin !== undefined) known.details = { ...known.details, keptAdmin: admission.keptAdmin }
  const came = { tenant: flow.tenant, provider: provider.id, issuer: person.issuer, subject: person.subject }
  const refused = admission.kind === "refused" ? { refusal: admission.error.message } : {}
  await keepSignIn(came, { ...testedOf(claims, verdict), ...refused }, parts)
  if (admission.kind === "refused") throw admission.error
  const who: Scope = { tenant: flow.tenant, user: admission.user.id }
  const session = await openSession(who, provider.id, browser, facts, parts)
  await parts.store.users.seen(who, parts.clock.now().toISOString())
  const { before, isNew, user } = admission
  await parts.audit.signedIn(who, provider.id, { ...known.details, isNew, before: { roles: before }, after: { roles: user.roles } }, facts)
  return { kind: "signed_in", session, returnTo: flow.returnTo, cookieName }
}

/** The cookie is sent to every port of this host, the key is known only to this tab: both together identify the browser. */
function requireBrowser(flow: SignInFlowRow, browser: SignInBrowser): void {
  const cookie = browser.cookie(flowCookieName(flow)) ?? ""
  if (sha256(cookie) === flow.cookieHash && sha256(browser.key) === flow.keyHash) return
  throw refusal("browser", "This sign-in was started in another browser or tab. Start again in this one")
}

async function takeFlow(flow: SignInFlowRow, parts: SignInFlowParts): Promise<Readonly<Record<string, string>>> {
  const [scope, ref] = [ofTenant(flow.tenant), signInFlowSecretRef(flow.id)]
  const secrets = await parts.vaultOn(parts.store).open(scope, ref)
  const isTaken = await parts.store.signInFlows.take(flow)
  await parts.vaultOn(parts.store).drop(scope, ref)
  if (!isTaken || secrets === null) throw refusal("used", "This sign-in was finished already. Start again")
  if (flow.expiresAt <= parts.clock.now().toISOString()) throw refusal("expired", "This sign-in took too long and has expired. Start again")
  return secrets
}

async function redeem(
  provider: SignInProviderRow,
  answer: URLSearchParams,
  secrets: Readonly<Record<string, string>>,
  parts: SignInFlowParts,
): Promise<OpenidPerson> {
  const { state = "", nonce = "", verifier = "", server = "" } = secrets
  const stored = await parts.vaultOn(parts.store).open(ofTenant(provider.tenant), signInProviderSecretRef(provider.id))
  const secret = stored?.["secret"] === undefined ? null : resolveEnv(stored["secret"], parts.env)
  const redirectUri = parts.oauthLinks.signInRedirectUri()
  const request = { state, nonce, verifier, server }
  return redeemOpenid({ answer, request, clientId: provider.clientId, secret, redirectUri }, providerNetwork(provider.issuer, parts))
}

/** Many ID tokens have only the subject: the userinfo endpoint is asked once for the rest, which never replaces signed claims. */
async function allClaims(person: OpenidPerson, terms: SignInTerms): Promise<Claims> {
  const isComplete = !needsValues(terms) || readClaim(person.claims, terms.claim).kind !== "absent"
  if (isComplete && person.claims["email"] !== undefined) return person.claims
  return { ...(await person.moreClaims()), ...person.claims }
}

const testedOf = (claims: Claims, { values, roles, refusal: refused }: SignInVerdict): SignInTested => ({
  claims,
  values,
  roles,
  refusal:
    refused?.message ??
    (roles.length > 0
      ? null
      : "No rule matches, and there is no default role: only people with a role that was given by hand, or with an invitation, get in"),
})

/** The session that the browser had ends. */
async function openSession(
  who: Scope,
  provider: string,
  browser: SignInBrowser,
  facts: RequestFacts,
  { browserSessions }: SignInFlowParts,
) {
  const session = await browserSessions.start(who, `oidc:${provider}`, facts)
  if (session === null) throw refusal("disabled", "Your account here is disabled. Ask an admin")
  if (browser.session !== null) await browserSessions.end(browser.session)
  return session
}
