// Converts schemas within a budget of characters, breadth first, starting from what the tool refers to.
import { atOnce } from "../io/time-slices.ts"
import { docOf } from "./comment-text.ts"
import type { Comments } from "./comment-text.ts"
import { wordsOf } from "./comment-words.ts"
import { sharedRoot } from "./definition-graph.ts"
import type { Definition, DefinitionGraph, Root } from "./definition-graph.ts"
import { keepType, recallType, startRecord } from "./definition-memo.ts"
import type { ConversionRecord, DefinitionMemo } from "./definition-memo.ts"
import { selectorFact } from "./comment-property.ts"
import { convert, convertKeywords } from "./schema-convert.ts"
import type { Conversion } from "./conversion.ts"
import { readSchema } from "./schema-read.ts"
import { collectReferences, word } from "./type-node.ts"
import type { TypeNode } from "./type-node.ts"

export type TypeLimits = {
  readonly depthMax: number
  readonly enumValuesMax: number
  /** For one definition. */
  readonly definitionCharsMax: number
  /** For all definitions together. */
  readonly definitionsCharsMax: number
  /** Null where nothing is kept for other tools. */
  readonly memo: DefinitionMemo | null
}

/** `subject`: what its properties belong to, in words. */
export type Source = { readonly schema: unknown; readonly root: Root; readonly subject: string; readonly comments: Comments }
export type Fitted = { readonly type: TypeNode; readonly chars: number }

/** A schema that is too long is shown as deep as it fits, so that its first levels stay whole. */
const depthsTried = [2, 3, 4, 5, 6, 8]

/** The type of a schema in at most about so many characters: without its sentences if need be, then less deep. */
export function convertWithin(source: Source, charsMax: number, graph: DefinitionGraph, limits: TypeLimits): Fitted {
  const { schema, root, subject } = source
  const context = wordsOf(subject)
  const attempt = (depthMax: number, comments: Comments, record: ConversionRecord | null = null): Attempt => {
    const { enumValuesMax } = limits
    const to: Conversion = {
      graph: record?.graph ?? graph,
      root,
      context,
      comments,
      depthMax,
      enumValuesMax,
      record,
      charsLeft: charsMax,
      convert,
      convertKeywords,
    }
    const type = convert(schema, to, 0)
    return { type, chars: charsMax - to.charsLeft, fits: to.charsLeft >= 0 }
  }
  const memo = root === sharedRoot ? limits.memo : null
  for (const comments of new Set<Comments>([source.comments, "facts"])) {
    const key = { schema, subject, comments }
    const known = memo === null ? null : recallType(key, charsMax, graph, memo)
    if (known !== null) return known
    const record = memo === null ? null : startRecord(graph)
    const whole = attempt(limits.depthMax, comments, record)
    if (whole.fits && memo !== null && record !== null) keepType(key, whole, record, memo)
    if (whole.fits) return whole
  }
  let best = attempt(1, source.comments)
  for (const depthMax of depthsTried) {
    const deeper = best.fits ? attempt(Math.min(depthMax, limits.depthMax), source.comments) : best
    if (!deeper.fits) break
    best = deeper
  }
  return best
}

type Attempt = Fitted & { readonly fits: boolean }

/**
 * Everything that the types reach, in the order in which a reader meets it. When that is over the budget, what
 * the types do not name themselves loses its sentences; what still does not fit is `unknown`.
 */
export const convertReached = (seeds: ReadonlySet<Definition>, graph: DefinitionGraph, limits: TypeLimits): Definition[] =>
  atOnce(convertInSteps(seeds, graph, limits))

/** The same, one definition a step. */
export function* convertInSteps(seeds: ReadonlySet<Definition>, graph: DefinitionGraph, limits: TypeLimits): Generator<void, Definition[]> {
  let charsLeft = limits.definitionsCharsMax
  for (const seed of seeds) {
    charsLeft -= convertDefinition(seed, charsLeft, "sentences and facts", graph, limits)
    yield
  }
  const told = yield* convertFurther(seeds, charsLeft, "sentences and facts", graph, limits)
  if (told.fits) return told.reached
  return (yield* convertFurther(seeds, charsLeft, "facts", graph, limits)).reached
}

/** Sentences are told everywhere or nowhere, so that the first definition that does not fit with them is the last one tried. */
function* convertFurther(
  seeds: ReadonlySet<Definition>,
  charsMax: number,
  comments: Comments,
  graph: DefinitionGraph,
  limits: TypeLimits,
): Generator<void, { readonly reached: Definition[]; readonly fits: boolean }> {
  const reached = new Set(seeds)
  let charsLeft = charsMax
  let fits = true
  // A set yields what is added to it during the loop: it is the queue.
  for (const definition of reached) {
    if (!seeds.has(definition)) charsLeft -= convertDefinition(definition, charsLeft, comments, graph, limits)
    fits &&= definition.type !== notShown
    if (!fits && comments === "sentences and facts") break
    if (definition.type !== null) collectReferences(definition.type, reached)
    yield
  }
  return { reached: [...reached], fits }
}

const notShown = word("unknown", "not shown")
const definitionCharsMin = 100

function convertDefinition(
  definition: Definition,
  charsLeft: number,
  comments: Comments,
  graph: DefinitionGraph,
  limits: TypeLimits,
): number {
  definition.type = notShown
  definition.doc = null
  if (charsLeft < definitionCharsMin) return 0
  const charsMax = Math.min(limits.definitionCharsMax, charsLeft)
  const { schema, root, sourceName } = definition
  const { type, chars } = convertWithin({ schema, root, subject: sourceName, comments }, charsMax, graph, limits)
  definition.type = type
  const keywords = readSchema(schema)
  if (keywords !== null) {
    const subject = { name: sourceName, context: [], comments, showsDefault: true }
    definition.doc = docOf(keywords, subject, selectorFact(keywords, { graph, root, record: null }))
  }
  return chars + (definition.doc?.length ?? 0) + definition.name.length
}
