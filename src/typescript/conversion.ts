// What the conversion of one schema works with: where its references lead, and how much of the type may still be written.
import type { Comments } from "./comment-text.ts"
import type { DefinitionGraph, Root } from "./definition-graph.ts"
import type { ConversionRecord } from "./definition-memo.ts"
import type { SchemaKeywords } from "./schema-read.ts"
import type { TypeNode } from "./type-node.ts"

export type Conversion = {
  readonly graph: DefinitionGraph
  readonly root: Root
  /** The words of what the properties belong to: a comment need not repeat them. */
  readonly context: readonly string[]
  readonly comments: Comments
  readonly depthMax: number
  readonly enumValuesMax: number
  /** Null where the type is not kept for another graph. */
  readonly record: ConversionRecord | null
  /** How many characters the type may still take; below zero, what follows is left out. */
  charsLeft: number
  /** Objects and arrays hold schemas themselves. */
  convert(schema: unknown, to: Conversion, depth: number): TypeNode
  convertKeywords(keywords: SchemaKeywords, to: Conversion, depth: number): TypeNode
}
