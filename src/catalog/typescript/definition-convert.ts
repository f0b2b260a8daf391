// Converts schemas within a budget of characters, breadth first from what a tool names to what that reaches.
import { docOf } from "./comment-text.ts"
import type { Comments } from "./comment-text.ts"
import { wordsOf } from "./comment-words.ts"
import type { Definition, DefinitionGraph, Root } from "./definition-graph.ts"
import { convert, selectorFact } from "./schema-convert.ts"
import type { Conversion } from "./schema-convert.ts"
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
}

/** `subject`: what its properties belong to, in words. */
export type Source = { readonly schema: unknown; readonly root: Root; readonly subject: string; readonly comments: Comments }
export type Fitted = { readonly type: TypeNode; readonly chars: number }

/** A schema that is too long is shown as deep as it fits, so that its first levels stay whole. */
const depthsTried = [2, 3, 4, 5, 6, 8]

/** The type of a schema in at most about so many characters: without its sentences if need be, then less deep. */
export function convertWithin(source: Source, charsMax: number, graph: DefinitionGraph, limits: TypeLimits): Fitted {
  const { schema, root } = source
  const context = wordsOf(source.subject)
  const attempt = (depthMax: number, comments: Comments): Attempt => {
    const to: Conversion = { graph, root, context, comments, depthMax, enumValuesMax: limits.enumValuesMax, charsLeft: charsMax }
    const type = convert(schema, to, 0)
    return { type, chars: charsMax - to.charsLeft, fits: to.charsLeft >= 0 }
  }
  for (const comments of new Set<Comments>([source.comments, "facts"])) {
    const whole = attempt(limits.depthMax, comments)
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
export function convertReached(seeds: ReadonlySet<Definition>, graph: DefinitionGraph, limits: TypeLimits): Definition[] {
  const told = convertFrom(seeds, () => "sentences and facts", graph, limits)
  if (told.every((definition) => definition.type !== notShown)) return told
  for (const definition of told) definition.type = null
  return convertFrom(seeds, (definition) => (seeds.has(definition) ? "sentences and facts" : "facts"), graph, limits)
}

function convertFrom(
  seeds: ReadonlySet<Definition>,
  commentsOf: (definition: Definition) => Comments,
  graph: DefinitionGraph,
  limits: TypeLimits,
): Definition[] {
  const reached = new Set(seeds)
  let charsLeft = limits.definitionsCharsMax
  // A set yields what is added to it during the loop: it is the queue.
  for (const definition of reached) {
    charsLeft -= convertDefinition(definition, Math.min(limits.definitionCharsMax, charsLeft), commentsOf(definition), graph, limits)
    if (definition.type !== null) collectReferences(definition.type, reached)
  }
  return [...reached]
}

const notShown = word("unknown", "not shown")
const definitionCharsMin = 100

function convertDefinition(
  definition: Definition,
  charsMax: number,
  comments: Comments,
  graph: DefinitionGraph,
  limits: TypeLimits,
): number {
  definition.type = notShown
  definition.doc = null
  if (charsMax < definitionCharsMin) return 0
  const { schema, root, sourceName } = definition
  const { type, chars } = convertWithin({ schema, root, subject: sourceName, comments }, charsMax, graph, limits)
  definition.type = type
  const keywords = readSchema(schema)
  if (keywords !== null) {
    const subject = { name: sourceName, context: [], comments, showsDefault: true }
    definition.doc = docOf(keywords, subject, selectorFact(keywords, { graph, root }))
  }
  return chars + (definition.doc?.length ?? 0) + definition.name.length
}
