// A tool that is made of code with other tools.
import { unusable, textOf } from "./typed-call.ts"
import type { PerformCall } from "./typed-call.ts"

/** Code of others reaches of the caller's own connections only what its published `uses` names. */
export const callCustom: PerformCall = async ({ plan, implementation, request, timeoutMs }) => {
  const code = textOf(implementation, "code")
  if (code === "") return unusable(plan, "it has no code")
  const isOwn = plan.binding.writtenBy === request.connection.scope.user
  return request.runCode({ code, input: request.args, reach: { own: isOwn ? "all" : usesOf(implementation["uses"]) }, timeoutMs })
}

const usesOf = (uses: unknown): readonly string[] =>
  Array.isArray(uses) ? uses.filter((pattern): pattern is string => typeof pattern === "string") : []
