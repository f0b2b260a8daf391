// `builtin.function_call`: calls a function that an operator has registered.
import { isRecord } from "../../core/json/record.ts"
import { principalKey } from "../../io/fair-queue.ts"
import { anyJson, input, toBuiltin } from "./builtin.ts"
import type { BuiltinParts, BuiltinTool } from "./builtin.ts"

export const functionCallTool = ({ functions }: Pick<BuiltinParts, "functions">): BuiltinTool =>
  toBuiltin({
    key: "function_call",
    description: `Call a function that the operator of this server has registered. It needs approval unless the function says that it only reads.${listText(functions.names())}`,
    effect: "write",
    // One that is not there does nothing: nobody needs to be asked to hear so.
    effectOf: ({ function_name: name }) => (functions.find(String(name))?.reads === false ? "write" : "read"),
    input: input(
      {
        function_name: { type: "string", minLength: 1, maxLength: 200 },
        arguments: { type: "object", description: "The function's arguments, as one object." },
      },
      ["function_name", "arguments"],
    ),
    output: anyJson,
    call: ({ principal, args, signal, timeoutMs }) =>
      functions.call(String(args["function_name"]), isRecord(args["arguments"]) ? args["arguments"] : {}, {
        timeoutMs,
        signal,
        who: principalKey(principal),
      }),
  })

const namesMax = 30

function listText(names: readonly string[]): string {
  if (names.length === 0) return " None are registered."
  return ` Registered: ${names.slice(0, namesMax).join(", ")}${names.length > namesMax ? `, and ${names.length - namesMax} more` : ""}.`
}
