// Prints tools one after the other with what was kept of their neighbours, and each alone.
import * as fc from "fast-check"
import { expect, test } from "vitest"
import { defaultLimits } from "../core/limits.ts"
import type { JsonSchema } from "../core/tool.ts"
import type { DefinitionMemo } from "./definition-memo.ts"
import { printToolTypes } from "./tool-types.ts"

/** Names that want the same identifier, so that who comes first matters. */
const definitionNames = ["Pod", "v1.Pod", "v2.Pod", "pod", "A", "a", "Id", "Gone"]
const ref = fc.constantFrom(...definitionNames).map((name) => ({ $ref: `#/$defs/${name}` }))
const text = fc.constantFrom("", "The pod.", "How many pods of this kind may be started at once.")
const scalar = fc.record({ type: fc.constantFrom("string", "integer"), description: text })

const node = (levels: number): fc.Arbitrary<unknown> => {
  if (levels === 0) return fc.oneof(ref, scalar, fc.constant(true))
  const below = node(levels - 1)
  const properties = fc.dictionary(fc.constantFrom("a", "b", "pod", "count"), below, { maxKeys: 4 })
  const union = fc.array(below, { minLength: 1, maxLength: 3 })
  const mapping = fc.dictionary(fc.constantFrom("x", "y"), fc.constantFrom("#/$defs/Pod", "#/$defs/v1.Pod"), { maxKeys: 2 })
  return fc.oneof(
    { weight: 2, arbitrary: below },
    { weight: 3, arbitrary: fc.record({ type: fc.constant("object"), properties, description: text }) },
    fc.record({ type: fc.constant("object"), properties, additionalProperties: below }),
    fc.record({ type: fc.constant("object"), patternProperties: fc.record({ "^x": below }) }),
    fc.record({ type: fc.constant("array"), items: below }),
    fc.record({ type: fc.constant("array"), prefixItems: union }),
    fc.record({ allOf: union }),
    fc.record({ oneOf: union, discriminator: fc.record({ propertyName: fc.constant("kind"), mapping }) }),
  )
}

const schema = node(2).map((made): JsonSchema => (typeof made === "object" ? (made as JsonSchema) : {})) // every other node is an object
const definitions = fc.array(fc.tuple(fc.constantFrom(...definitionNames.slice(0, -1)), schema), { minLength: 3, maxLength: 8 })
const tools = fc.array(fc.record({ inputSchema: schema, outputSchema: schema }), { minLength: 2, maxLength: 5 })

test("what a tool is printed as does not depend on what was printed before", () => {
  fc.assert(
    fc.property(definitions, tools, fc.constantFrom(300, 800, 24_000), (entries, shown, previewCharsMax) => {
      const shared = new Map(entries)
      const limits = { ...defaultLimits, previewCharsMax }
      const memo: DefinitionMemo = new WeakMap()
      for (const tool of [...shown, ...shown.toReversed()]) {
        const alone = printToolTypes({ ...tool, definitions: shared }, limits)
        expect(printToolTypes({ ...tool, definitions: shared, memo }, limits)).toEqual(alone)
      }
    }),
    { numRuns: 1500 },
  )
})

test("a definition that was shown before is not read again", () => {
  let reads = 0
  const pod = {
    get type() {
      reads++
      return "object"
    },
    properties: { next: { $ref: "#/$defs/Pod" } },
  }
  const memo: DefinitionMemo = new WeakMap()
  const tool = { inputSchema: { $ref: "#/$defs/Pod" }, outputSchema: null, definitions: new Map([["Pod", pod]]), memo }
  const first = printToolTypes(tool)
  const readsFirst = reads
  expect(printToolTypes(tool)).toEqual(first)
  expect(reads - readsFirst).toBeLessThan(readsFirst)
})
