// Converts schemas within a budget of characters, breadth first from what a tool names to what that reaches.
import { docOf, wordsOf } from "./comment-text.ts"
import type { Definition, DefinitionGraph, Root } from "./definition-graph.ts"
import { convert, selectorFact } from "./schema-convert.ts"
import type { Conversion } from "./schema-convert.ts"
import { readSchema } from "./schema-read.ts"
import { collectReferences, word } from "./type-node.ts"
import type { TypeNode } from "./type-node.ts"

export type TypeLimits = {
  readonly depthMax: number
  readonly enumValuesMax: number
  /** For one schema or definition. */
  readonly schemaCharsMax: number
  /** For all definitions together. */
  readonly definitionsCharsMax: number
}

/** A schema that is too long is shown as deep as it fits, so that its first levels stay whole. */
const depthsTried = [2, 3, 4, 5, 6, 8]

export type Fitted = { readonly type: TypeNode; readonly chars: number }

export function convertWithin(
  schema: unknown,
  charsMax: number,
  root: Root,
  context: string,
  graph: DefinitionGraph,
  limits: TypeLimits,
): Fitted {
  const attempt = (depthMax: number): Attempt => {
    const to: Conversion = { graph, root, context: wordsOf(context), depthMax, enumValuesMax: limits.enumValuesMax, charsLeft: charsMax }
    const type = convert(schema, to, 0)
    return { type, charsLeft: to.charsLeft }
  }
  const whole = attempt(limits.depthMax)
  if (whole.charsLeft >= 0) return { type: whole.type, chars: charsMax - whole.charsLeft }
  let best = attempt(1)
  for (const depthMax of depthsTried) {
    const deeper = best.charsLeft < 0 ? best : attempt(Math.min(depthMax, limits.depthMax))
    if (deeper.charsLeft < 0) break
    best = deeper
  }
  return { type: best.type, chars: charsMax - best.charsLeft }
}

type Attempt = { readonly type: TypeNode; readonly charsLeft: number }

/** Everything that the types reach, in the order in which a reader meets it. What is over the budget is `unknown`. */
export function convertReached(seeds: ReadonlySet<Definition>, graph: DefinitionGraph, limits: TypeLimits): Definition[] {
  const reached = new Set(seeds)
  let charsLeft = limits.definitionsCharsMax
  // A set yields what is added to it during the loop: it is the queue.
  for (const definition of reached) {
    if (definition.type === null) charsLeft -= convertDefinition(definition, Math.min(limits.schemaCharsMax, charsLeft), graph, limits)
    if (definition.type !== null) collectReferences(definition.type, reached)
  }
  return [...reached]
}

const definitionCharsMin = 100

function convertDefinition(definition: Definition, charsMax: number, graph: DefinitionGraph, limits: TypeLimits): number {
  if (charsMax < definitionCharsMin) {
    definition.type = word("unknown", "not shown")
    return 0
  }
  const { schema, root, sourceName } = definition
  const { type, chars } = convertWithin(schema, charsMax, root, sourceName, graph, limits)
  definition.type = type
  const keywords = readSchema(schema)
  definition.doc =
    keywords === null
      ? null
      : docOf(keywords, { name: sourceName, context: [], showsDefault: true }, selectorFact(keywords, { graph, root }))
  return chars + (definition.doc?.length ?? 0) + definition.name.length
}
