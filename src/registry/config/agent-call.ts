// The config of a tool that runs another agent.
import { ExecutorError } from "../../core/errors.ts"
import type { ConfigCheck } from "./context.ts"
import { checkTimeout, refuseUnknown, requireText } from "./fields.ts"

export const checkAgentCall: ConfigCheck = async (config, { scope, schema, store, parts: { limits, references } }) => {
  refuseUnknown(config, "agent_call", ["target_agent_id", "target_agent_slug", "timeout_s"])
  if (config["target_agent_id"] !== undefined && config["target_agent_slug"] !== undefined)
    throw new ExecutorError(
      "invalid_request",
      "implementationConfig has target_agent_id or target_agent_slug, not both: leave one of them out",
    )
  const field = config["target_agent_slug"] === undefined ? "target_agent_id" : "target_agent_slug"
  const target = requireText(config, field, "write the id of a published agent of this tenant, or its slug in target_agent_slug")
  if (!(await references.hasAgent(scope, target, store)))
    throw new ExecutorError(
      "invalid_request",
      `This tenant has no published agent '${target.slice(0, 80)}': publish it first, or name another one in implementationConfig.${field}`,
    )
  checkTimeout(config, limits)
  return schema
}
