// The tools of the catalog that an agent is given one by one: chosen by patterns, named and described for a model.
import { withoutRoot } from "../../core/address.ts"
import { ExecutorError } from "../../core/errors.ts"
import { toPlainObject } from "../../core/json/model-schema.ts"
import { referencesIn } from "../../core/json/schema.ts"
import { defaultLimits } from "../../core/limits.ts"
import { modelDescription } from "../../core/text/model-description.ts"
import type { Effect, ToolSchemaView, ToolView } from "../../core/tool.ts"
import { compilePattern, matchesPattern, normalizePolicyPattern } from "../../policy/match.ts"
import { modelNames } from "../tool-names.ts"
import type { ToolSpec } from "../tool.ts"
import type { CatalogExecutor } from "./catalog-executor.ts"

export type ChosenTool = { readonly spec: ToolSpec; readonly address: string; readonly effect: Effect }

export async function chooseTools(patterns: readonly string[], executor: CatalogExecutor): Promise<ChosenTool[]> {
  const views = new Map<string, ToolView>()
  for (const pattern of patterns) for (const view of await matching(pattern, executor)) views.set(view.address, view)
  const { agentCatalogToolsMax } = defaultLimits
  if (views.size > agentCatalogToolsMax)
    throw new ExecutorError(
      "invalid_request",
      `The patterns match ${views.size} tools, and a model can be given ${agentCatalogToolsMax}. Choose fewer, or leave 'tools' out and give it 'execute' for all of them`,
    )
  const chosen = [...views.values()]
  const names = modelNames(chosen.map(({ address }) => address))
  return Promise.all(chosen.map((view, index) => toChosen(view, names[index] ?? "", executor)))
}

/** Patterns are those of policies; they may leave out owner and connection, as every short path may. */
async function matching(text: string, executor: CatalogExecutor): Promise<ToolView[]> {
  const pattern = normalizePolicyPattern(text)
  const compiled = compilePattern(pattern)
  const [integration = ""] = pattern.split(".")
  const filter = integration.includes("*") ? {} : { integration }
  const found = (await executor.tools.list({ ...filter, includeAnnotations: true })).filter(
    (view) =>
      matchesPattern(compiled, withoutRoot(view.address)) || (!view.static && matchesPattern(compiled, `${view.integration}.${view.name}`)),
  )
  if (found.length > 0) return found
  throw new ExecutorError(
    "tool_not_found",
    `No tool that this agent can call matches '${text}'. 'executor tools list' shows them; a pattern is written like github.issues.*`,
  )
}

async function toChosen(view: ToolView, name: string, executor: CatalogExecutor): Promise<ChosenTool> {
  const schema = await executor.tools.schema(view.address)
  if (schema === null) throw new ExecutorError("tool_not_found", `'${view.address}' was removed while the tools were read; try again`)
  return {
    spec: { type: "function", name, description: describe(view), parameters: parametersOf(schema) },
    address: withoutRoot(view.address),
    effect: view.effect ?? "destroy",
  }
}

const describe = (tool: ToolView): string =>
  tool.policy === "require_approval" ? `${modelDescription(tool)}\n\n${approvalNote}` : modelDescription(tool)

const approvalNote = "A human approves each call: its output says how to go on."

function parametersOf({ inputSchema, schemaDefinitions }: ToolSchemaView): Record<string, unknown> {
  const definitions = definitionsOf(inputSchema, schemaDefinitions)
  return toPlainObject({ ...inputSchema, ...(Object.keys(definitions).length === 0 ? {} : { $defs: definitions }) })
}

/** What the arguments are made of. Definitions that only the result needs would cost tokens at every step. */
function definitionsOf(
  inputSchema: ToolSchemaView["inputSchema"],
  all: ToolSchemaView["schemaDefinitions"],
): ToolSchemaView["schemaDefinitions"] {
  const names = new Set(referencesIn(JSON.stringify(inputSchema)))
  const definitions = new Map(Object.entries(all))
  for (const name of names) for (const further of referencesIn(JSON.stringify(definitions.get(name) ?? {}))) names.add(further)
  return Object.fromEntries([...definitions].filter(([name]) => names.has(name)))
}
