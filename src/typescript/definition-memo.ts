// Caches the types of shared definitions, so that a tool pays only for those that were not converted before.
//
// A type refers to the definitions of one graph, and a graph belongs to one tool. So a type is kept with the references
// themselves in it, and bound to the graph in which it is used again. Its references are looked up in the order in which
// the conversion did: names are given out in that order, and the text must not depend on what was described before.
import type { Comments } from "./comment-text.ts"
import type { Definition, DefinitionGraph } from "./definition-graph.ts"
import { sharedRoot } from "./definition-graph.ts"
import { mapReferences, unknownType } from "./type-node.ts"
import type { TypeNode } from "./type-node.ts"

/** What a conversion took from its graph. */
export type ConversionRecord = {
  readonly graph: DefinitionGraph
  readonly found: Map<Definition, string>
  /** In the order of the lookups, also those that led nowhere. */
  readonly refs: Set<string>
  /** References whose names were counted as characters. */
  readonly counted: string[]
  /** Some text repeats names of the graph, so that the type is good for this graph only. */
  repeatsNames: boolean
}

type MemoKey = { readonly schema: unknown; readonly subject: string; readonly comments: Comments }
type Fitted = { readonly type: TypeNode; readonly chars: number }
type Kept = {
  readonly subject: string
  readonly type: TypeNode
  /** Without the names that were counted. */
  readonly chars: number
  readonly refs: readonly string[]
  readonly counted: readonly string[]
}

/** Of the schemas of one tool set and one set of limits; forgets with the schema. */
export type DefinitionMemo = WeakMap<object, { [Key in Comments]?: Kept }>

export function startRecord(graph: DefinitionGraph): ConversionRecord {
  const found = new Map<Definition, string>()
  const refs = new Set<string>()
  const find: DefinitionGraph["find"] = (ref, root) => {
    const definition = graph.find(ref, root)
    refs.add(ref)
    if (definition !== null) found.set(definition, ref)
    return definition
  }
  return { graph: { names: graph.names, find }, found, refs, counted: [], repeatsNames: false }
}

export function keepType(
  { schema, subject, comments }: MemoKey,
  { type, chars }: Fitted,
  record: ConversionRecord,
  memo: DefinitionMemo,
): void {
  if (typeof schema !== "object" || schema === null || record.repeatsNames) return
  const { found, refs, counted } = record
  const stand = new Map<string, TypeNode>()
  const unbound = mapReferences(type, (to) => {
    const ref = found.get(to) ?? ""
    const known = stand.get(ref) ?? { kind: "reference", to: standIn(ref) }
    stand.set(ref, known)
    return known
  })
  const nameChars = counted.reduce((sum, ref) => sum + nameOf(ref, record.graph).length, 0)
  const kept: Kept = { subject, type: unbound, chars: chars - nameChars, refs: [...refs], counted }
  memo.set(schema, { ...memo.get(schema), [comments]: kept })
}

/** Null where nothing is kept, or where it may not fit. */
export function recallType(
  { schema, subject, comments }: MemoKey,
  charsMax: number,
  graph: DefinitionGraph,
  memo: DefinitionMemo,
): Fitted | null {
  const kept = typeof schema === "object" && schema !== null ? memo.get(schema)?.[comments] : undefined
  if (kept === undefined || kept.subject !== subject) return null
  if (kept.chars + kept.counted.reduce((sum, ref) => sum + nameCharsMost(ref), 0) > charsMax) return null
  for (const ref of kept.refs) graph.find(ref, sharedRoot)
  const type = mapReferences(kept.type, ({ sourceName: ref }) => {
    const to = graph.find(ref, sharedRoot)
    return to === null ? unknownType : { kind: "reference", to }
  })
  return { type, chars: kept.counted.reduce((sum, ref) => sum + nameOf(ref, graph).length, kept.chars) }
}

const standIn = (ref: string): Definition => ({ name: "", sourceName: ref, schema: undefined, root: sharedRoot, type: null, doc: null })

const nameOf = (ref: string, graph: DefinitionGraph): string => graph.find(ref, sharedRoot)?.name ?? ""

/** A name is cut at 60 characters, and may get a number behind it. */
const nameCharsMost = (ref: string): number => Math.min(60, ref.length) + 8
