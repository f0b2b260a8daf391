// A tool that runs another agent.
import { fail } from "../../../core/result.ts"
import { textOf } from "./typed-call.ts"
import type { PerformCall } from "./typed-call.ts"

/** No agent can be published yet, so that there is none to be found. */
export const callAgent: PerformCall = async ({ plan, implementation }) => {
  const target = textOf(implementation, "target_agent_slug") || textOf(implementation, "target_agent_id")
  return fail("not_found", `registry.${plan.binding.slug} runs the agent '${target.slice(0, 80)}', which this tenant has not published`)
}
