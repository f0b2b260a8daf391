// Lets a tool's own schemas check what goes into its handler and what comes out.
import type { Limits } from "../../core/limits.ts"
import { fail } from "../../core/result.ts"
import type { ToolFailure } from "../../core/result.ts"
import type { Plugin, PluginTool } from "../../plugin/definition.ts"
import type { SchemaIssue, StandardSchema } from "../../plugin/standard-schema.ts"

type Valid = { readonly ok: true; readonly value: unknown }

const messageCharsMax = 300
const pathCharsMax = 200

/** The handler gets a value of its own: neither the caller nor the journal sees what it does to it. */
export async function validateInput(tool: PluginTool, args: Record<string, unknown>, limits: Limits): Promise<Valid | ToolFailure> {
  const unsafe = findUnsafeName(args, "")
  if (unsafe !== null) return refuse([{ path: unsafe, code: "unexpected_field", message: `Unexpected parameter '${unsafe}'` }])
  const issues = await validate(tool.inputSchema, structuredClone(args))
  if (!("issues" in issues)) return issues
  return refuse(issues.issues.slice(0, limits.argsIssuesMax).map((issue) => ({ ...issue, code: "invalid_value" })))
}

export async function validateOutput(plugin: Plugin, tool: PluginTool, answer: unknown, limits: Limits): Promise<Valid | ToolFailure> {
  if (tool.outputSchema === undefined) return { ok: true, value: answer }
  const issues = await validate(tool.outputSchema, answer)
  if (!("issues" in issues)) return issues
  const [first] = issues.issues
  const place = first === undefined || first.path === "" ? "" : ` at '${first.path}'`
  return fail(
    "upstream_error",
    `The plugin '${plugin.id}' returned a result from '${tool.path}' that does not match its outputSchema${place}: ${first?.message ?? ""}`,
    {
      details: { issues: issues.issues.slice(0, limits.argsIssuesMax) },
    },
  )
}

type Issue = { readonly path: string; readonly message: string }

/** Libraries are written by hand as well, so that what they answer is looked at. */
export async function validate(schema: StandardSchema, value: unknown): Promise<Valid | { readonly issues: readonly Issue[] }> {
  const result: unknown = await schema["~standard"].validate(value)
  if (typeof result !== "object" || result === null) throw new TypeError("The schema answered with neither a value nor issues")
  if ("issues" in result && Array.isArray(result.issues)) return { issues: result.issues.map(toIssue) }
  if (!("value" in result)) throw new TypeError("The schema answered with neither a value nor issues")
  return { ok: true, value: result.value }
}

function toIssue(issue: Partial<SchemaIssue> | null): Issue {
  const message = typeof issue?.message === "string" && issue.message !== "" ? issue.message : "It does not fit the schema"
  return { path: pathOf(Array.isArray(issue?.path) ? issue.path : []), message: message.slice(0, messageCharsMax) }
}

/** `items[2].name`, as everywhere. */
function pathOf(steps: NonNullable<SchemaIssue["path"]>): string {
  const keys = steps.map((step) => (typeof step === "object" && step !== null ? step.key : step))
  return keys.reduce<string>((path, key) => into(path, key), "").slice(0, pathCharsMax)
}

const into = (path: string, key: PropertyKey): string =>
  typeof key === "number" ? `${path}[${key}]` : path === "" ? String(key) : `${path}.${String(key)}`

/** A careless merge in a handler would let this name change every object of the process. */
function findUnsafeName(value: unknown, path: string): string | null {
  if (typeof value !== "object" || value === null) return null
  for (const [key, item] of Object.entries(value)) {
    const below = into(path, Array.isArray(value) ? Number(key) : key)
    const found = key === "__proto__" ? below : findUnsafeName(item, below)
    if (found !== null) return found
  }
  return null
}

const refuse = (issues: readonly (Issue & { code: string })[]): ToolFailure => {
  const [first] = issues
  const where = first === undefined || first.path === "" || first.message.includes(first.path) ? "" : `'${first.path}': `
  return fail("invalid_arguments", `${where}${first?.message ?? "The arguments do not match the tool's schema"}`, { details: { issues } })
}
