// Reads the last answer of a model as the output of its agent: text, or a JSON value by the agent's schema.
import { prepareArgsCheck } from "../../arguments/arguments.ts"
import type { JsonSchema } from "../../core/tool.ts"
import { onlyJson } from "./fallback.ts"

export type ReadOutput = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly message: string }

export function readOutput(text: string, schema: JsonSchema | null): ReadOutput {
  if (schema === null) return { ok: true, value: text }
  const value = onlyJson(text)
  if (value === undefined)
    return { ok: false, message: "Your answer must be one JSON value and nothing else, by the schema in your instructions." }
  const whole = { type: "object", properties: { output: schema }, required: ["output"], $defs: schema["$defs"] ?? {} }
  const checked = prepareArgsCheck(whole, () => undefined).check({ output: value }, JSON.stringify({ output: value }))
  return checked.ok
    ? { ok: true, value }
    : { ok: false, message: `Your answer does not fit its schema: ${checked.message}. Write it again.` }
}
