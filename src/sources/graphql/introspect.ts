// Asks an endpoint for its schema, in the newest form of the question that it understands.
import type { IntrospectionOptions } from "graphql"
import { ExecutorError } from "../../core/errors.ts"
import { raiseLimit } from "../../core/limits.ts"
import type { OutboundResponse } from "../../io/network/outbound.ts"
import { isObject, objectAt, textAt } from "../document-value.ts"
import type { ListRequest } from "../source-adapter.ts"
import type { GraphQLConfig } from "./binding.ts"
import { buildRequest, originOf } from "./call/request-build.ts"
import { errorsOf, messageOf, readBody } from "./call/response-read.ts"

export type Introspected =
  | { readonly kind: "schema"; readonly bytes: Uint8Array }
  /** Nothing is told without a credential, or without a better one. */
  | { readonly kind: "credential"; readonly reason: string }

type Reading = Introspected | { readonly kind: "refused"; readonly reason: string }

const newest: IntrospectionOptions = {
  specifiedByUrl: true,
  schemaDescription: true,
  inputValueDeprecation: true,
  directiveIsRepeatable: false,
}
/** Servers refuse members that they do not know, and some refuse deep questions. */
const forms: readonly IntrospectionOptions[] = [{ ...newest, oneOf: true }, newest, {}, { typeDepth: 4 }]

/** A refusal is short; a schema that is longer is read by the thread that compiles it, not here. */
const readHereBytesMax = 64 * 1024

const sdlHint = "give the schema as SDL text in config.sdl"

/** Throws an `ExecutorError` that says what to change. */
export async function introspect(request: ListRequest<GraphQLConfig>): Promise<Introspected> {
  const { getIntrospectionQuery } = await import("graphql")
  let reason = ""
  for (const form of forms) {
    const reading = readAnswer(await ask(getIntrospectionQuery(form), request), request.config)
    if (reading.kind !== "refused") return reading
    reason = reading.reason
  }
  throw refuse(`${placeOf(request.config)} refused the introspection query: ${reason}. If introspection is disabled there, ${sdlHint}`)
}

async function ask(query: string, { config, credential, outbound, limits, signal }: ListRequest<GraphQLConfig>): Promise<OutboundResponse> {
  const isConfirmed = credential.origins.includes(originOf(config))
  const answer = await outbound.send({
    ...buildRequest(config, isConfirmed ? credential.placements : [], { query, operationName: "IntrospectionQuery" }),
    signal,
    timeoutMs: limits.callTimeoutMs,
    responseBytesMax: limits.documentBytesMax,
  })
  if (answer.ok) return answer
  if (answer.code === "response_too_large")
    throw new ExecutorError(
      "payload_too_large",
      `The schema at ${placeOf(config)} is over ${limits.documentBytesMax} bytes. ${raiseLimit("documentBytesMax")}`,
    )
  throw refuse(`${placeOf(config)} could not be introspected: ${answer.message}`)
}

function readAnswer(answer: OutboundResponse, config: GraphQLConfig): Reading {
  const { status, statusText, bytes } = answer
  if (status < 300 && bytes.byteLength > readHereBytesMax) return { kind: "schema", bytes }
  const body = readBody(answer)
  const errors = body === null ? [] : errorsOf(body)
  if (status === 401 || status === 403 || errors.some(wantsCredential))
    return { kind: "credential", reason: messageOf(errors[0]) ?? `${status} ${statusText}`.trimEnd() }
  if (body === null) {
    if (status < 300) throw refuse(`The server at ${placeOf(config)} does not respond like a GraphQL endpoint`)
    throw refuse(`${placeOf(config)} answered ${status} ${statusText}`.trimEnd())
  }
  const data = objectAt(body, "data")
  if (data !== null && objectAt(data, "__schema") !== null) return { kind: "schema", bytes }
  const reason = messageOf(errors[0]) ?? "it responded without a schema"
  if (errors.some(saysDisabled)) throw refuse(`Introspection is disabled at ${placeOf(config)}: ${sdlHint}`)
  return { kind: "refused", reason }
}

const codes: ReadonlySet<string> = new Set([
  "UNAUTHENTICATED",
  "UNAUTHORIZED",
  "FORBIDDEN",
  "ACCESS_DENIED",
  "INVALID_TOKEN",
  "AUTHENTICATION_ERROR",
])
const wanting =
  /unauthori[sz]ed|unauthenticated|not (?:authori[sz]ed|authenticated|logged in)|authenticat|access denied|log ?in\b|api.?key|access.?token|credential/i

const saysDisabled = (error: unknown): boolean => /introspection/i.test(messageOf(error) ?? "") || /introspection/i.test(codeOf(error)) // its name is in no other kind of complaint

/** Whether an error says that somebody else might be answered. */
export function wantsCredential(error: unknown): boolean {
  if (saysDisabled(error)) return false
  return codes.has(codeOf(error).toUpperCase()) || wanting.test(messageOf(error) ?? "")
}

function codeOf(error: unknown): string {
  if (!isObject(error)) return ""
  const extensions = objectAt(error, "extensions")
  return (extensions && textAt(extensions, "code")) ?? textAt(error, "type") ?? ""
}

/** Without user info and query: those may be secrets, and this is shown. */
export function placeOf({ endpoint }: GraphQLConfig): string {
  const { origin, pathname } = new URL(endpoint)
  return `${origin}${pathname}`
}

const refuse = (message: string): ExecutorError => new ExecutorError("invalid_request", message)
