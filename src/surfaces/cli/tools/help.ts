// The help of one tool: what it does, what it takes and answers, and how to call it.
import { executorCommand } from "../../../io/executor-command.ts"
import type { PolicyAction } from "../../../core/policy.ts"
import type { ToolSchemaView } from "../../../core/tool.ts"
import { schemaAt, typesOf } from "../../../core/json/schema.ts"
import type { Colors } from "../print/colors.ts"
import { safeJson, safeLine, safeText } from "../../../core/text/safe.ts"
import type { FoundTool } from "./lookup.ts"

const policyTexts: Record<PolicyAction, string> = {
  allow: "runs at once",
  require_approval: "requires approval",
  block: "blocked by a policy",
}

export function toolHelp({ path, view, schema }: FoundTool, colors: Colors): string {
  const { bold, dim } = colors
  const description = view.description.trim() || view.title
  return [
    `${bold(safeLine(path))}  ${dim(policyTexts[view.policy])}`,
    ...(description === "" ? [] : [safeText(description)]),
    ...changeLines(schema, colors),
    "",
    bold("Input"),
    safeText(schema.inputTypeScript),
    "",
    bold("Output"),
    safeText(schema.outputTypeScript),
    ...Object.entries(schema.typeScriptDefinitions).flatMap(([name, type]) => ["", safeText(`type ${name} = ${type}`)]),
    "",
    bold("Example"),
    `  ${executorCommand} call ${safeLine(path)}${exampleArgs(schema)}`,
  ].join("\n")
}

/** What a human would accept, beside what they did. */
function changeLines({ change }: ToolSchemaView, { bold }: Colors): string[] {
  if (change === undefined) return []
  const { fields, accepted } = change
  return ["", bold(`Changed since it was accepted: ${fields.map((field) => safeLine(field)).join(", ")}`), `Before: ${safeJson(accepted)}`]
}

/** As the sandbox's `describe.tool` answers, with the schemas themselves. */
export const describeForMachines = ({ path, view, schema }: FoundTool) => ({
  path,
  name: view.title,
  description: view.description,
  requiresApproval: view.policy === "require_approval",
  policy: view.policy,
  ...schema,
})

/** The required arguments, each with a value of its kind. */
function exampleArgs({ inputSchema, schemaDefinitions }: ToolSchemaView): string {
  const required = Array.isArray(inputSchema["required"])
    ? (inputSchema["required"] as unknown[]).filter((one) => typeof one === "string")
    : []
  if (required.length === 0) return ""
  const args = required.map((name) => {
    const types = typesOf(schemaAt(inputSchema, [name], schemaDefinitions), schemaDefinitions)
    return [name, exampleValue(types)] as const
  })
  return ` '${safeJson(Object.fromEntries(args)).replaceAll("'", String.raw`'\''`)}'`
}

function exampleValue(types: ReadonlySet<string>): unknown {
  if (types.has("string") || types.size === 0) return "…"
  if (types.has("integer") || types.has("number")) return 1
  if (types.has("boolean")) return true
  if (types.has("array")) return []
  return {}
}
