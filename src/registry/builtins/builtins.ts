// The built-in tools, `builtin.*`, which every tenant has.
import { prepareArgsCheck } from "../../arguments/arguments.ts"
import type { StaticCall } from "../../catalog/static-tool.ts"
import { fail } from "../../core/result.ts"
import type { ToolResult } from "../../core/result.ts"
import type { BuiltinParts, BuiltinTool } from "./builtin.ts"
import { datetimeTool } from "./datetime/tool.ts"
import { functionCallTool } from "./function-call.ts"
import { httpRequestTool } from "./http-request.ts"
import { jsonTransformTool } from "./json-transform/tool.ts"
import { createTransforms } from "./json-transform/transforms.ts"
import { mcpCallTool } from "./mcp-call.ts"
import { retrievalPipelineTool } from "./retrieval-pipeline.ts"
import { createWebPages } from "./web-fetch/pages.ts"
import { webFetchTool } from "./web-fetch/tool.ts"
import type { BuiltinSettings } from "./web-search/search-key.ts"
import { webSearchTool } from "./web-search/tool.ts"

export type Builtins = {
  readonly tools: readonly BuiltinTool[]
  /** For a registry tool that is made of one; null when there is none of that key. */
  callWith(key: string, request: StaticCall, settings: BuiltinSettings): Promise<ToolResult> | null
  /** For the same; null when the arguments say nothing about what a call does. */
  effectOf(key: string): BuiltinTool["effectOf"] | null
  close(): Promise<void>
}

export function createBuiltinTools(given: Omit<BuiltinParts, "pages" | "transforms">): Builtins {
  const parts: BuiltinParts = { ...given, pages: createWebPages(), transforms: createTransforms() }
  const tools = [
    retrievalPipelineTool(parts),
    httpRequestTool(parts),
    functionCallTool(parts),
    mcpCallTool(parts),
    webFetchTool(parts),
    webSearchTool(parts),
    jsonTransformTool(parts),
    datetimeTool(parts),
  ]
  return {
    tools,
    callWith(key, request, settings) {
      const tool = tools.find((one) => one.key === key)
      return tool === undefined ? null : callChecked(tool, request, settings)
    },
    effectOf(key) {
      const tool = tools.find((one) => one.key === key)
      if (tool?.effectOf === undefined) return null
      const { effectOf, effect, addressArg } = tool
      if (addressArg === undefined) return effectOf
      // A call to an address of the caller's choosing asks, also if it reads.
      return (args) => (effectOf(args) === "read" ? effect : effectOf(args))
    },
    async close() {
      await parts.pages.close()
      await parts.transforms.close()
    },
  }
}

/** The registry tool has a schema of its own, and what passes that one may still be nothing for the built-in. */
async function callChecked(tool: BuiltinTool, request: StaticCall, settings: BuiltinSettings): Promise<ToolResult> {
  const { args } = request
  const verdict = prepareArgsCheck(tool.inputSchema, () => undefined).check(args, JSON.stringify(args))
  if (!verdict.ok) return fail("invalid_arguments", `${tool.fqid}: ${verdict.message}`, { details: { issues: verdict.issues } })
  return tool.callWith(request, settings)
}
