// Long integers as a real server receives them: all of their digits, as numbers where the document wants numbers.
import { afterAll, beforeAll, expect, test } from "vitest"
import type { Caller } from "../../../../test/servers/openapi-call.ts"
import { parameter, startCaller } from "../../../../test/servers/openapi-call.ts"
import type { BoundBody } from "../binding.ts"
import { withDigits } from "./body-digits.ts"

let caller: Caller
beforeAll(async () => void (caller = await startCaller()))
afterAll(() => caller.close())

const id = "9007199254740993"
const integer = { type: "integer", format: "int64" }
const body: BoundBody = {
  contentType: "application/json",
  required: true,
  form: { kind: "flat", properties: ["id", "ids", "name"], open: false },
  encoding: {},
}

test("in the path and in the query", async () => {
  const parameters = [parameter("order", "path"), parameter("after", "query")]
  const seen = await caller.seen({ order: id, after: `-${id}` }, { binding: { path: "/pets/{order}", parameters } })
  expect(seen.path).toBe(`/pets/${id}?after=-${id}`)
})

test("in a JSON body", async () => {
  const inputSchema = {
    properties: { id: integer, ids: { type: "array", items: { anyOf: [integer, { type: "null" }] } }, name: { type: "string" } },
  }
  const seen = await caller.seen({ id, ids: [1, id, null], name: id }, { binding: { method: "post", body }, inputSchema })
  expect(seen.body.toString()).toBe(`{"id":${id},"ids":[1,${id},null],"name":"${id}"}`)
})

test.each([
  ["a definition", { properties: { a: { $ref: "#/$defs/Id" } } }, { a: id }, `{"a":${id}}`],
  ["a definition of itself", { properties: { a: { $ref: "#/$defs/Loop" } } }, { a: { b: { b: id } } }, `{"a":{"b":{"b":"${id}"}}}`],
  ["a text or a number", { properties: { a: { type: ["string", "integer"] } } }, { a: id }, `{"a":"${id}"}`],
  ["any property", { additionalProperties: integer }, { ["__proto__x"]: id }, `{"__proto__x":${id}}`],
  ["nothing said", {}, { a: id }, `{"a":"${id}"}`],
  ["a small one", { properties: { a: integer } }, { a: "12" }, `{"a":"12"}`],
])("%s", async (_, schema, args, text) => {
  const known = new Map([
    ["Id", JSON.stringify(integer)],
    ["Loop", '{"allOf":[{"$ref":"#/$defs/Loop"}],"properties":{"b":{"$ref":"#/$defs/Loop"}}}'],
  ])
  const sent = await withDigits(args, JSON.stringify(schema), () => Promise.resolve(known))
  expect(JSON.stringify(sent)).toBe(text)
})
