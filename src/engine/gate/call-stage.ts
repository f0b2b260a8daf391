// The call stage: passes the call to its source, and turns an internal error into a result with an id.
import { fail } from "../../core/result.ts"
import type { ToolResult } from "../../core/result.ts"
import type { Effect } from "../../core/tool.ts"
import type { ResolvedTool } from "../../catalog/tools/resolver.ts"
import { refOf } from "../../store/store.ts"
import type { Scope } from "../../core/principal.ts"
import type { CatalogParts } from "../../catalog/catalog-parts.ts"
import { bugReport } from "./bug-report.ts"
import type { SourceCall } from "./call.ts"
import type { OpenCall } from "./credential-stage.ts"
import { CallAbandoned, QuestionAsked } from "./elicitation.ts"

export async function callSource(
  call: SourceCall,
  found: ResolvedTool,
  opened: OpenCall,
  scope: Scope,
  parts: CatalogParts,
): Promise<ToolResult> {
  const { tool, connection } = found
  const { adapter, config, outbound } = opened.integration
  try {
    const answer = await adapter.callTool({
      config,
      tool: { name: tool.name, binding: tool.binding, inputSchema: tool.inputSchema },
      definitions: (names) => parts.store.toolSets.definitions(scope, tool.toolSetId, names),
      connection: { scope, ref: refOf(connection) },
      args: call.args,
      credential: opened.credential,
      outbound,
      limits: { ...parts.limits, callTimeoutMs: Math.min(call.timeoutMs, parts.limits.executionWallMsMax) },
      signal: call.signal,
      elicit: call.elicit,
      answerTurn: call.answerTurn,
      ...(call.passThrough === undefined ? {} : { passThrough: call.passThrough }),
      runCode: call.runCode,
      notify: call.notify,
      log: parts.log,
    })
    return call.signal.aborted ? whenStopped(answer, call.effect) : answer
  } catch (error) {
    if (error instanceof QuestionAsked || error instanceof CallAbandoned) throw error
    return bugReport(error, tool.name, parts.log)
  }
}

/** A request that was broken off has perhaps arrived: for what is no read, nobody knows. */
function whenStopped(answer: ToolResult, effect: Effect): ToolResult {
  if (answer.ok || (answer.error.code !== "timeout" && answer.error.code !== "upstream_unreachable")) return answer
  if (effect === "read") return fail("timeout", "The call was stopped before it returned")
  return fail("outcome_unknown", "The call was stopped while in progress; it may or may not have taken effect. Check before you repeat it")
}
