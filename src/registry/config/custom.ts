// The config of a tool that is made of code with other tools.
import { normalizeRolePattern } from "../../policy/match.ts"
import type { ConfigCheck } from "./context.ts"
import { checkTimeout, refuseUnknown, requireCode, wrong } from "./fields.ts"

const usesMax = 100

/** `uses`: the patterns of its caller's own connections that it may reach. */
export const checkCustom: ConfigCheck = async (config, { schema, parts: { limits } }) => {
  refuseUnknown(config, "custom", ["code", "uses", "timeout_s"])
  requireCode(config, limits)
  const { uses = [] } = config
  if (!Array.isArray(uses) || uses.length > usesMax || !uses.every((pattern) => typeof pattern === "string"))
    throw wrong("uses", `must be a list of up to ${usesMax} patterns, such as ["github.issues.*"]`)
  for (const pattern of uses) normalizeRolePattern(pattern)
  checkTimeout(config, limits)
  return schema
}
