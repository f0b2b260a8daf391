// The consent page's question to a human, and their decision.
import { ExecutorError } from "../../core/errors.ts"
import type { ConsentDecision, ConsentOffer, ConsentProblem } from "../../core/authorization-server.ts"
import type { Principal } from "../../core/principal.ts"
import { elicitationModes } from "../../core/token.ts"
import { executorCommandOnPages } from "../../io/executor-command.ts"
import { newId, newSecret, sha256 } from "../../io/ids.ts"
import { compilePattern, fitsSegment } from "../../policy/match.ts"
import type { AgentGrantRow } from "../../store/agent-grant-store.ts"
import { checkPatterns } from "../people/input.ts"
import { readAuthorizationRequest } from "./authorization-request.ts"
import type { AuthorizationRequest } from "./authorization-request.ts"
import type { ConsentParts } from "./consent-parts.ts"
import { redirectTarget, redirectWith } from "./redirect-uri.ts"

type Asked = Extract<AuthorizationRequest, { wrong: null }>
type Allowed = Extract<ConsentDecision, { action: "allow" }>

export async function showConsent(query: URLSearchParams, human: Principal, parts: ConsentParts): Promise<ConsentOffer | ConsentProblem> {
  const request = await readAuthorizationRequest(query, parts)
  const { client, redirectUri, state } = request
  const redirect = redirectTarget(redirectUri)
  if (request.wrong !== null) {
    const { error, message } = request.wrong
    const answer = { error, error_description: message, state, iss: parts.issuer() }
    return { kind: "problem", message, redirect, redirectTo: redirectWith(redirectUri, answer) }
  }
  const roles = await parts.access.roles(human.tenant)
  return {
    kind: "offer",
    clientName: client.name,
    clientHost: client.host,
    redirect,
    integration: request.resource.integration,
    roles: human.roles.flatMap((id) => roles.get(id) ?? []).map(({ id, name, patterns }) => ({ id, name, patterns })),
    shown: digest(request, human),
  }
}

/** The answer is checked as the question was: between the two the client may have changed its description. */
export async function decideConsent(
  query: URLSearchParams,
  human: Principal,
  decision: ConsentDecision,
  parts: ConsentParts,
): Promise<string> {
  if (human.kind === "agent") throw new ExecutorError("forbidden", "An agent may not let clients act for a human; ask the human")
  const request = await readAuthorizationRequest(query, parts)
  if (request.wrong !== null) throw new ExecutorError("invalid_request", request.wrong.message)
  if (decision.shown !== digest(request, human))
    throw new ExecutorError("conflict", "The client's description has changed since you opened this page. Reload it, and decide again")
  const { client, redirectUri, state } = request
  const iss = parts.issuer()
  if (decision.action === "deny") {
    await parts.note(human, { action: "consent.deny", subject: client.name, outcome: "ok", details: factsOf(request) })
    return redirectWith(redirectUri, { error: "access_denied", error_description: "The human denied the request", state, iss })
  }
  const code = newSecret("exg")
  const grant = newGrant(request, decision, human, sha256(code), parts)
  await parts.store.transaction(async (store) => {
    await store.agentGrants.put(grant)
    if ((await store.agentGrants.count(human)) > parts.limits.agentGrantsPerUserMax)
      throw new ExecutorError(
        "conflict",
        `You have let ${parts.limits.agentGrantsPerUserMax} clients act for you already; revoke some with '${executorCommandOnPages} tokens revoke <id>', then reload this page`,
      )
  })
  const given = { patterns: grantedPatterns(request, decision, parts), elicitation: decision.elicitation }
  await parts.note(human, { action: "consent.allow", subject: client.name, outcome: "ok", details: { ...factsOf(request), ...given } })
  return redirectWith(redirectUri, { code, state, iss })
}

function newGrant(request: Asked, decision: Allowed, human: Principal, codeHash: string, parts: ConsentParts): AgentGrantRow {
  const now = parts.clock.now()
  const { client, redirectUri, challenge, resource } = request
  const patterns = grantedPatterns(request, decision, parts)
  return {
    tenant: human.tenant,
    user: human.user,
    id: newId("agr", now),
    clientId: client.id,
    clientName: client.name,
    redirectUri,
    resource: resource.url,
    challenge,
    patterns: patterns === null ? null : JSON.stringify(patterns),
    elicitation: JSON.stringify(readModes(decision)),
    codeHash,
    tokenId: null,
    secretHash: null,
    rotatedAt: null,
    generation: 0,
    createdAt: now.toISOString(),
    expiresAt: new Date(now.getTime() + parts.limits.agentCodeMs).toISOString(),
  }
}

/** Null: everything. A token for the pass-through of one integration reaches nothing else, at `/mcp` neither. */
function grantedPatterns({ resource: { integration } }: Asked, decision: Allowed, parts: ConsentParts): string[] | null {
  const given = decision.patterns === null ? null : readPatterns(decision.patterns, parts)
  if (integration === null) return given
  const within = [...new Set((given ?? ["**"]).flatMap((pattern) => patternWithin(integration, pattern)))]
  if (within.length > 0) return within
  throw new ExecutorError(
    "invalid_request",
    `The client asks for the tools of ${integration} alone; name some of them, e.g. ${integration}.**`,
  )
}

function patternWithin(integration: string, pattern: string): string[] {
  const [first] = compilePattern(pattern).segments
  if (first === undefined || !fitsSegment(first, integration)) return []
  const rest = pattern.split(".").slice(1)
  return [[integration, ...(first.kind === "any_depth" ? ["**"] : []), ...rest].join(".")]
}

function readPatterns(patterns: readonly string[], { limits }: ConsentParts): string[] {
  const given = patterns.map((pattern) => pattern.trim()).filter((pattern) => pattern !== "")
  if (given.length > 0) return checkPatterns(given, limits)
  throw new ExecutorError("invalid_request", "Name at least one pattern, e.g. github.**, or let the client use everything")
}

/** Always by the page: a client that may ask in other ways need not. */
const readModes = ({ elicitation }: Allowed): string[] =>
  elicitationModes.filter((mode) => mode === "browser" || elicitation.includes(mode))

/** Of all that the page shows, and of whom it is shown to. */
const digest = ({ client, redirectUri, resource, challenge, state }: Asked, { tenant, user }: Principal): string =>
  sha256(JSON.stringify([tenant, user, client.id, client.name, client.host, redirectUri, resource.url, challenge, state]))

const clientIdCharsMax = 200

const factsOf = ({ client, redirectUri, resource }: Asked): Record<string, unknown> => ({
  client: client.host === null ? "registered" : client.id.slice(0, clientIdCharsMax),
  redirect: redirectTarget(redirectUri).host,
  resource: resource.url,
})
