// A tool that runs another agent.
import { fail } from "../../../core/result.ts"
import { runAgent } from "../../agents/run-agent.ts"
import { textOf } from "./typed-call.ts"
import type { PerformCall } from "./typed-call.ts"

export const callAgent: PerformCall = async ({ plan, implementation, request }, { agents }) => {
  const target = textOf(implementation, "target_agent_slug") || textOf(implementation, "target_agent_id")
  const agent = await agents.findPublished(request.connection.scope, target)
  if (agent === null)
    return fail("not_found", `registry.${plan.binding.slug} runs the agent '${target.slice(0, 80)}', which this tenant has not published`)
  const seconds = implementation["timeout_s"]
  const own = typeof seconds === "number" && seconds > 0 ? seconds * 1000 : null
  // Whichever setting says so: a run that takes too long ends with its compact answer, and not with an error of the gate.
  const timeouts = [own, plan.execution.timeoutMs].filter((timeoutMs) => timeoutMs !== null)
  return runAgent({ agent, timeoutMs: timeouts.length === 0 ? null : Math.min(...timeouts) }, request)
}
