// Compares two schemas with everything they refer to, within a budget of steps.
//
// A shared definition is compared once, however many ways lead to it, and what was found in it is told by its own name.
// Tools of one source share definitions, so that their comparisons are kept for the next tool.
import type { DefinitionChange } from "../core/registry/diff.ts"
import type { JsonSchema } from "../core/tool.ts"
import { compareSchemas } from "./schema-compare.ts"
import { report, stepsSpent, toChange } from "./schema-walk.ts"
import type { Direction, Finding, Pair, Side, Walk } from "./schema-walk.ts"

export type Definitions = (name: string) => JsonSchema | undefined

/** What two tool sets share, and what was found in it so far. */
export type SharedDefinitions = {
  readonly before: Definitions
  readonly after: Definitions
  /** Neither it nor anything that it refers to differs. */
  isSame(name: string): boolean
  readonly compared: Map<string, Compared>
}

export type Compared = { readonly findings: readonly Finding[]; readonly pairs: readonly Pair[] }

export const noDefinitions = (): SharedDefinitions => ({
  before: () => undefined,
  after: () => undefined,
  isSame: () => false,
  compared: new Map(),
})

export type SchemaPair = {
  readonly before: JsonSchema
  readonly after: JsonSchema
  readonly direction: "input" | "output"
  /** How the changes' paths begin. */
  readonly root: string
}

/** Far more than any tool has; a hostile schema would take minutes. */
const stepsMax = 20_000

/** `definitions`: the names of the shared ones that differ themselves. */
export type SchemaDiff = { readonly changes: readonly DefinitionChange[]; readonly definitions: readonly string[] }

export function diffSchemas({ before, after, direction, root }: SchemaPair, shared: SharedDefinitions): SchemaDiff {
  const changes: DefinitionChange[] = []
  const definitions = new Set<string>()
  const seen = new Set<string>()
  let stepsLeft = stepsMax
  const spend = (): void => {
    stepsLeft -= 1
    if (stepsLeft < 0) throw stepsSpent
  }
  const compare = (one: unknown, other: unknown, path: readonly string[], way: Direction): Compared => {
    const walk: Walk = { direction: way, findings: [], pairs: [], spend }
    compareSchemas(one, other, path, walk)
    return walk
  }
  try {
    const pending: Pair[] = [{ before: { schema: before }, after: { schema: after }, direction, path: [] }]
    for (let pair = pending.shift(); pair !== undefined; pair = pending.shift()) {
      spend()
      const key = keyOf(pair)
      if (key !== null && seen.has(key)) continue
      if (key !== null) seen.add(key)
      const found = follow(pair)
      changes.push(...found.findings.map((finding) => toChange(finding, root)))
      pending.push(...found.pairs)
    }
  } catch (error) {
    if (error !== stepsSpent) throw error
    changes.push({ kind: "breaking", path: root, message: "The schemas are too large to be compared completely" })
  }
  return { changes, definitions: [...definitions] }

  function follow(pair: Pair): Compared {
    const [one, other] = [resolve(pair.before, before, shared.before), resolve(pair.after, after, shared.after)]
    const name = sharedName(pair)
    if (name !== null && one.isShared && other.isShared) {
      if (shared.isSame(name)) return nothing
      const key = `${pair.direction} ${name}`
      const known = shared.compared.get(key) ?? compare(one.schema, other.schema, ["$defs", name], pair.direction)
      shared.compared.set(key, known)
      if (known.findings.length > 0) definitions.add(name)
      return known
    }
    if (one.schema !== undefined && other.schema !== undefined)
      return compare(one.schema, other.schema, name === null ? pair.path : ["$defs", name], pair.direction)
    return isSameSide(pair.before, pair.after) ? nothing : unresolved(pair)
  }
}

const nothing: Compared = { findings: [], pairs: [] }

function unresolved({ direction, path, before, after }: Pair): Compared {
  const walk: Walk = { direction, findings: [], pairs: [], spend: () => undefined }
  report(walk, "other", path, "What it refers to changed", shownSide(before), shownSide(after))
  return walk
}

const shownSide = (side: Side): unknown => ("ref" in side ? { $ref: side.ref } : side.schema)
const isSameSide = (one: Side, other: Side): boolean => "ref" in one && "ref" in other && one.ref === other.ref

/** Null for what is written in place, which is reached by one way only. */
const keyOf = ({ before, after, direction }: Pair): string | null =>
  "ref" in before && "ref" in after ? `${direction} ${before.ref}\n${after.ref}` : null

const sharedPrefix = "#/$defs/"

/** The definition that both refer to. */
const sharedName = ({ before, after }: Pair): string | null =>
  "ref" in before && "ref" in after && before.ref === after.ref && before.ref.startsWith(sharedPrefix)
    ? decoded(before.ref.slice(sharedPrefix.length))
    : null

type Resolved = { readonly schema: unknown; readonly isShared: boolean }

/** The schema's own definitions come first. */
function resolve(side: Side, root: JsonSchema, definitions: Definitions): Resolved {
  if ("schema" in side) return { schema: side.schema, isShared: false }
  if (side.ref === "#") return { schema: root, isShared: false }
  if (!side.ref.startsWith("#/")) return { schema: undefined, isShared: false }
  const steps = side.ref.slice("#/".length).split("/").map(decoded)
  const inside = steps.reduce<unknown>(stepInto, root)
  const [first, name = "", ...rest] = steps
  if (inside !== undefined || first !== "$defs") return { schema: inside, isShared: false }
  return { schema: rest.reduce<unknown>(stepInto, definitions(name)), isShared: rest.length === 0 }
}

const decoded = (step: string): string => {
  if (!/[%~]/.test(step)) return step
  try {
    return decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~")
  } catch {
    return step
  }
}

/** Own properties only, so that `#/constructor` is nothing. */
function stepInto(value: unknown, step: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return undefined
  return (value as Record<string, unknown>)[step] // an own property, whatever the object is
}
