// Schemas of every dialect become JSON Schema 2020-12.
import { describe, expect, it } from "vitest"
import { compileForTest, openApi, withBody } from "../../testing/compile.ts"
import type { Json } from "../../testing/compile.ts"

/** The schema of a property of a body, as it is written. */
const emitted = (schema: unknown, rest: Json = {}): unknown =>
  (compileForTest(withBody({ type: "object", properties: { value: schema } }, rest)).tool("make").input.properties as Json).value

const v31 = { openapi: "3.1.0" }

describe("older dialects", () => {
  it.each([
    [{ type: "string", nullable: true }, { type: ["string", "null"] }],
    [{ type: "string", "x-nullable": true }, { type: ["string", "null"] }],
    [
      { type: "string", nullable: true, enum: ["a"] },
      { type: ["string", "null"], enum: ["a", null] },
    ],
    [
      { nullable: true, allOf: [{ type: "string" }], description: "d" },
      { description: "d", anyOf: [{ allOf: [{ type: "string" }] }, { type: "null" }] },
    ],
    [
      { type: "integer", minimum: 1, exclusiveMinimum: true },
      { type: "integer", exclusiveMinimum: 1 },
    ],
    [
      { type: "integer", minimum: 1, exclusiveMinimum: false, maximum: 9, exclusiveMaximum: true },
      { type: "integer", minimum: 1, exclusiveMaximum: 9 },
    ],
    [{ type: "integer", exclusiveMaximum: true }, { type: "integer" }],
    [
      { type: "array", items: [{ type: "string" }, { type: "number" }] },
      { type: "array", prefixItems: [{ type: "string" }, { type: "number" }] },
    ],
    [{ nullable: true, anyOf: [{ type: "string" }] }, { anyOf: [{ type: "string" }, { type: "null" }] }],
    [{ type: "string", description: "", title: " " }, { type: "string" }],
    [{ type: "file" }, { type: "string" }],
    [
      { type: "string", enum: [1, true, "x"] },
      { type: "string", enum: ["1", "true", "x"] },
    ],
    [
      { type: "integer", enum: ["1", "x"] },
      { type: "integer", enum: [1, "x"] },
    ],
    [
      { type: "boolean", enum: ["true"] },
      { type: "boolean", enum: [true] },
    ],
    [{ type: "integer", enum: ["Low", "High"] }, { enum: ["Low", "High"] }],
    [{ type: ["integer", "null"], enum: [null] }, { enum: [null] }],
    [
      { type: "array", items: { type: "string" }, enum: ["a", "b"] },
      { type: "array", items: { type: "string", enum: ["a", "b"] } },
    ],
    [
      { type: "array", enum: ["a"] },
      { type: "array", items: { enum: ["a"] } },
    ],
    [
      { type: "array", enum: [["a"], ["b"]] },
      { type: "array", enum: [["a"], ["b"]] },
    ],
    [
      { type: "object", properties: { a: {} }, required: ["a", "gone"], additionalProperties: false },
      { type: "object", properties: { a: {} }, required: ["a"], additionalProperties: false },
    ],
    [
      { oneOf: [{ type: "object" }, { type: "object" }], discriminator: { propertyName: "kind" } },
      { anyOf: [{ type: "object" }, { type: "object" }] },
    ],
    [
      { type: "object", properties: { a: {} }, required: ["gone"] },
      { type: "object", properties: { a: {} }, required: ["gone"] },
    ],
  ])("%j becomes %j", (schema, expected) => {
    expect(emitted(schema)).toEqual(expected)
  })

  it("keep dates of YAML as text", () => {
    const text =
      "openapi: 3.0.0\npaths:\n  /a:\n    get:\n      parameters:\n        - {name: d, in: query, schema: {type: string, default: 2020-01-01}}"
    expect(compileForTest(text).tool("a.list").input.properties).toEqual({ d: { type: "string", default: "2020-01-01" } })
  })
})

