// Lists the tools of a GraphQL integration: from its SDL, or from what its endpoint tells this connection.
//
// What a server tells may depend on who asks, so that tools are listed for each connection with its own credential; where two
// are told the same they share every row, because a tool set is known by its content. Before there is a connection the endpoint
// is asked without a credential: that shows whether it is one, and what it offers to everybody.
import { ExecutorError } from "../../core/errors.ts"
import type { SourceFacts, Warning } from "../../core/integration.ts"
import type { ListRequest, ListedTools } from "../source-adapter.ts"
import type { CredentialNeed } from "./auth-options.ts"
import { authOptions } from "./auth-options.ts"
import type { GraphQLConfig } from "./binding.ts"
import { compileInThread } from "./compile/thread.ts"
import { introspect, placeOf } from "./introspect.ts"
import { originOf } from "./call/request-build.ts"

export async function listGraphQLTools(request: ListRequest<GraphQLConfig>): Promise<ListedTools> {
  const { config, document, limits, signal } = request
  const read = document === null ? await introspect(request) : { kind: "schema" as const, bytes: encode(document, limits.documentBytesMax) }
  if (read.kind === "credential") return withoutTools(read.reason, request)
  const compiled = await compileInThread({ bytes: ownBytes(read.bytes), limits }, { timeoutMs: limits.documentCompileMs, signal })
  const { description, tools, definitions, warnings } = compiled
  request.log.debug({ tools: tools.length, warnings: warnings.length }, "compiled a GraphQL schema")
  const need: CredentialNeed = document === null && sendsCredential(request) ? "sent" : "unasked"
  return {
    facts: { ...factsOf(config, need), description, warnings, toolCount: tools.length },
    tools,
    definitions: new Map(definitions),
    // What an endpoint told one connection is not what it tells another.
    document,
  }
}

/** What is known of an endpoint before it told anything. */
export const factsOf = (config: GraphQLConfig, need: CredentialNeed): SourceFacts => ({
  title: new URL(config.endpoint).hostname,
  version: "",
  description: "",
  origins: [originOf(config)],
  auth: authOptions(need),
  warnings: [],
  toolCount: 0,
})

const sendsCredential = ({ config, credential }: ListRequest<GraphQLConfig>): boolean =>
  credential.placements.length > 0 && credential.origins.includes(originOf(config))

/** Before a credential can be sent there is nothing wrong; after that it is the credential that is. */
function withoutTools(reason: string, request: ListRequest<GraphQLConfig>): ListedTools {
  const { config, connection, credential } = request
  const isUnconfirmed = !credential.origins.includes(originOf(config))
  if (connection !== null && !isUnconfirmed) {
    const advice = sendsCredential(request)
      ? "check the connection's credential"
      : "add one to the connection, e.g. with the template bearer"
    throw new ExecutorError("invalid_request", `${placeOf(config)} requires a credential to show its schema (${reason}): ${advice}`)
  }
  const warning: Warning = {
    location: placeOf(config),
    message: `The endpoint requires a credential to show its schema (${reason}); there are no tools until a connection provides one`,
  }
  return { facts: { ...factsOf(config, "wanted"), warnings: [warning] }, tools: [], definitions: new Map(), document: null }
}

function encode(text: string, bytesMax: number): Uint8Array {
  const bytes = new TextEncoder().encode(text)
  if (bytes.byteLength > bytesMax) throw new ExecutorError("payload_too_large", `The schema is over ${bytesMax} bytes`)
  return bytes
}

/** A buffer of its own can be handed to the thread instead of copied. */
const ownBytes = (bytes: Uint8Array): Uint8Array<ArrayBuffer> =>
  bytes.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength ? new Uint8Array(bytes.buffer) : new Uint8Array(bytes)
