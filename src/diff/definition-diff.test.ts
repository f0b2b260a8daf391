// Tests what a change of a definition means to callers, sentence by sentence, and that no widening refuses what was accepted.
import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { prepareArgsCheck } from "../arguments/arguments.ts"
import type { DefinitionDiff, ToolDefinition } from "../core/registry/diff.ts"
import type { JsonSchema } from "../core/tool.ts"
import { diffDefinitions, noDefinitions } from "./definition-diff.ts"

const definition = (change: Partial<ToolDefinition> = {}): ToolDefinition => ({
  title: "Get the weather",
  description: "Reads the weather.",
  effect: "read",
  requiresApproval: false,
  inputSchema: { type: "object" },
  outputSchema: null,
  ...change,
})

const ofInput = (before: JsonSchema, after: JsonSchema): DefinitionDiff =>
  diffDefinitions(definition({ inputSchema: before }), definition({ inputSchema: after }))
const ofOutput = (before: JsonSchema, after: JsonSchema): DefinitionDiff =>
  diffDefinitions(definition({ outputSchema: before }), definition({ outputSchema: after }))

const object = (properties: Record<string, unknown>, rest: Record<string, unknown> = {}): JsonSchema => ({
  type: "object",
  properties,
  ...rest,
})
const text = { type: "string" }

describe("the input", () => {
  test.each<[string, JsonSchema, JsonSchema, string]>([
    ["a new required property", object({}), object({ a: text }, { required: ["a"] }), "breaking"],
    ["a property that is required now", object({ a: text }), object({ a: text }, { required: ["a"] }), "breaking"],
    [
      "a property that is gone",
      object({ a: text }, { additionalProperties: false }),
      object({}, { additionalProperties: false }),
      "breaking",
    ],
    ["a property that is gone, silently", object({ a: text }), object({}), "breaking"],
    ["a closed object", object({ a: text }), object({ a: text }, { additionalProperties: false }), "breaking"],
    ["another type", object({ a: text }), object({ a: { type: "integer" } }), "breaking"],
    ["a narrower type", object({ a: { type: ["string", "null"] } }), object({ a: text }), "breaking"],
    ["a narrower enum", object({ a: { enum: ["x", "y"] } }), object({ a: { enum: ["x"] } }), "breaking"],
    ["a new enum", object({ a: text }), object({ a: { type: "string", enum: ["x"] } }), "breaking"],
    ["a lower maximum", object({ a: { maximum: 9 } }), object({ a: { maximum: 5 } }), "breaking"],
    ["a new bound", object({ a: text }), object({ a: { type: "string", maxLength: 3 } }), "breaking"],
    ["another pattern", object({ a: { pattern: "a" } }), object({ a: { pattern: "b" } }), "breaking"],
    ["another default", object({ a: { default: 1 } }), object({ a: { default: 2 } }), "breaking"],
    ["one alternative less", object({ a: { anyOf: [text, { type: "null" }] } }), object({ a: { anyOf: [text] } }), "breaking"],
    ["one part more", object({ a: {} }), object({ a: { allOf: [text] } }), "breaking"],
    ["a keyword that nobody knows", object({ a: {} }), object({ a: { "x-limit": 1 } }), "breaking"],
    ["something inside of not", object({ a: { not: { type: "string" } } }), object({ a: { not: {} } }), "breaking"],
    ["nothing is allowed any more", object({ a: text }), object({ a: false }), "breaking"],
    ["a new optional property", object({}), object({ a: text }), "widening"],
    ["a wider enum", object({ a: { enum: ["x"] } }), object({ a: { enum: ["x", "y"] } }), "widening"],
    ["a const among several", object({ a: { const: "x" } }), object({ a: { enum: ["x", "y"] } }), "widening"],
    ["a wider type", object({ a: { type: "integer" } }), object({ a: { type: "number" } }), "widening"],
    ["a property that may be left out", object({ a: text }, { required: ["a"] }), object({ a: text }), "widening"],
    ["a higher maximum", object({ a: { maximum: 5 } }), object({ a: { maximum: 9 } }), "widening"],
    ["an open object", object({}, { additionalProperties: false }), object({}), "widening"],
    ["one alternative more", object({ a: { anyOf: [text] } }), object({ a: { anyOf: [{ type: "null" }, text] } }), "widening"],
    ["another text", object({ a: { description: "x" } }), object({ a: { description: "y" } }), "text"],
    ["another order", object({ a: text, b: text }), object({ b: text, a: text }), "none"],
  ])("%s", (_, before, after, kind) => {
    const diff = ofInput(before, after)
    expect(diff).toMatchObject({ kind, effectChanged: false, truncated: false })
    expect(diff.json.length > 0).toBe(kind !== "none")
  })
})

