// A built-in tool with settings of its own, such as a key of this tenant.
import { textOf, unusable } from "./typed-call.ts"
import type { PerformCall } from "./typed-call.ts"

export const callInternal: PerformCall = async ({ plan, implementation, credential, request, timeoutMs }, { builtins }) => {
  const { args, signal, elicit, answerTurn, runCode, notify, connection } = request
  const key = textOf(implementation, "builtin")
  const settings = { apiKey: textOf(implementation, "api_key") || null, credential }
  const answer = builtins.call(key, { args, signal, elicit, answerTurn, runCode, notify, timeoutMs, scope: connection.scope }, settings)
  return answer ?? unusable(plan, `there is no built-in '${key.slice(0, 80)}'`)
}
