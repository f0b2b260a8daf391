// Follows the references inside a tool's schema: to itself, and to the definitions that its tool set shares.
import { isRecord } from "../core/json/record.ts"
import type { JsonSchema } from "../core/tool.ts"
import { anyKind, noParts } from "./walk.ts"
import type { Subschema } from "./walk.ts"

export type Definitions = (name: string) => JsonSchema | undefined
export type RawSchema = JsonSchema | boolean

/** Where references lead; null when it is nowhere that we know, so that the upstream has to check it. */
export type References = { lead(ref: string): Subschema | null; /** Only where a check has been. */ led(ref: string): Subschema | null }

const refCharsMax = 1000
const sharedPrefix = "#/$defs/"

export function referencesOf(root: RawSchema, definitions: Definitions): References {
  const known = new Map<string, Subschema | null>()
  const lead = (ref: string): Subschema | null => {
    const before = known.get(ref)
    if (before !== undefined) return before
    const raw = resolve(ref, root, definitions)
    const schema = typeof raw === "boolean" || isRecord(raw) ? subschemaOf(raw) : null
    known.set(ref, schema)
    return schema
  }
  return { lead, led: (ref) => known.get(ref) ?? null }
}

export function subschemaOf(raw: unknown): Subschema {
  const excluded = isRecord(raw) ? raw["not"] : undefined
  const isNever = raw === false || excluded === true || (isRecord(excluded) && Object.keys(excluded).length === 0)
  return { raw, isNever, kinds: anyKind, test: null, parts: noParts }
}

/** What a schema that is only a reference is called in a message. */
export const refName = (ref: string): string => (ref.startsWith(sharedPrefix) ? ref.slice(sharedPrefix.length) : ref)

/** The schema's own definitions come first. */
function resolve(ref: string, root: RawSchema, definitions: Definitions): unknown {
  if (ref === "#") return root
  const steps = pointerSteps(ref)
  if (steps === null) return undefined
  const [first, name] = steps
  const isShared = first === "$defs" && name !== undefined && stepInto(stepInto(root, "$defs"), name) === undefined
  return isShared ? steps.slice(2).reduce<unknown>(stepInto, definitions(name)) : steps.reduce<unknown>(stepInto, root)
}

function pointerSteps(ref: string): string[] | null {
  if (!ref.startsWith("#/") || ref.length > refCharsMax) return null
  try {
    return ref
      .slice("#/".length)
      .split("/")
      .map((step) => decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~"))
  } catch {
    return null
  }
}

/** Own properties only, so that `#/constructor` is nothing. */
function stepInto(value: unknown, step: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return undefined
  return (value as Record<string, unknown>)[step] // an own property, whatever the object is
}