describe("the output", () => {
  test.each<[string, JsonSchema, JsonSchema, string]>([
    ["a property that is gone", object({ a: text }), object({}), "breaking"],
    ["a property that may be missing now", object({ a: text }, { required: ["a"] }), object({ a: text }), "breaking"],
    ["a value that nobody expects", object({ a: { enum: ["x"] } }), object({ a: { enum: ["x", "y"] } }), "breaking"],
    ["a wider type", object({ a: text }), object({ a: { type: ["string", "null"] } }), "breaking"],
    ["a new property", object({}), object({ a: text }), "widening"],
    ["a property that is always there now", object({ a: text }), object({ a: text }, { required: ["a"] }), "widening"],
    ["a value less", object({ a: { enum: ["x", "y"] } }), object({ a: { enum: ["x"] } }), "widening"],
  ])("%s", (_, before, after, kind) => {
    expect(ofOutput(before, after).kind).toBe(kind)
  })

  test("is described, or no longer", () => {
    expect(diffDefinitions(definition(), definition({ outputSchema: text })).kind).toBe("widening")
    expect(diffDefinitions(definition({ outputSchema: text }), definition()).kind).toBe("breaking")
  })
})

test("the effect is said by itself, and the worst change names the whole", () => {
  const diff = diffDefinitions(definition(), definition({ effect: "destroy", requiresApproval: true, description: "Deletes it." }))
  expect(diff).toMatchObject({ kind: "breaking", effectChanged: true })
  expect(diff.changes.map(({ kind, path }) => [kind, path])).toEqual([
    ["breaking", "effect"],
    ["breaking", "requiresApproval"],
    ["text", "description"],
  ])
  expect(diff.json).toContainEqual({ op: "replace", path: "/effect", before: "read", after: "destroy" })
  expect(diffDefinitions(definition({ effect: "write" }), definition()).kind).toBe("widening")
})

describe("references", () => {
  const shared = (before: Record<string, JsonSchema>, after: Record<string, JsonSchema>) => ({
    ...noDefinitions(),
    before: (name: string) => before[name],
    after: (name: string) => after[name],
  })
  const node = (extra: Record<string, unknown>): JsonSchema => object({ next: { $ref: "#/$defs/Node" }, ...extra })
  const inputSchema = object({ node: { $ref: "#/$defs/Node" }, other: { $ref: "#/$defs/Node" } })

  test("a shared definition is compared once, in circles too", () => {
    const both = { before: definition({ inputSchema }), after: definition({ inputSchema }) }
    const diff = diffDefinitions(both.before, both.after, { shared: shared({ Node: node({}) }, { Node: node({ a: text }) }) })
    expect(diff).toMatchObject({ kind: "widening", changes: [{ path: "inputSchema.$defs.Node.properties.a" }] })
    expect(diff.json).toEqual([{ op: "add", path: "/$defs/Node/properties/a", after: text }])
  })

  test("what is known to be the same is not read", () => {
    const unread = (): never => {
      throw new Error("read")
    }
    const tools = [definition({ inputSchema }), definition({ inputSchema, title: "Other" })] as const
    const options = { shared: { before: () => ({}), after: () => ({}), isSame: () => true, compared: new Map() } }
    expect(diffDefinitions(...tools, options).kind).toBe("text")
    expect(() => diffDefinitions(...tools, { shared: { ...options.shared, before: unread, after: unread } })).toThrow("read")
  })

  test("own definitions, and a reference in place of what it says", () => {
    const own = { ...object({ a: { $ref: "#/$defs/A" } }), $defs: { A: text } }
    expect(ofInput(own, object({ a: text })).kind).toBe("none")
    expect(ofInput(own, { ...own, $defs: { A: { type: "integer" } } })).toMatchObject({
      kind: "breaking",
      changes: [{ path: "inputSchema.$defs.A.type" }, { path: "inputSchema.$defs.A.type" }],
    })
    expect(ofInput(object({ a: { $ref: "#/$defs/Gone" } }), object({ a: { $ref: "#/$defs/Lost" } })).kind).toBe("breaking")
  })
})

test("a secret is said to have changed, on both sides as ***", () => {
  const of = (secret: string, header: string) =>
    definition({
      implementation: {
        type: "http",
        config: {
          url: "https://a.example",
          api_key: { $secret: secret },
          headers: { "x-api": header },
          nested: { pass: { $secret: secret } },
        },
      },
    })
  const diff = diffDefinitions(of("registry:1", "planted-one"), of("registry:2", "planted-two"))
  expect(diff.kind).toBe("implementation")
  expect(diff.changes).toContainEqual({
    kind: "implementation",
    path: "implementation.config.api_key",
    message: "The implementation changed",
    before: "***",
    after: "***",
  })
  expect(JSON.stringify(diff)).not.toMatch(/planted|registry:/)
  const added = diffDefinitions(definition(), of("registry:1", "planted-one"))
  expect(JSON.stringify(added)).not.toMatch(/planted|registry:/)
  expect(diffDefinitions(of("r", "h"), of("r", "h")).kind).toBe("none")
})

