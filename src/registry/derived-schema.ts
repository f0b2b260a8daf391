// Derives the arguments of a tool from what it is made of, as long as nobody writes them: an artifact's inputs, a built-in's own.
import { canonicalJson } from "../core/json/canonical.ts"
import type { Scope } from "../core/principal.ts"
import type { ArtifactInput } from "../core/registry/binding.ts"
import type { ToolSchemas } from "../core/registry/tool.ts"
import type { JsonSchema } from "../core/tool.ts"
import { allRows } from "../store/all-rows.ts"
import type { ArtifactRow } from "../store/registry-store.ts"
import type { Store } from "../store/store.ts"
import { checkInputs } from "./artifact-inputs.ts"
import { builtinPrefix } from "./config/internal.ts"
import { typeOf } from "./definition.ts"
import type { WorkingCopy } from "./definition.ts"
import type { RegistryParts } from "./parts.ts"

type Parts = Pick<RegistryParts, "limits" | "staticTools">
/** What arguments can be derived from. */
export type SchemaOrigin = Pick<WorkingCopy, "implementationType" | "configSchema" | "artifactId" | "artifactVersion">

export const derivingTypes: readonly string[] = ["artifact", "internal"]

/** Misspelt arguments are refused; what has a default may be left out. */
export function schemaOfInputs(inputs: readonly ArtifactInput[]): JsonSchema {
  const properties = inputs.map(({ name, type, default: fallback }): [string, JsonSchema] => [
    name,
    { ...(type === "any" ? {} : { type }), ...(fallback === undefined ? {} : { default: fallback }) },
  ])
  const required = inputs.filter((one) => one.required && one.default === undefined).map(({ name }) => name)
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    additionalProperties: false,
    ...(required.length === 0 ? {} : { required }),
  }
}

/** Null where nothing says what the arguments are. */
export async function deriveSchemas(scope: Scope, origin: SchemaOrigin, store: Store, parts: Parts): Promise<ToolSchemas | null> {
  const { implementation } = origin.configSchema
  switch (typeOf(origin)) {
    case "artifact": {
      if (origin.artifactId === null) return { input: schemaOfInputs(checkInputs(implementation["inputs"] ?? [], parts.limits)) }
      const row = await store.artifacts.get(scope, origin.artifactId, origin.artifactVersion ?? undefined)
      return row === null ? null : { input: schemaOfInputs(inputsIn(row)) }
    }
    case "internal": {
      const tool = parts.staticTools.find(`${builtinPrefix}${String(implementation["builtin"])}`)
      if (tool === undefined) return null
      return { input: tool.inputSchema, ...(tool.outputSchema === null ? {} : { output: tool.outputSchema }) }
    }
    default:
      return null
  }
}

/** The schemas of a tool that is now made of `after`: its own where somebody wrote them, otherwise derived anew. */
export async function renewSchemas(
  scope: Scope,
  { schema, ...before }: SchemaOrigin & Pick<WorkingCopy, "schema">,
  after: SchemaOrigin,
  store: Store,
  parts: Parts,
): Promise<ToolSchemas> {
  const derived = await deriveSchemas(scope, after, store, parts)
  if (derived === null || isSame(schema.input, derived.input)) return schema
  return (await wasDerived(scope, schema, before, store, parts)) ? { ...derived, ...schema, input: derived.input } : schema
}

/** From any version of the artifact: the one that was the latest then is not known any more. */
async function wasDerived(scope: Scope, { input }: ToolSchemas, origin: SchemaOrigin, store: Store, parts: Parts): Promise<boolean> {
  const { artifactId } = origin
  if (artifactId === null) {
    const derived = await deriveSchemas(scope, origin, store, parts)
    return derived !== null && isSame(input, derived.input)
  }
  const versions = await allRows<ArtifactRow, string>(
    (page) => store.artifacts.versions(scope, artifactId, page),
    ({ version }) => version,
  )
  return versions.some((row) => isSame(input, schemaOfInputs(inputsIn(row))))
}

const isSame = (one: JsonSchema, other: JsonSchema): boolean => canonicalJson(one) === canonicalJson(other)

const inputsIn = ({ inputs }: ArtifactRow): ArtifactInput[] => JSON.parse(inputs) as ArtifactInput[] // written by `artifacts.ts` only
