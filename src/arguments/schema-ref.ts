// Follows the references inside a tool's schema: to itself, and to the definitions that its tool set shares.
import type { JsonSchema } from "../core/tool.ts"

export type Definitions = (name: string) => JsonSchema | undefined
export type RawSchema = JsonSchema | boolean
/** Undefined: it leads nowhere that we know, so that the upstream has to check it. */
export type ResolveRef = (ref: string) => RawSchema | undefined

const refCharsMax = 1000
const sharedPrefix = "#/$defs/"

export function refResolver(root: RawSchema, definitions: Definitions): ResolveRef {
  return (ref) => {
    if (ref === "#") return root
    const steps = pointerSteps(ref)
    if (steps === null) return undefined
    const [first, name] = steps
    const isShared = first === "$defs" && name !== undefined && stepInto(stepInto(root, "$defs"), name) === undefined
    const found = isShared ? steps.slice(2).reduce<unknown>(stepInto, definitions(name)) : steps.reduce<unknown>(stepInto, root)
    return isRawSchema(found) ? found : undefined
  }
}

const isRawSchema = (value: unknown): value is RawSchema => typeof value === "boolean" || isRecord(value)

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

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

/** What a node that is only a reference is called in a message. */
export const refName = (ref: string): string => (ref.startsWith(sharedPrefix) ? ref.slice(sharedPrefix.length) : ref)
