// What schemas look like as types: one row for each thing that a schema can say.
import { describe, expect, it } from "vitest"
import type { JsonSchema } from "../core/tool.ts"
import { printToolTypes } from "./tool-types.ts"

const print = (inputSchema: unknown, definitions: Record<string, unknown> = {}) =>
  printToolTypes({
    inputSchema: inputSchema as JsonSchema, // also what is no schema must print
    outputSchema: null,
    definitions: (name) => (Object.hasOwn(definitions, name) ? (definitions[name] as JsonSchema) : undefined), // as above
  })
const typeOf = (schema: unknown, definitions: Record<string, unknown> = {}): string => print(schema, definitions).inputTypeScript

const string = { type: "string" }
const number = { type: "number" }

describe("types", () => {
  it.each<[string, unknown, string]>([
    ["empty schema", {}, "unknown"],
    ["true", true, "unknown"],
    ["false", false, "never"],
    ["no schema", "string", "unknown"],
    ["integer", { type: "integer" }, "number"],
    ["a type that is none", { type: "date" }, "unknown"],
    ["several types", { type: ["string", "null", "integer"] }, "string | number | null"],
    ["nullable of OpenAPI 3.0", { type: "string", nullable: true }, "string | null"],
    ["nullable reference", { $ref: "#/$defs/User", nullable: true }, "User | null"],
    ["enum", { type: "string", enum: ["open", "closed"] }, '"open" | "closed"'],
    ["nullable enum", { type: "string", nullable: true, enum: ["a", null] }, '"a" | null'],
    ["enum of all sorts", { enum: [1, -2, true, "x", { a: [1] }, []] }, '1 | -2 | true | "x" | { a: [1] } | never[]'],
    ["const", { const: 'say "hi"\n' }, String.raw`"say \"hi\"\n"`],
    ["const null", { const: null }, "null"],
    ["array", { type: "array", items: string }, "string[]"],
    ["array of a union", { type: "array", items: { anyOf: [string, number] } }, "(string | number)[]"],
    ["array of anything", { type: "array" }, "unknown[]"],
    ["empty array", { type: "array", items: false }, "never[]"],
    ["closed tuple", { type: "array", prefixItems: [string, number], items: false, minItems: 2 }, "[string, number]"],
    [
      "open tuple",
      { type: "array", prefixItems: [string, { anyOf: [string, number] }], minItems: 1 },
      "[string, (string | number)?, ...unknown[]]",
    ],
    ["tuple of draft-07", { type: "array", items: [string], additionalItems: number }, "[string?, ...number[]]"],
    ["fixed length", { type: "array", items: number, minItems: 2, maxItems: 2 }, "[number, number]"],
    ["object", { type: "object", properties: { a: string, b: number }, required: ["a"] }, "{ a: string; b?: number }"],
    ["object without type", { properties: { a: string } }, "{ a?: string }"],
    ["free object", { type: "object" }, "Record<string, unknown>"],
    ["empty object", { type: "object", additionalProperties: false }, "Record<string, never>"],
    ["record", { type: "object", additionalProperties: number }, "{ [key: string]: number }"],
    ["record of anything", { type: "object", additionalProperties: true }, "Record<string, unknown>"],
    [
      "record with known keys",
      { type: "object", propertyNames: { enum: ["a", "b"] }, additionalProperties: number },
      '{ [key in "a" | "b"]?: number }',
    ],
    ["pattern for all", { type: "object", patternProperties: { ".*": string } }, "{ [key: string]: string }"],
    ["pattern for some", { type: "object", patternProperties: { "^x-": string } }, "{ [key: string]: unknown /* /^x-/: string */ }"],
    [
      "properties beside a record",
      { properties: { a: string }, additionalProperties: number },
      "{ a?: string; [key: string]: number | string | undefined }",
    ],
    [
      "open beside properties",
      { properties: { a: string }, required: ["a"], additionalProperties: true },
      "{ a: string; [key: string]: unknown }",
    ],
    ["required without declaration", { type: "object", required: ["a"] }, "{ a: unknown }"],
    [
      "names that need quotes",
      { properties: { "a-b": string, "1": string, $x: string, "": string } },
      '{ "1"?: string; "a-b"?: string; $x?: string; ""?: string }',
    ],
    ["oneOf", { oneOf: [string, { type: "null" }, number] }, "string | number | null"],
    ["a union with anything", { anyOf: [string, {}] }, "unknown"],
    [
      "allOf of objects",
      { allOf: [{ properties: { a: string } }, { properties: { b: number }, required: ["a", "b"] }] },
      "{ a: string; b: number }",
    ],
    [
      "allOf with a reference",
      { type: "object", allOf: [{ $ref: "#/$defs/User" }, { properties: { b: number } }] },
      "User & { b?: number }",
    ],
    ["allOf with a wrapped reference", { allOf: [{ $ref: "#/$defs/User" }], description: "Who", nullable: true }, "User | null"],
    [
      "union beside properties",
      { properties: { a: string, b: string }, anyOf: [{ required: ["a"] }, { required: ["b"] }] },
      "({ a: unknown } | { b: unknown }) & { a?: string; b?: string }",
    ],
    ["string with consts", { type: "string", oneOf: [{ const: "a" }, { const: "b" }] }, '"a" | "b"'],
    ["not, if, else", { type: "string", not: { const: "x" }, if: {}, else: false }, "string"],
    ["scalar definition", { $ref: "#/$defs/Time" }, "string"],
    ["unresolved reference", { $ref: "#/$defs/Gone" }, "unknown"],
    ["reference to elsewhere", { $ref: "https://example.com/user.json" }, "unknown"],
    ["reference of draft-07", { $ref: "#/definitions/User" }, "User"],
    ["reference of OpenAPI", { $ref: "#/components/schemas/User" }, "User"],
  ])("%s", (_name, schema, expected) => {
    expect(typeOf(schema, { User: { type: "object", properties: { id: number } }, Time: { type: "string", format: "date-time" } })).toBe(
      expected,
    )
  })

  it("breaks long objects into lines and keeps short ones in one", () => {
    const inner = { type: "object", properties: { name: string, color: string } }
    const properties = {
      labels: { type: "array", items: inner },
      "a-rather-long-name-for-a-property": string,
      another_property_with_a_long_name: number,
    }
    expect(typeOf({ type: "object", properties, required: ["labels"] })).toBe(
      '{\n  labels: { name?: string; color?: string }[];\n  "a-rather-long-name-for-a-property"?: string;\n  another_property_with_a_long_name?: number;\n}',
    )
  })

  it("names the base of an enum that is too long to list", () => {
    const values = Array.from({ length: 500 }, (_, index) => `v${index}`)
    expect(typeOf({ type: "string", enum: values })).toBe('string /* one of 500: "v0", "v1", "v2", "v3", "v4", … */')
  })
})