describe("what is kept", () => {
  it("is what describes and constrains, not what illustrates", () => {
    const kept = {
      title: "T",
      description: "D",
      type: "string",
      format: "email",
      pattern: "^a",
      minLength: 1,
      maxLength: 9,
      default: "a",
      deprecated: true,
      writeOnly: true,
    }
    expect(emitted({ ...kept, example: "b", examples: ["c"], xml: { name: "n" }, externalDocs: { url: "u" }, "x-internal": true })).toEqual(
      kept,
    )
  })

  it("includes the keywords of 3.1", () => {
    const schema = {
      type: ["object", "null"],
      properties: { kind: { const: "x" } },
      patternProperties: { "^a": { type: "string" } },
      propertyNames: { maxLength: 3 },
      dependentRequired: { a: ["b"] },
      dependentSchemas: { a: { minProperties: 2 } },
      unevaluatedProperties: false,
      if: { required: ["a"] },
      else: { required: ["b"] },
      not: { required: ["c"] },
    }
    expect(emitted(schema, v31)).toEqual(schema)
  })

  it("names members __proto__, constructor and toString like any other", () => {
    const schema: unknown = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"number"},"toString":{"enum":["a"]}},"required":["__proto__"],"default":{"__proto__":1}}',
    )
    expect(JSON.stringify(emitted(schema))).toBe(JSON.stringify(schema))
  })
})

describe("references", () => {
  const components = (schemas: Json): Json => ({ components: { schemas } })

  it("become names of shared definitions, written once", () => {
    const document = compileForTest(
      withBody(
        { type: "object", properties: { a: { $ref: "#/components/schemas/Pet" }, b: { $ref: "#/components/schemas/Pet" } } },
        components({ Pet: { type: "object", properties: { parent: { $ref: "#/components/schemas/Pet" } } }, Unused: { type: "string" } }),
      ),
    )
    expect(document.tool("make").input.properties).toEqual({ a: { $ref: "#/$defs/Pet" }, b: { $ref: "#/$defs/Pet" } })
    expect([...document.definitions.keys()]).toEqual(["Pet"])
    expect(document.definition("Pet")).toEqual({ type: "object", properties: { parent: { $ref: "#/$defs/Pet" } } })
  })

  it("may lead to any place of the document", () => {
    const ref = "#/paths/~1things/post/requestBody/content/application~1json/schema/properties/a"
    const document = compileForTest(withBody({ type: "object", properties: { a: { type: "string" }, b: { $ref: ref } } }))
    const [name] = document.definitions.keys()
    expect(name).toMatch(/^[A-Za-z0-9_]+_[0-9a-f]{8}$/)
    expect(document.tool("make").input.properties).toEqual({ a: { type: "string" }, b: { $ref: `#/$defs/${name}` } })
    expect(document.definition(name ?? "")).toEqual({ type: "string" })
  })

  it("have names that are safe in a pointer, do not clash, and keep `ToolFile` free", () => {
    const schemas: Json = JSON.parse(
      '{"A/b~c d":{"type":"string"},"A b c d":{"type":"number"},"ToolFile":{"type":"boolean"},"__proto__":{"type":"null"},"Fine.Name-1":{"type":"array"}}',
    ) as Json
    const refs = ["A~1b~0c%20d", "A%20b%20c%20d", "ToolFile", "__proto__", "Fine.Name-1"].map((name) => ({
      $ref: `#/components/schemas/${name}`,
    }))
    const document = compileForTest(withBody({ type: "array", items: { anyOf: refs } }, components(schemas)))
    const names = [...document.definitions.keys()]
    expect(names).toHaveLength(5)
    expect(names).toContain("Fine.Name-1")
    expect(names).not.toContain("ToolFile")
    expect(names).not.toContain("__proto__")
    for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_.-]+$/)
    expect(new Set(names.map((name) => document.definition(name).type))).toEqual(new Set(["string", "number", "boolean", "null", "array"]))
  })

  it("keep the annotations beside them, and before 3.1 nothing else", () => {
    const schemas = components({ Pet: { type: "object" } })
    const schema = { $ref: "#/components/schemas/Pet", description: "mine", minProperties: 1 }
    expect(emitted(schema, schemas)).toEqual({ $ref: "#/$defs/Pet", description: "mine" })
    expect(emitted(schema, { ...v31, ...schemas })).toEqual({ $ref: "#/$defs/Pet", description: "mine", minProperties: 1 })
    expect(emitted({ ...schema, nullable: true }, schemas)).toEqual({
      description: "mine",
      anyOf: [{ $ref: "#/$defs/Pet" }, { type: "null" }],
    })
  })

  it("find anchors, and places behind another reference", () => {
    const schemas = components({
      A: { $anchor: "here", type: "string" },
      B: { $ref: "#/components/schemas/C" },
      C: { properties: { x: { type: "number" } } },
    })
    const document = compileForTest(
      withBody(
        { type: "array", prefixItems: [{ $ref: "#here" }, { $ref: "#/components/schemas/B/properties/x" }] },
        { ...v31, ...schemas },
      ),
    )
    expect([...document.definitions.values()].toSorted()).toEqual(['{"type":"number"}', '{"type":"string"}'])
    expect(document.messages).toEqual([])
  })

  it("that lead nowhere accept anything, also where exactly one of several must match", () => {
    const document = compileForTest(
      withBody({
        type: "object",
        properties: {
          a: { $ref: "#/components/schemas/Gone", description: "d" },
          b: { oneOf: [{ type: "string" }, { $ref: "other.yaml#/X" }] },
          c: { not: { $ref: "#/nowhere" } },
        },
      }),
    )
    expect(document.tool("make").input.properties).toEqual({ a: { description: "d" }, b: { anyOf: [{ type: "string" }, {}] }, c: {} })
    expect(document.messages).toHaveLength(3)
    expect(document.messages[0]).toContain(
      "#/paths/~1things/post/requestBody/content/application~1json/schema/properties/a: The reference '#/components/schemas/Gone' cannot be resolved",
    )
  })
})

