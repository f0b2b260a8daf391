// The call stage: hands the call to its source, and turns a bug of ours into an answer with an id.
import { fail } from "../core/result.ts"
import type { ToolResult } from "../core/result.ts"
import type { CatalogParts } from "../catalog/catalog-parts.ts"
import { newId } from "../io/ids.ts"
import type { ToolRow } from "../store/store.ts"
import type { OpenCall } from "./call-open.ts"

export type SourceCall = { readonly args: Record<string, unknown>; readonly signal: AbortSignal; readonly timeoutMs: number }

export async function callSource(call: SourceCall, tool: ToolRow, opened: OpenCall, parts: CatalogParts): Promise<ToolResult> {
  const { adapter, config, outbound } = opened.integration
  try {
    return await adapter.callTool({
      config,
      tool: { name: tool.name, binding: tool.binding },
      args: call.args,
      credential: opened.credential,
      outbound,
      limits: { ...parts.limits, callTimeoutMs: Math.min(call.timeoutMs, parts.limits.callTimeoutMs) },
      signal: call.signal,
      log: parts.log,
    })
  } catch (error) {
    const id = newId("err")
    parts.log.error({ id, tool: tool.name, error: error instanceof Error ? error.stack : String(error) }, "A source threw")
    return fail("internal", `Something went wrong on our side; the log has it under ${id}`, { details: { id } })
  }
}
