// Tests what a model is told of schemas that its provider would refuse.
import { expect, test } from "vitest"
import { toModelSchema, toPlainObject } from "./model-schema.ts"

test("a plain object stays as it is", () => {
  const schema = { type: "object", properties: { a: { anyOf: [{ type: "string" }, { type: "null" }] } }, required: ["a"] }
  expect(toModelSchema(schema)).toEqual({ schema, ownNames: {} })
  expect(toPlainObject({ type: ["object", "null"] })).toEqual({ type: "object", properties: {} })
})

test("alternatives, parts and references become properties side by side; what all demand stays required", () => {
  const schema = {
    description: "Pays",
    allOf: [{ $ref: "#/$defs/Base" }, { properties: { amount: { type: "number" } }, required: ["amount"] }],
    oneOf: [
      { properties: { card: { type: "string" }, kind: { const: "card" } }, required: ["card"] },
      { properties: { iban: { type: "string" }, kind: { const: "bank" } }, required: ["iban"] },
    ],
    $defs: { Base: { properties: { id: { type: "string" } }, required: ["id"], allOf: [{ $ref: "#/$defs/Base" }] } },
  }
  expect(toPlainObject(schema)).toEqual({
    description: "Pays",
    type: "object",
    properties: {
      card: { type: "string" },
      kind: { anyOf: [{ const: "card" }, { const: "bank" }] },
      iban: { type: "string" },
      id: { type: "string" },
      amount: { type: "number" },
    },
    required: ["amount", "id"],
    $defs: schema.$defs,
  })
})

test("a name that providers refuse is replaced, whatever else there is", () => {
  const properties = Object.fromEntries(["@", "$", "value", "a b", "a_b", "__proto__", "x".repeat(70)].map((name) => [name, {}]))
  const { schema, ownNames } = toModelSchema({ type: "object", properties, required: ["a b", "value"] })
  expect(ownNames).toEqual({ value_2: "@", value_3: "$", a_b_2: "a b", ["x".repeat(60)]: "x".repeat(70) })
  expect(schema).toMatchObject({ required: ["a_b_2", "value"] })
  expect(Object.keys(schema["properties"] ?? {})).toEqual(["value_2", "value_3", "value", "a_b_2", "a_b", "__proto__", "x".repeat(60)])
})
