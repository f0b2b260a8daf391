// How the schema of a form is read.
import { expect, test } from "vitest"
import { readForm } from "./form.ts"

const one = (field: unknown) => readForm({ type: "object", properties: { a: field } })?.[0]

test.each([
  ["boolean", { type: "boolean" }],
  ["number", { type: "integer", minimum: 1 }],
  ["number", { anyOf: [{ type: "number" }, { type: "null" }] }],
  ["text", { type: "string", format: "email" }],
  ["text", { enum: ["a", "b"] }],
  ["choices", { type: "array", items: { type: "string", enum: ["a", "b"] } }],
  ["json", { type: "array", items: { type: "string" } }],
  ["json", { type: "object" }],
  ["json", {}],
  ["json", "not a schema"],
])("%s: %j", (kind, field) => {
  expect(one(field)?.kind).toBe(kind)
})

test("choices have titles, whichever way they are written", () => {
  const titled = [
    { value: "a", title: "First" },
    { value: "b", title: "b" },
  ]
  expect(one({ enum: ["a", "b"], enumNames: ["First"] })?.choices).toEqual(titled)
  expect(one({ oneOf: [{ const: "a", title: "First" }, { const: "b" }] })?.choices).toEqual(titled)
  expect(one({ type: "array", items: { anyOf: [{ const: "a", title: "First" }, { const: "b" }] } })?.choices).toEqual(titled)
  expect(one({ anyOf: [{ const: "a" }, { type: "string" }] })?.choices).toEqual([])
})

test("texts and what is required are read; what is not a form is none", () => {
  const schema = { type: "object", properties: { a: { title: "A", description: "The first" }, b: { title: 1 } }, required: ["a"] }
  expect(readForm(schema)?.map(({ title, description, isRequired }) => [title, description, isRequired])).toEqual([
    ["A", "The first", true],
    [null, null, false],
  ])
  expect([null, "text", [], { type: "string" }, { properties: [] }].map(readForm)).toEqual([null, null, null, null, null])
})
