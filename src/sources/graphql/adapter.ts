// The source of kind `graphql`: one half compiles schemas into tools, the other performs their calls.
import type { SourceAdapter } from "../source-adapter.ts"
import { detectGraphQL } from "./detect.ts"
import type { GraphQLConfig } from "./binding.ts"
import { callGraphQLTool, graphQLEffect } from "./call/call-tool.ts"
import { parseGraphQLConfig } from "./config.ts"
import { listGraphQLTools } from "./list-tools.ts"
import { addressOf } from "./call/request-build.ts"

export const graphQLAdapter: SourceAdapter<GraphQLConfig> = {
  kind: "graphql",
  toolsPer: "connection",
  isReadOnAdd: true,
  documentField: "sdl",
  parseConfig: parseGraphQLConfig,
  listTools: listGraphQLTools,
  callTool: callGraphQLTool,
  effectOf: graphQLEffect,
  previewRequest: ({ config }) => ({ method: "POST", url: addressOf(config) }),
  detect: detectGraphQL,
}