test("execution settings: more room is a widening", () => {
  const of = (execution: Record<string, unknown>) => definition({ execution })
  expect(diffDefinitions(of({ timeout_s: 5 }), of({ timeout_s: 9 })).kind).toBe("widening")
  expect(diffDefinitions(of({ timeout_s: 9 }), of({ timeout_s: 5 })).kind).toBe("implementation")
  expect(diffDefinitions(of({ concurrency_group: "a" }), of({ concurrency_group: "b" })).kind).toBe("implementation")
})

test("a hostile schema is cut off, and what is listed has a limit", () => {
  const wide = (name: string): JsonSchema =>
    object(Object.fromEntries(Array.from({ length: 30_000 }, (_, at) => [`p${at}`, { description: name }])))
  const diff = ofInput(wide("a"), wide("b"))
  expect(diff).toMatchObject({ kind: "breaking", truncated: true })
  expect(diff.changes.length).toBeLessThanOrEqual(200)
  const long = "n".repeat(1e6)
  expect(JSON.stringify(ofInput(object({ [long]: text }, { required: [long] }), object({}))).length).toBeLessThan(10_000)
  let deep: JsonSchema = text
  for (let depth = 0; depth < 2000; depth += 1) deep = object({ a: deep })
  expect(ofInput(deep, deep).kind).not.toBe("widening")
  expect(JSON.stringify(ofInput(object({ a: { description: "x".repeat(1e6) } }), object({}))).length).toBeLessThan(5000)
})

/** Schemas that change into each other often enough. */
const schemas = fc.letrec<{ schema: JsonSchema }>((tie) => ({
  schema: fc.oneof(
    { depthSize: "small" },
    fc.record(
      {
        type: fc.constantFrom("string", "integer", "number", "boolean", ["string", "null"]),
        enum: fc.subarray(["x", 1, true, null, 2.5], { minLength: 1 }),
        minimum: fc.integer({ min: 0, max: 3 }),
        maximum: fc.integer({ min: 1, max: 4 }),
        maxLength: fc.integer({ min: 0, max: 3 }),
        description: fc.constantFrom("a", "b"),
      },
      { requiredKeys: [] },
    ),
    fc.record({ anyOf: fc.array(tie("schema"), { minLength: 1, maxLength: 3 }) }),
    fc.record({ allOf: fc.array(tie("schema"), { maxLength: 2 }) }),
    fc.record({ type: fc.constant("array"), items: tie("schema"), maxItems: fc.integer({ min: 0, max: 3 }) }, { requiredKeys: ["type"] }),
    fc.record({
      type: fc.constant("object"),
      properties: fc.dictionary(fc.constantFrom("a", "b", "c"), tie("schema"), { maxKeys: 3 }),
      required: fc.subarray(["a", "b"]),
      additionalProperties: fc.boolean(),
    }),
  ),
})).schema

const inputs = fc
  .dictionary(fc.constantFrom("a", "b", "c"), schemas, { maxKeys: 3 })
  .chain((properties) =>
    fc
      .record({ required: fc.subarray(Object.keys(properties)), additionalProperties: fc.constant(false) })
      .map((rest) => object(properties, rest)),
  )

const values = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom<unknown>("x", "", "long", 0, 1, 2, 2.5, 5, true, null),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom("a", "b", "c"), tie("value"), { maxKeys: 3 }),
  ),
})).value

test("nothing differs from itself", () => {
  const repeated = { type: "object", properties: { a: { anyOf: [{ allOf: [] }, { allOf: [] }] } } }
  fc.assert(
    fc.property(inputs, (schema) => ofInput(schema, structuredClone(schema)).kind === "none" && ofOutput(schema, schema).kind === "none"),
    { examples: [[repeated]] },
  )
})

/** Names that an open object did not mention may have had any value. */
const hasOpen = (schema: JsonSchema): boolean => JSON.stringify(schema).includes('"additionalProperties":true')

/** Often only one property differs. */
const pairs = inputs.chain((before) =>
  fc.tuple(
    fc.constant(before),
    fc.oneof(
      inputs,
      schemas.map((a) => ({ ...before, properties: { ...(before["properties"] as object), a } })), // made above
    ),
  ),
)

test("whatever was accepted before a widening is accepted after it", () => {
  let accepted = 0
  const samples = fc.array(fc.dictionary(fc.constantFrom("a", "b", "c"), values), { minLength: 10, maxLength: 10 })
  fc.assert(
    fc.property(pairs, samples, ([before, after], some) => {
      if (hasOpen(before) || ofInput(before, after).kind === "breaking") return
      const [was, is] = [before, after].map((schema) => prepareArgsCheck(schema, () => undefined))
      for (const sample of some) {
        if (was?.check(sample).ok !== true) continue
        accepted += 1
        expect({ sample, ...is?.check(sample) }).toMatchObject({ ok: true })
      }
    }),
    { numRuns: 1000 },
  )
  expect(accepted).toBeGreaterThan(50)
})
