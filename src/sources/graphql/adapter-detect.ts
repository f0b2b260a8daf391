// Tells whether a GraphQL endpoint is at a URL, or at the usual place of its origin.
import { noCredential } from "../../core/auth.ts"
import { isObject, objectAt, textAt } from "../document-value.ts"
import type { DetectRequest, Detected } from "../source-adapter.ts"
import type { CredentialNeed } from "./auth-options.ts"
import { parseGraphQLConfig } from "./config-parse.ts"
import { wantsCredential } from "./introspect.ts"
import { factsOf } from "./list-tools.ts"
import { buildRequest } from "./request-build.ts"
import { errorsOf, messageOf, readBody } from "./response-read.ts"

/** The smallest question that every endpoint can answer. */
const probe = { query: "{ __typename }" }
const answerBytesMax = 64 * 1024

export async function detectGraphQL(request: DetectRequest): Promise<Detected | null> {
  for (const endpoint of new Set([request.url, new URL("/graphql", request.url).href])) {
    const need = await probeEndpoint(endpoint, request)
    if (need === null) continue
    const { config } = parseGraphQLConfig({ endpoint })
    return { config: { endpoint }, facts: factsOf(config, need) }
  }
  return null
}

/** Null when something else is there, or nothing. */
async function probeEndpoint(endpoint: string, { outbound, limits, signal }: DetectRequest): Promise<CredentialNeed | null> {
  const answer = await outbound.send({
    ...buildRequest({ endpoint, headers: {} }, noCredential.placements, probe),
    signal,
    timeoutMs: limits.callTimeoutMs,
    responseBytesMax: answerBytesMax,
  })
  if (!answer.ok) return null
  const isRefused = answer.status === 401 || answer.status === 403
  const body = readBody(answer)
  if (body === null) {
    // Many refuse strangers before they look at the question; then the address must tell.
    return isRefused && /graphql/i.test(new URL(endpoint).pathname) ? "wanted" : null
  }
  const data = objectAt(body, "data")
  if (data !== null && textAt(data, "__typename") !== null) return "unasked"
  const errors = errorsOf(body)
  if (!errors.some((error) => isObject(error) && messageOf(error) !== null)) return null
  return isRefused || errors.some(wantsCredential) ? "wanted" : "unasked"
}
