// Input schemas made of parameters in short form, and of the names in a URL.
import { expect, test } from "vitest"
import { closedSchema, extendSchema, parseParameter, placeholdersOf } from "./input-schema.ts"

test.each([
  ["city", { name: "city", type: "string", required: null, description: null }],
  ["days:integer", { name: "days", type: "integer", required: null, description: null }],
  ["city:string:required", { name: "city", type: "string", required: true, description: null }],
  ["at:string:optional:When, e.g. 10:30", { name: "at", type: "string", required: false, description: "When, e.g. 10:30" }],
  ["at:string:When: 10:30", { name: "at", type: "string", required: null, description: "When: 10:30" }],
])("%s", (text, parameter) => {
  expect(parseParameter(text)).toEqual(parameter)
})

test.each([":string", "a b:string", "", "city:date", "city:"])("'%s' is refused", (text) => {
  expect(() => parseParameter(text)).toThrow("--param")
})

test("what stands in the URL is required, once, beside what is said", () => {
  expect(placeholdersOf("https://api.example.com/{team}/{id}?again={id}")).toEqual(["team", "id"])
  expect(extendSchema(closedSchema, [parseParameter("id:integer:The number"), parseParameter("q")], ["team", "id"])).toEqual({
    type: "object",
    properties: { id: { type: "integer", description: "The number" }, q: { type: "string" }, team: { type: "string" } },
    additionalProperties: false,
    required: ["team", "id"],
  })
})

test("a change keeps the rest of the schema", () => {
  const before = {
    type: "object",
    properties: { id: { type: "string", minLength: 1 } },
    required: ["id", "q"],
    additionalProperties: false,
  }
  expect(extendSchema(before, [parseParameter("q:string:optional")], ["id"])).toEqual({
    ...before,
    properties: { id: { type: "string", minLength: 1 }, q: { type: "string" } },
    required: ["id"],
  })
})

test("a name of a prototype is a name like others", () => {
  const schema = extendSchema(closedSchema, [parseParameter("__proto__:string:required")], [])
  expect(Object.keys(schema["properties"] as object)).toEqual(["__proto__"]) // an object, as just made
})
