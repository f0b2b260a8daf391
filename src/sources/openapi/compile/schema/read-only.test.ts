// What is read-only stays in answers and is no part of an input, however deep it lies.
import { describe, expect, it } from "vitest"
import { compileForTest, openApi, withBody } from "../../testing/compile.ts"
import type { Json, TestedDocument } from "../../testing/compile.ts"

const id = { type: "string", readOnly: true }
const name = { type: "string" }
const pet = { type: "object", properties: { id, name }, required: ["id", "name"] }
const ref = (to: string): Json => ({ $ref: `#/components/schemas/${to}` })
const compile = (schema: Json, schemas: Json): TestedDocument => compileForTest(withBody(schema, { components: { schemas } }))
const bodyOf = (document: TestedDocument): unknown => (document.tool("make").input.properties as Json).body

describe("an input", () => {
  it("leaves out what is read-only behind a reference, and the answer keeps it", () => {
    const content = (schema: Json): Json => ({ "application/json": { schema } })
    const list = { type: "array", items: ref("Pet") }
    const document = compileForTest(
      openApi(
        {
          "/pets": {
            post: {
              operationId: "make",
              requestBody: { required: true, content: content(list) },
              responses: { 200: { content: content(list) } },
            },
          },
        },
        { components: { schemas: { Pet: pet } } },
      ),
    )
    expect(bodyOf(document)).toEqual({ type: "array", items: { $ref: "#/$defs/Pet_input" } })
    expect(document.definition("Pet_input")).toEqual({ type: "object", properties: { name }, required: ["name"] })
    expect(document.tool("make").output).toEqual({ type: "array", items: { $ref: "#/$defs/Pet" } })
    expect(document.definition("Pet")).toEqual(pet)
  })

  it("has no variant of a definition that holds nothing read-only", () => {
    const document = compile({ type: "array", items: ref("Plain") }, { Plain: { properties: { other: ref("Other") } }, Other: name })
    expect([...document.definitions.keys()]).toEqual(["Other", "Plain"])
  })

  it("leaves it out of whole bodies, lists of parts and inner objects", () => {
    const document = compile({ allOf: [ref("Pet"), { required: ["id", "tag"], properties: { tag: pet } }] }, { Pet: pet })
    expect(bodyOf(document)).toEqual({
      allOf: [
        { $ref: "#/$defs/Pet_input" },
        { required: ["tag"], properties: { tag: { type: "object", properties: { name }, required: ["name"] } } },
      ],
    })
  })

  it("follows circles, also those of a base and its subtypes", () => {
    const schemas = {
      Node: { type: "object", properties: { next: ref("Node"), leaf: ref("Leaf"), all: { type: "array", items: ref("Tree") } } },
      Leaf: { properties: { at: id }, required: ["at"] },
      Tree: { oneOf: [ref("Oak")] },
      Oak: { allOf: [ref("Tree"), { properties: { rings: { readOnly: true } }, required: ["rings"] }] },
    }
    const document = compile({ type: "array", items: ref("Node") }, schemas)
    expect([...document.definitions.keys()]).toEqual(["Leaf_input", "Node_input", "Oak_input", "Tree_input", "Tree_input_base"])
    expect(document.definition("Node_input")).toMatchObject({ properties: { next: { $ref: "#/$defs/Node_input" } } })
    expect(document.definition("Leaf_input")).toEqual({ properties: {} })
    expect(document.definition("Oak_input")).toEqual({ allOf: [{ $ref: "#/$defs/Tree_input_base" }, { properties: {} }] })
  })

  it("gives a variant a name of its own where the document has that name", () => {
    const document = compile({ type: "array", items: { anyOf: [ref("Pet"), ref("Pet_input")] } }, { Pet: pet, Pet_input: name })
    const [first, second] = [...document.definitions.keys()]
    expect(first).toBe("Pet_input")
    expect(second).toMatch(/^Pet_input_[0-9a-f]{8}$/)
    expect(document.definition("Pet_input")).toEqual(name)
  })

  it("treats names like __proto__ as data", () => {
    const schema = JSON.parse('{"properties":{"__proto__":{"type":"string"},"x":{"readOnly":true}},"required":["__proto__","x"]}') as Json
    const document = compile({ type: "array", items: ref("Odd") }, { Odd: schema })
    expect(document.definitions.get("Odd_input")).toBe('{"properties":{"__proto__":{"type":"string"}},"required":["__proto__"]}')
  })

  it("cleans what depends on a name that is left out", () => {
    const schema = { properties: { a: {}, b: id, c: {} }, dependentRequired: { a: ["b", "c"], b: ["a"] } }
    const document = compile({ type: "array", items: ref("A") }, { A: schema })
    expect(document.definition("A_input")).toMatchObject({ dependentRequired: { a: ["c"] } })
  })
})
