// Lists the tools of a GraphQL endpoint and calls them, as the catalog and the gate would.
import { withLimits } from "../../src/core/limits.ts"
import type { Limits } from "../../src/core/limits.ts"
import type { Credential, Placement } from "../../src/core/auth.ts"
import type { ToolResult } from "../../src/core/result.ts"
import { createNetwork } from "../../src/io/network/guarded-fetch.ts"
import { silentLog } from "../../src/io/log.ts"
import { callGraphQLTool } from "../../src/sources/graphql/call/call-tool.ts"
import { parseGraphQLConfig } from "../../src/sources/graphql/config.ts"
import { detectGraphQL } from "../../src/sources/graphql/detect.ts"
import { listGraphQLTools } from "../../src/sources/graphql/list-tools.ts"
import type { Detected, ListedTools } from "../../src/sources/source-adapter.ts"
import { plainCall } from "./call-context.ts"

export type GraphQLGiven = {
  readonly placements?: readonly Placement[]
  /** The endpoint's own, unless given. */
  readonly origins?: readonly string[]
  readonly limits?: Partial<Limits>
  readonly signal?: AbortSignal
}

export type GraphQLCaller = {
  /** `as` null: before there is a connection. */
  list(config: Record<string, unknown>, as?: "connection" | null, given?: GraphQLGiven): Promise<ListedTools>
  call(
    config: Record<string, unknown>,
    listed: ListedTools,
    name: string,
    args: Record<string, unknown>,
    given?: GraphQLGiven,
  ): Promise<ToolResult>
  detect(url: string): Promise<Detected | null>
  close(): Promise<void>
}

export function startGraphQLCaller(): GraphQLCaller {
  const network = createNetwork({ allowPrivateHosts: ["127.0.0.1"], trustLiteralUrls: false, limits: withLimits({}), log: silentLog })
  const common = ({ limits = {}, signal }: GraphQLGiven) => ({
    outbound: network.outbound({ literalUrls: [] }),
    limits: withLimits(limits),
    signal: signal ?? new AbortController().signal,
    log: silentLog,
  })
  const credentialFor = (endpoint: string, { placements = [], origins }: GraphQLGiven): Credential => ({
    placements,
    origins: origins ?? [new URL(endpoint).origin],
    secrets: [],
  })
  return {
    list(input, as = "connection", given = {}) {
      const { config, document } = parseGraphQLConfig(input)
      const credential = as === null ? { placements: [], origins: [], secrets: [] } : credentialFor(config.endpoint, given)
      return listGraphQLTools({ ...common(given), config, document, credential, connection: as === null ? null : plainCall.connection })
    },
    call(input, listed, name, args, given = {}) {
      const { config } = parseGraphQLConfig(input)
      const binding = listed.tools.find((tool) => tool.name === name)?.binding
      if (binding === undefined) throw new Error(`There is no tool ${name}`)
      return callGraphQLTool({
        ...plainCall,
        ...common(given),
        config,
        tool: { name, binding, inputSchema: "{}" },
        definitions: (names) => Promise.resolve(new Map(names.flatMap((one) => pick(listed.definitions, one)))),
        args,
        credential: credentialFor(config.endpoint, given),
      })
    },
    detect: (url) => detectGraphQL({ ...common({}), url }),
    close: () => network.close(),
  }
}

function pick(definitions: ReadonlyMap<string, string>, name: string): [string, string][] {
  const text = definitions.get(name)
  return text === undefined ? [] : [[name, text]]
}
