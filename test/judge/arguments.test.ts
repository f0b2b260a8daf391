// The generator of arguments: that it makes what a schema asks for, always the same, and says so when it cannot.
import { describe, expect, test } from "vitest"
import type { JsonSchema } from "../../src/core/tool.ts"
import { generateArguments } from "./arguments.ts"
import type { Fill, ToolInput } from "./arguments.ts"

const input = (properties: JsonSchema, more: JsonSchema = {}, definitions: Record<string, JsonSchema> = {}): ToolInput => ({
  inputSchema: { type: "object", properties, additionalProperties: false, ...more },
  schemaDefinitions: definitions,
})

function made(tool: ToolInput, fill: Fill, seed = 1): Record<string, unknown> {
  const generated = generateArguments(tool, fill, seed)
  if (!generated.ok) throw new Error(generated.reason)
  return generated.args
}

const value = (schema: JsonSchema): unknown => made(input({ value: schema }), "all")["value"]

describe("arguments", () => {
  test("hold what is required, or everything", () => {
    const tool = input({ a: { type: "string" }, b: { type: "integer" }, c: { type: "boolean" } }, { required: ["a"] })
    expect(Object.keys(made(tool, "required"))).toEqual(["a"])
    expect(Object.keys(made(tool, "all")).toSorted()).toEqual(["a", "b", "c"])
  })

  test("are the same for the same seed", () => {
    const tool = input({ a: { type: "string" }, b: { type: "string", pattern: "^[a-z]{8}-[0-9]{3}$" } })
    expect(made(tool, "all", 7)).toEqual(made(tool, "all", 7))
    expect(made(tool, "all", 7)).not.toEqual(made(tool, "all", 8))
  })

  test("bring what goes together", () => {
    const tool = input({ a: { type: "string" }, b: { type: "string" } }, { minProperties: 1, dependentRequired: { a: ["b"] } })
    expect(Object.keys(made(tool, "required")).toSorted()).toEqual(["a", "b"])
  })

  test("end where a schema leads back to itself", () => {
    const node = { type: "object", properties: { next: { $ref: "#/$defs/Node" }, name: { type: "string" } }, required: ["name"] }
    const args = made(input({ node: { $ref: "#/$defs/Node" } }, {}, { Node: node }), "all")
    expect(args).toMatchObject({ node: { next: { next: { name: expect.any(String) } } } })
  })

  test("leave out what is read-only below the top", () => {
    const user = { type: "object", properties: { id: { type: "string", readOnly: true }, name: { type: "string" } } }
    expect(Object.keys(value(user) as object)).toEqual(["name"])
    expect(Object.keys(made(input({ id: { type: "string", readOnly: true } }), "all"))).toEqual(["id"])
  })
})

describe("a value", () => {
  test.each([
    [{ type: "string", format: "date" }, /^\d{4}-\d\d-\d\d$/],
    [{ type: "string", format: "date-time" }, /^\d{4}-\d\d-\d\dT.*Z$/],
    [{ type: "string", format: "uuid" }, /^[0-9a-f-]{36}$/],
    [{ type: "string", format: "ipv4" }, /^192\.0\.2\.\d+$/],
    [{ type: "string", minLength: 12, maxLength: 12 }, /^.{12}$/],
    [{ type: "string", pattern: "^sha256:[a-f0-9]{64}$", minLength: 71, maxLength: 71 }, /^sha256:[a-f0-9]{64}$/],
    [{ type: "string", pattern: "[A-Z][A-Z]", maxLength: 2 }, /^[A-Z]{2}$/],
    [{ type: "string", format: "uri", pattern: "^https://" }, /^https:/],
    [{ anyOf: [{ type: "null" }, { type: "integer" }, { type: "string", enum: ["x"] }] }, /^x$/],
  ])("of %j is one", (schema, expected) => {
    expect(value(schema)).toMatch(expected)
  })

  test.each([
    [{ type: "integer", minimum: 100, maximum: 100 }, 100],
    [{ type: "integer", exclusiveMinimum: 7, exclusiveMaximum: 9 }, 8],
    [{ type: "number", minimum: 0.1, maximum: 0.2 }, 0.1],
    [{ type: "integer", multipleOf: 50, minimum: 51, maximum: 149 }, 100],
    [{ const: { a: [1] } }, { a: [1] }],
    [{ type: "string", enum: [null, 5, "a"] }, "a"],
    [{ type: ["null", "boolean"] }, true],
    [{ type: "array", items: { enum: ["a", "b"] }, uniqueItems: true, minItems: 2 }, expect.arrayContaining(["a", "b"])],
    [{ allOf: [{ type: "object", properties: { a: { const: 1 } } }, { properties: { b: { const: 2 } } }] }, { a: 1, b: 2 }],
    [{ oneOf: [{ required: ["a"] }, { required: ["b"] }], properties: { a: { const: 1 }, b: { const: 2 } }, type: "object" }, { a: 1 }],
  ])("of %j is %j", (schema, expected) => {
    expect(value(schema)).toEqual(expected)
  })

  test("of a file is a ToolFile", () => {
    const file = { title: "ToolFile", type: "object", properties: { data: { type: "string" } }, required: ["data"] }
    const args = made(input({ file: { anyOf: [{ $ref: "#/$defs/ToolFile" }, { type: "string" }] } }, {}, { ToolFile: file }), "all")
    expect(args).toMatchObject({ file: { _tag: "ToolFile", encoding: "base64" } })
  })
})

test("what can not fit exactly one alternative fits several", () => {
  const overlapping = input({ value: { oneOf: [{ const: "x" }, { const: "x", type: "string" }] } }, { required: ["value"] })
  expect(generateArguments(overlapping, "required", 1)).toEqual({ ok: true, args: { value: "x" } })
})

test.each([
  [{ type: "integer", minimum: 5, maximum: 4 }],
  [{ allOf: [{ type: "string" }, { type: "integer" }] }],
  [{ type: "string", pattern: "^a$", minLength: 2 }],
  [{ type: "array", items: { const: 1 }, uniqueItems: true, minItems: 2 }],
  [{ $ref: "#/$defs/Loop" }],
])("what cannot be made is said to be so: %j", (schema) => {
  const loop = { type: "object", properties: { a: { $ref: "#/$defs/Loop" } }, required: ["a"] }
  expect(generateArguments(input({ value: schema }, { required: ["value"] }, { Loop: loop }), "required", 1)).toMatchObject({ ok: false })
})
