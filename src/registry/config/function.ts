// The config of a tool that calls a function of the server's allow-list.
import { ExecutorError } from "../../core/errors.ts"
import type { ConfigCheck } from "./context.ts"
import { refuseUnknown, requireText } from "./fields.ts"

export const checkFunction: ConfigCheck = async (config, { schema, parts: { functions } }) => {
  refuseUnknown(config, "function", ["function_name"])
  const name = requireText(config, "function_name", "write the name of a function that the server registers with defineFunctions")
  if (functions.find(name) !== null) return schema
  const suggestions = functions.nearest(name).slice(0, 3)
  const hint =
    suggestions.length === 0
      ? "no functions are registered; an operator does so with defineFunctions in executor.config.ts"
      : `the nearest are ${suggestions.join(", ")}`
  throw new ExecutorError("invalid_request", `The function '${name.slice(0, 80)}' is not registered on this server: ${hint}`, {
    suggestions,
  })
}
