// Writes every definition that the tools need, once, and breaks cycles in which a schema would be checked against itself forever.
//
// A reference below a property or an item describes a smaller value and may be circular. One that describes the same
// value may not: `Cat: allOf [Pet]` with `Pet: oneOf [Cat, Dog]` has no end. There a subtype is given the base without
// its alternatives, as the author meant; any other circle is opened by a schema that accepts anything.
import type { JsonText } from "../../../../core/tool.ts"
import { locationOf } from "../../document/resolve.ts"
import type { Warnings } from "../../../document-warnings.ts"
import { circlesOf, closingEdges } from "./circles.ts"
import type { Edge, Graph } from "./circles.ts"
import type { EmittedSchema, EmitOptions, SchemaEmitter } from "./emit.ts"
import { toolFileDefinition, toolFileName } from "./file.ts"
import type { DefinitionNames } from "./name.ts"

type Entry = Pick<EmittedSchema, "refs" | "sameValue"> & {
  readonly text: JsonText
  readonly options: EmitOptions
  /** The definition that this is, or is a variant of. */
  readonly of: string
}
type Entries = Map<string, Entry>
type Parts = { readonly emit: SchemaEmitter; readonly definitions: DefinitionNames; readonly warnings: Warnings }

export function emitDefinitions(required: ReadonlySet<string>, parts: Parts): Map<string, JsonText> {
  const entries: Entries = new Map()
  writeMissing(required, entries, parts)
  for (const repair of ["base", "anything"] as const) {
    const edges = repair === "base" ? subtypeEdges(entries) : closingEdges(graphOf(entries))
    for (const edge of edges) rewrite(edge, repair, entries, parts)
    writeMissing(required, entries, parts)
  }
  const definitions = new Map<string, JsonText>()
  for (const name of [...reachable(required, entries)].toSorted()) definitions.set(name, entries.get(name)?.text ?? "{}")
  return definitions
}

function write(name: string, of: string, options: EmitOptions, entries: Entries, { emit, definitions }: Parts): void {
  const place = definitions.placeOf(of)
  if (name === toolFileName) {
    entries.set(name, { text: JSON.stringify(toolFileDefinition), refs: new Set(), sameValue: new Map(), options, of })
  } else if (place) {
    const { schema, refs, sameValue } = emit(place, definitions.isInput(of) ? { ...options, direction: "input" } : options)
    entries.set(name, { text: JSON.stringify(schema), refs, sameValue, options, of })
  }
}

/** Ten times what the largest documents have. */
const definitionsMax = 50_000

function writeMissing(required: ReadonlySet<string>, entries: Entries, parts: Parts): void {
  const queue = [...required]
  for (const entry of entries.values()) for (const name of entry.refs) queue.push(name)
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    if (entries.has(name)) continue
    if (entries.size >= definitionsMax) {
      parts.warnings.add("#", `The tools need more than ${definitionsMax} schemas; the others accept anything`)
      entries.set(name, { text: "{}", refs: new Set(), sameValue: new Map(), options: {}, of: name })
      continue
    }
    write(name, name, {}, entries, parts)
    for (const next of entries.get(name)?.refs ?? []) queue.push(next)
  }
}

/** Writes one definition again, with one of its references replaced. */
function rewrite(edge: Edge, repair: "base" | "anything", entries: Entries, parts: Parts): void {
  const entry = entries.get(edge.from)
  if (!entry) return
  const variant = repair === "base" ? parts.definitions.variantOf(edge.to, "_base") : null
  if (variant !== null && !entries.has(variant)) write(variant, edge.to, { part: "base" }, entries, parts)
  if (variant === null) {
    const place = parts.definitions.placeOf(entry.of)
    parts.warnings.add(place ? locationOf(place) : "#", `'${edge.to}' is defined by itself; anything is accepted there`)
  }
  const replaced = new Map(entry.options.replaced).set(edge.to, variant)
  write(edge.from, entry.of, { ...entry.options, replaced }, entries, parts)
}

const graphOf = (entries: Entries): Graph => new Map([...entries].map(([name, entry]) => [name, new Set(entry.sameValue.keys())]))

/** Where a subtype refers to a base that offers its subtypes as alternatives. */
function subtypeEdges(entries: Entries): Edge[] {
  return circlesOf(graphOf(entries)).flatMap((circle) => {
    const edges = [...circle].flatMap((from) =>
      [...(entries.get(from)?.sameValue ?? [])].filter(([to]) => circle.has(to)).map(([to, relation]) => ({ from, to, relation })),
    )
    const bases = new Set(edges.filter((edge) => edge.relation === "choice").map((edge) => edge.from))
    return edges.filter((edge) => edge.relation === "all" && bases.has(edge.to))
  })
}

function reachable(required: ReadonlySet<string>, entries: Entries): Set<string> {
  const found = new Set<string>()
  const queue = [...required]
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    if (found.has(name)) continue
    found.add(name)
    for (const next of entries.get(name)?.refs ?? []) queue.push(next)
  }
  return found
}
