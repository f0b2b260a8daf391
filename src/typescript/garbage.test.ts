// What is hardly a schema at all: keywords in the wrong places with wrong values still give types that compile.
import * as fc from "fast-check"
import { expect, it } from "vitest"
import type { JsonSchema } from "../core/tool.ts"
import { compileErrors, typesAsNamespace } from "./testing/compiler.ts"
import { printToolTypes } from "./tool-types.ts"

const keywords =
  "$ref type enum const nullable allOf anyOf oneOf not if discriminator properties patternProperties additionalProperties propertyNames required items prefixItems additionalItems minItems maxItems description deprecated format pattern default minimum exclusiveMinimum maxLength $defs definitions propertyName mapping a b-c __proto__".split(
    " ",
  )
const values = [
  "#",
  "#/$defs/A",
  "#/$defs/B",
  "#/properties/a",
  "#/allOf/0",
  "object",
  "array",
  "string",
  "null",
  "*/",
  "/*",
  "\n",
  "`${",
  '"',
  "\\",
]

const leaf = fc.oneof(fc.constantFrom(...values), fc.string({ unit: "binary" }), fc.double(), fc.boolean(), fc.constant(null))
const objectOf = (member: fc.Arbitrary<unknown>, maxLength: number): fc.Arbitrary<JsonSchema> =>
  fc.array(fc.tuple(fc.constantFrom(...keywords), member), { minLength: 1, maxLength }).map((entries) => Object.fromEntries(entries))
const nodesOf = (levels: number): fc.Arbitrary<unknown> =>
  levels === 0 ? leaf : fc.oneof(leaf, fc.array(nodesOf(levels - 1), { maxLength: 4 }), objectOf(nodesOf(levels - 1), 6))
const garbage = objectOf(nodesOf(4), 8)

it("compiles", async () => {
  const seed = Number(process.env["TYPES_SEED"] ?? 1)
  const samples = fc.sample(fc.tuple(garbage, garbage, garbage, garbage), { numRuns: 500, seed })
  const text = samples.map(([inputSchema, outputSchema, a, b], index) => {
    const definitions = new Map([
      ["A", a],
      ["B", b],
    ])
    return typesAsNamespace(`Case${index}`, printToolTypes({ inputSchema, outputSchema, definitions }))
  })
  expect(await compileErrors(new Map([["garbage.ts", text.join("")]]))).toEqual([])
})
