// `builtin.json_transform`: queries and reshapes JSON by an expression.
import { fail, succeed } from "../../../core/result.ts"
import type { ToolFailure, ToolResult } from "../../../core/result.ts"
import type { StaticCall } from "../../../catalog/static-tool.ts"
import { principalKey } from "../../../io/fair-queue.ts"
import { anyJson, input, toBuiltin } from "../builtin.ts"
import type { BuiltinParts, BuiltinTool } from "../builtin.ts"

type Parts = Pick<BuiltinParts, "limits" | "transforms">

export const jsonTransformTool = (parts: Parts): BuiltinTool =>
  toBuiltin({
    key: "json_transform",
    title: "JSON transform",
    description:
      "Query and reshape JSON with a JMESPath expression (community edition: arithmetic, let, ternary). Examples: `items[?price > \\`10\\`].{name: name, total: price * quantity}`, `sort_by(people, &age)[-1].name`, `length(@)`. JSON literals are in backticks, strings in single quotes. It runs no code.",
    effect: "read",
    input: input(
      {
        data: { ...anyJson, description: "The JSON to work on: a value, not text." },
        expression: {
          type: "string",
          minLength: 1,
          maxLength: parts.limits.transformExpressionCharsMax,
          description: "A JMESPath expression.",
        },
      },
      ["data", "expression"],
    ),
    output: { description: "What the expression gives; null where it finds nothing." },
    call: (call) => run(call, parts),
  })

async function run({ args, principal, signal }: StaticCall, { limits, transforms }: Parts): Promise<ToolResult> {
  const { transformMs, transformStepsMax } = limits
  const job = { dataJson: JSON.stringify(args["data"] ?? null), expression: String(args["expression"]), stepsMax: transformStepsMax }
  const outcome = await transforms.run({ job, who: principalKey(principal), timeoutMs: transformMs, signal })
  switch (outcome.status) {
    case "done":
      if (outcome.answer.ok) return succeed(JSON.parse(outcome.answer.json) as unknown)
      return outcome.answer.reason === "steps"
        ? tooMuch(`takes more than ${transformStepsMax} steps`)
        : invalid(`The expression cannot be evaluated: ${outcome.answer.message}`)
    case "late":
      return tooMuch(`takes longer than ${transformMs} ms`)
    case "crashed":
      return tooMuch("needs more memory than is allowed")
    case "cancelled":
      return fail("timeout", "The call was cancelled", { retryable: false })
  }
}

const tooMuch = (what: string): ToolFailure => invalid(`The expression ${what} on this data; make it simpler, or pass less data`)

const invalid = (message: string): ToolFailure =>
  fail("invalid_arguments", message, { details: { issues: [{ path: "expression", code: "invalid_value", message }] } })