describe("definitions", () => {
  it("prints what is reached, once, and recursion by name", () => {
    const node = { type: "object", properties: { next: { $ref: "#/$defs/tree-node" }, leaf: { $ref: "#/$defs/leaf" } } }
    const { inputTypeScript, typeScriptDefinitions } = print(
      { type: "array", items: { $ref: "#/$defs/tree-node" } },
      { "tree-node": node, leaf: { type: "object", properties: { a: string } }, unused: node },
    )
    expect(inputTypeScript).toBe("TreeNode[]")
    expect(typeScriptDefinitions).toEqual({ TreeNode: "{ next?: TreeNode; leaf?: Leaf }", Leaf: "{ a?: string }" })
  })

  it("resolves references inside the schema itself, to its parts and to the whole", () => {
    const schema = {
      type: "object",
      properties: {
        child: { $ref: "#" },
        first: { type: "object", properties: { x: number } },
        second: { $ref: "#/properties/first" },
        own: { $ref: "#/$defs/Own~1er" },
      },
      $defs: { "Own/er": { enum: ["a", "b"] } },
    }
    expect(print(schema)).toEqual({
      inputTypeScript: "InputRoot",
      outputTypeScript: "unknown",
      typeScriptDefinitions: {
        InputRoot: "{ child?: InputRoot; first?: { x?: number }; second?: First; own?: OwnEr }",
        First: "{ x?: number }",
        OwnEr: '"a" | "b"',
      },
    })
  })

  it("keeps equal names of input and output apart", () => {
    const own = (type: string): JsonSchema => ({ $ref: "#/$defs/Item", $defs: { Item: { type: "object", properties: { a: { type } } } } })
    const types = printToolTypes({ inputSchema: own("string"), outputSchema: own("number"), definitions: new Map() })
    expect(types).toEqual({
      inputTypeScript: "Item",
      outputTypeScript: "Item2",
      typeScriptDefinitions: { Item: "{ a?: string }", Item2: "{ a?: number }" },
    })
  })

  it("shortens dotted names as long as they stay apart", () => {
    const object = (name: string) => ({ type: "object", properties: { [name]: string } })
    const { inputTypeScript } = print(
      {
        type: "array",
        prefixItems: ["io.k8s.api.core.v1.Pod", "io.k8s.api.core.v2.Pod", "Pod"].map((name) => ({ $ref: `#/$defs/${name}` })),
        items: false,
      },
      { "io.k8s.api.core.v1.Pod": object("a"), "io.k8s.api.core.v2.Pod": object("b"), Pod: object("c") },
    )
    expect(inputTypeScript).toBe("[Pod?, V2Pod?, Pod2?]")
  })

  it("gives a union and its members, which are all of it, a common base", () => {
    const pet = {
      type: "object",
      properties: { kind: string },
      required: ["kind"],
      oneOf: [{ $ref: "#/$defs/Cat" }, { $ref: "#/$defs/Dog" }],
    }
    const kind = (name: string) => ({ allOf: [{ $ref: "#/$defs/Pet" }, { type: "object", properties: { [name]: { type: "boolean" } } }] })
    expect(print({ $ref: "#/$defs/Pet" }, { Pet: pet, Cat: kind("meows"), Dog: kind("barks") }).typeScriptDefinitions).toEqual({
      PetBase: "{ kind: string }",
      Pet: "(Cat | Dog) & { kind: string }",
      Cat: "PetBase & { meows?: boolean }",
      Dog: "PetBase & { barks?: boolean }",
    })
  })

  it("does not follow references that lead only to themselves", () => {
    const { typeScriptDefinitions } = print(
      { $ref: "#/$defs/A" },
      { A: { $ref: "#/$defs/B" }, B: { anyOf: [{ $ref: "#/$defs/A" }, string] } },
    )
    expect(typeScriptDefinitions).toEqual({ A: "unknown /* refers to itself */", B: "unknown /* refers to itself */" })
  })
})
