// Detects whether a GraphQL endpoint is at a URL, or at the usual location of its origin.
import { noCredential } from "../../core/auth.ts"
import type { OutboundResponse } from "../../io/network/outbound.ts"
import { controlPlace } from "../detect-control.ts"
import { isObject, objectAt, own, textAt } from "../document-value.ts"
import type { DetectRequest, Detected } from "../source-adapter.ts"
import type { CredentialNeed } from "./auth-options.ts"
import { parseGraphQLConfig } from "./config.ts"
import { wantsCredential } from "./introspect.ts"
import { factsOf } from "./list-tools.ts"
import { buildRequest } from "./call/request-build.ts"
import { errorsOf, messageOf, readBody } from "./call/response-read.ts"

/** The smallest question that every endpoint can answer. */
const probe = { query: "{ __typename }" }
const answerBytesMax = 64 * 1024

type Probed = { readonly need: CredentialNeed; readonly proof: Detected["proof"] }

export async function detectGraphQL(request: DetectRequest): Promise<Detected | null> {
  for (const endpoint of new Set([request.url, new URL("/graphql", request.url).href])) {
    const answer = await ask(endpoint, request)
    const probed = answer === null ? null : await judge(answer, endpoint, request)
    if (probed === null) continue
    const { config } = parseGraphQLConfig({ endpoint })
    return { config: { endpoint }, facts: factsOf(config, probed.need), proof: probed.proof }
  }
  return null
}

async function ask(endpoint: string, { outbound, limits, signal }: DetectRequest): Promise<OutboundResponse | null> {
  const answer = await outbound.send({
    ...buildRequest({ endpoint, headers: {} }, noCredential.placements, probe),
    signal,
    timeoutMs: limits.callTimeoutMs,
    responseBytesMax: answerBytesMax,
  })
  return answer.ok ? answer : null
}

/** Null when something else is there, or nothing. Errors in JSON are common to APIs of all kinds, and prove little. */
async function judge(answer: OutboundResponse, endpoint: string, request: DetectRequest): Promise<Probed | null> {
  const body = readBody(answer)
  const data = body === null ? null : objectAt(body, "data")
  if (data !== null && textAt(data, "__typename") !== null) return { need: "unasked", proof: "answer" }
  const errors = body === null ? [] : errorsOf(body).filter((error) => isObject(error) && messageOf(error) !== null)
  const isRefused = answer.status === 401 || answer.status === 403
  const hasErrors = (answer.status === 200 || answer.status === 400) && errors.length > 0
  if (!isRefused && !hasErrors) return null
  const probed: Probed = { need: isRefused || errors.some(wantsCredential) ? "wanted" : "unasked", proof: "hint" }
  if (hasErrors && errors.some(isGraphQLError)) return probed
  // Many refuse strangers before they look at the question; then the address must tell.
  if (!/graphql|gql/i.test(new URL(endpoint).pathname)) return null
  return endpoint === request.url || (await isPeculiar(answer, request)) ? probed : null
}

/** Who answers so at any place says nothing about this one. */
async function isPeculiar({ status }: OutboundResponse, request: DetectRequest): Promise<boolean> {
  const control = await ask(controlPlace(request.url), request)
  return control !== null && control.status !== status
}

const speaking = /graphql|__typename|must provide (?:a )?query|persisted ?quer|introspection|selection set|operation (?:name|type)/i

function isGraphQLError(error: unknown): boolean {
  if (!isObject(error)) return false
  return Array.isArray(own(error, "locations")) || objectAt(error, "extensions") !== null || speaking.test(messageOf(error) ?? "")
}
