// A tool that runs code with declared inputs, and without tools.
//
// Arguments are mapped to inputs by name, and are values: nothing in them is interpolated into the code or into each
// other. What is missing or of another type is said before anything runs. Code that declares no inputs gets all arguments.
import { isRecord } from "../../../core/json/record.ts"
import type { ArtifactCode, ArtifactInput } from "../../../core/registry/binding.ts"
import { fail } from "../../../core/result.ts"
import type { ToolFailure } from "../../../core/result.ts"
import { unusable } from "./typed-call.ts"
import type { PerformCall, TypedCall } from "./typed-call.ts"

export const callArtifact: PerformCall = async ({ plan, implementation, request, timeoutMs }) => {
  const artifact = plan.binding.artifact ?? inlineOf(implementation)
  if (artifact === null) return unusable(plan, "it has no code: link an artifact, or write code into its config")
  const mapped = mapInputs(artifact.inputs, request.args)
  return mapped.ok ? request.runCode({ code: artifact.code, input: mapped.input, reach: null, timeoutMs }) : mapped
}

function inlineOf({ code, inputs }: TypedCall["implementation"]): ArtifactCode | null {
  if (typeof code !== "string") return null
  return { code, inputs: Array.isArray(inputs) ? (inputs as ArtifactInput[]) : [] } // checked when it was published
}

type Mapped = { readonly ok: true; readonly input: Readonly<Record<string, unknown>> }

export function mapInputs(inputs: readonly ArtifactInput[], args: Readonly<Record<string, unknown>>): Mapped | ToolFailure {
  if (inputs.length === 0) return { ok: true, input: args }
  const given = inputs.map((input) => [input, Object.hasOwn(args, input.name) ? args[input.name] : input.default] as const)
  const missing = given.flatMap(([{ name, required }, value]) => (required && value === undefined ? [name] : []))
  if (missing.length > 0)
    return refused(
      missing,
      "missing",
      `The code needs the ${missing.length === 1 ? "input" : "inputs"} ${missing.map((name) => `'${name}'`).join(", ")}; nothing was run`,
    )
  const odd = given.find(([{ type }, value]) => value !== undefined && !isOfType(value, type))
  if (odd !== undefined)
    return refused([odd[0].name], "invalid_type", `The input '${odd[0].name}' must be of the type ${odd[0].type}; nothing was run`)
  return { ok: true, input: Object.fromEntries(given.flatMap(([{ name }, value]) => (value === undefined ? [] : [[name, value]]))) }
}

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case "string":
    case "number":
    case "boolean":
      return typeof value === type
    case "integer":
      return Number.isInteger(value)
    case "array":
      return Array.isArray(value)
    case "object":
      return isRecord(value)
    default:
      return true
  }
}

const refused = (names: readonly string[], code: string, message: string): ToolFailure =>
  fail("invalid_arguments", message, { details: { issues: names.map((path) => ({ path, code, message })) } })
