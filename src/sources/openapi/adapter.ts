// The source of kind `openapi`: one half compiles documents into tools, the other performs their calls.
import { previewOpenApiRequest } from "./call/request-preview.ts"
import type { SourceAdapter } from "../source-adapter.ts"
import { detectOpenApi } from "./detect.ts"
import type { OpenApiConfig } from "./binding.ts"
import { callOpenApiTool } from "./call/call-tool.ts"
import { parseOpenApiConfig } from "./config.ts"
import { listOpenApiTools } from "./list-tools.ts"

export const openApiAdapter: SourceAdapter<OpenApiConfig> = {
  kind: "openapi",
  toolsPer: "integration",
  documentField: "spec",
  parseConfig: parseOpenApiConfig,
  listTools: listOpenApiTools,
  callTool: callOpenApiTool,
  previewRequest: previewOpenApiRequest,
  detect: detectOpenApi,
}