describe("limits", () => {
  const nest = (depth: number): unknown => (depth === 0 ? { type: "string" } : { type: "object", properties: { a: nest(depth - 1) } })

  it("end a schema that is too deep, and keep what is above", () => {
    const document = compileForTest(
      openApi({ "/a": { get: { parameters: [{ name: "q", in: "query", schema: nest(150) }] } }, "/b": { get: {} } }),
    )
    expect(document.names).toEqual(["a.list", "b.list"])
    expect(document.messages).toHaveLength(1)
    expect(document.messages[0]).toContain("nested more than 100 deep")
    expect(document.tool("a.list").inputSchema.split('"properties"').length).toBe(1 + 1 + 100)
  })

  it("count a YAML alias as often as it is written, before anything is", () => {
    const levels = Array.from(
      { length: 12 },
      (_, level) => `    L${level + 1}: &l${level + 1} {allOf: [${Array(9).fill(`*l${level}`).join(", ")}]}`,
    )
    const bomb = [
      "openapi: 3.0.0",
      "components:",
      "  schemas:",
      "    L0: &l0 {type: string}",
      ...levels,
      "paths:",
      "  /bomb:",
      "    post: {requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/L12'}}}}}",
      "  /fine:",
      "    get: {responses: {'200': {description: ok}}}",
    ].join("\n")
    const document = compileForTest(bomb)
    expect(document.names).toEqual(["bomb.create", "fine.list"])
    expect(document.definition("L12")).toEqual({})
    expect(document.messages).toEqual([
      "#/components/schemas/L12: The schema, or the document with it, expands to more nodes than are allowed; anything is accepted here",
    ])
  })

  it("hold for aliases that contain themselves, and for what a schema merely carries", () => {
    const text =
      "openapi: 3.0.0\npaths:\n  /a:\n    post:\n      requestBody: {content: {application/json: {schema: &s {type: array, items: *s, default: &d [*d]}}}}"
    const document = compileForTest(text)
    expect(document.names).toEqual(["a.create"])
    expect(document.messages.length).toBeGreaterThan(0)
    expect(document.tool("a.create").inputSchema.length).toBeLessThan(100_000)
  })

  it("hold for the document as a whole", () => {
    const schema = { type: "array", items: { type: "string" } }
    const paths = Object.fromEntries(
      Array.from({ length: 20 }, (_, index) => [`/p${index}`, { get: { parameters: [{ name: "q", in: "query", schema }] } }]),
    )
    const document = compileForTest(openApi(paths), { limits: { documentNodesMax: 20 } })
    expect(document.tools).toHaveLength(20)
    expect(document.tools.filter((tool) => tool.inputSchema.includes('"items"'))).toHaveLength(10)
  })
})

describe("mistakes", () => {
  it.each([
    [{ type: "text" }, {}],
    [{ type: ["string", 5] }, { type: "string" }],
    [{ type: "string", enum: "a" }, { type: "string" }],
    [{ type: "object", required: true }, { type: "object" }],
    [{ type: "object", properties: ["a"] }, { type: "object" }],
    [
      { type: "array", items: "string" },
      { type: "array", items: {} },
    ],
    [{ type: "string", minLength: "3", maxLength: -1, pattern: 5, uniqueItems: "yes" }, { type: "string" }],
    [{ type: "number", multipleOf: 0, minimum: null }, { type: "number" }],
    [{ allOf: { type: "string" } }, {}],
    ["string", {}],
    [null, {}],
    [[], {}],
  ])("%j costs no more than itself", (schema, expected) => {
    expect(emitted(schema)).toEqual(expected)
    expect(compileForTest(withBody({ type: "object", properties: { value: schema } })).messages.length).toBeGreaterThan(0)
  })
})
