// Definitions refer to each other as the document says, but never to themselves without end.
import { Validator } from "@cfworker/json-schema"
import { describe, expect, it } from "vitest"
import { compileForTest, withBody } from "../../testing/compile.ts"
import type { Json, TestedDocument } from "../../testing/compile.ts"

const compiled = (schemas: Json, root: string): TestedDocument =>
  compileForTest(withBody({ $ref: `#/components/schemas/${root}` }, { components: { schemas } }))

const ref = (name: string): Json => ({ $ref: `#/components/schemas/${name}` })

function accepts(document: TestedDocument, value: unknown): boolean {
  const definitions = Object.fromEntries([...document.definitions].map(([name, text]) => [name, JSON.parse(text) as Json]))
  return new Validator({ ...document.tool("make").input, $defs: definitions }, "2020-12").validate(value).valid
}

describe("circles", () => {
  it("through properties and items stay", () => {
    const document = compiled(
      { Node: { type: "object", properties: { children: { type: "array", items: ref("Node") } }, required: ["children"] } },
      "Node",
    )
    expect(document.messages).toEqual([])
    expect(document.definition("Node")).toMatchObject({ properties: { children: { items: { $ref: "#/$defs/Node" } } } })
  })

  it("of a base with its own subtypes keep both", () => {
    const document = compiled(
      {
        Pet: {
          type: "object",
          properties: { kind: { type: "string" } },
          required: ["kind"],
          discriminator: { propertyName: "kind" },
          oneOf: [ref("Cat"), ref("Dog")],
        },
        Cat: { allOf: [ref("Pet"), { type: "object", properties: { lives: { type: "integer" } }, required: ["lives"] }] },
        Dog: { allOf: [ref("Pet"), { type: "object", properties: { tail: { type: "string" } }, required: ["tail"] }] },
      },
      "Pet",
    )
    expect(document.messages).toEqual([])
    expect(accepts(document, { body: { kind: "cat", lives: 9 } })).toBe(true)
    expect(accepts(document, { body: { kind: "dog", tail: "long" } })).toBe(true)
    expect(accepts(document, { body: { lives: 9 } })).toBe(false)
    expect(accepts(document, { body: { kind: "cat" } })).toBe(false)
  })

  it.each([
    ["a schema that is itself", { A: ref("A") }],
    ["two that are each other", { A: ref("B"), B: ref("A") }],
    ["one that is all of itself", { A: { allOf: [ref("A"), { type: "object" }] } }],
    ["one that is one of itself", { A: { oneOf: [{ type: "string" }, ref("A")] } }],
    ["one that is not itself", { A: { not: ref("A") } }],
    ["three in a ring", { A: { allOf: [ref("B")] }, B: { anyOf: [ref("C")] }, C: { allOf: [ref("A")] } }],
    ["a base whose base is its subtype", { A: { oneOf: [ref("B")], allOf: [ref("B")] }, B: { oneOf: [ref("A")], allOf: [ref("A")] } }],
  ])("of %s are opened, so that checking ends", (_, schemas) => {
    const document = compiled(schemas, "A")
    expect(document.names).toEqual(["make"])
    expect(accepts(document, { body: "x" })).toBeTypeOf("boolean")
  })

  it("of ten thousand are opened without recursion", () => {
    const count = 10_000
    const schemas = Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`S${index}`, { allOf: [ref(`S${(index + 1) % count}`)] }]),
    )
    const document = compiled(schemas, "S0")
    expect(document.definitions.size).toBe(count)
    expect(document.messages).toHaveLength(1)
  })
})

describe("the set of definitions", () => {
  it("holds what selected tools need, and nothing else", () => {
    const schemas = { A: { type: "object", properties: { b: ref("B") } }, B: { type: "string" }, C: { type: "number" } }
    const document = compileForTest(
      {
        openapi: "3.0.0",
        components: { schemas },
        paths: {
          "/a": { post: { requestBody: { content: { "application/json": { schema: { type: "array", items: ref("A") } } } } } },
          "/c": { post: { requestBody: { content: { "application/json": { schema: { type: "array", items: ref("C") } } } } } },
          "/broken": {
            post: { requestBody: { $ref: "#/components/requestBodies/Gone" }, parameters: [{ name: "c", in: "query", schema: ref("C") }] },
          },
        },
      },
      { exclude: ["/c"] },
    )
    expect(document.names).toEqual(["a.create"])
    expect([...document.definitions.keys()]).toEqual(["A", "B"])
  })
})
