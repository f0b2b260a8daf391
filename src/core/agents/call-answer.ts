// The compact answer of whoever called an agent: which run it was, how it ended, and what it said.
import { isRecord } from "../json/record.ts"
import type { ToolResult } from "../result.ts"
import type { AgentBinding } from "./agent.ts"

/** A run that failed is an answer as well: whoever called it decides what follows. */
export function toCallAnswer({ agentId, slug }: AgentBinding, result: ToolResult): ToolResult {
  const target = { mode: "sync", target_agent_id: agentId, target_agent_slug: slug }
  if (result.ok) {
    const { runId, output, context } = result.data as { runId: string; output: unknown; context: Record<string, unknown> } // written by the engine
    const given = Object.keys(context).length === 0 ? {} : { context }
    return { ok: true, data: { ...target, run_id: runId, status: "completed", output, ...given } }
  }
  const { code, message, details } = result.error
  const { runId = "", reason } = isRecord(details) ? details : {}
  const status = code === "timeout" ? "timeout" : reason === "cancelled" ? "cancelled" : "failed"
  return { ok: true, data: { ...target, run_id: runId, status, error: { code, message } } }
}
