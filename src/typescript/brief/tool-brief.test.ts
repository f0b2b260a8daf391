// What is printed of a tool's types at first, and what is printed when it is asked for by name.
import { expect, test } from "vitest"
import { hostileSchemas } from "../../../test/fixtures/hostile-schemas.ts"
import type { JsonSchema } from "../../core/tool.ts"
import { printDefinitions, printToolBrief } from "./tool-brief.ts"

const string = { type: "string" }
const ref = (name: string): JsonSchema => ({ $ref: `#/$defs/${name}` })
const object = (properties: Record<string, unknown>): JsonSchema => ({ type: "object", properties, required: Object.keys(properties) })
const wide = (count: number): Record<string, unknown> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`field_${at}`, { type: "string", description: "Something that takes many words to say." }]),
  )

const definitions = new Map<string, JsonSchema>([
  ["issue", object({ number: { type: "integer" }, user: ref("user"), repository: ref("repository") })],
  ["user", object({ login: string })],
  ["repository", object({ name: string, owner: ref("user"), license: ref("license") })],
  ["license", object({ key: string })],
  ["label", object({ name: string, color: ref("color") })],
  ["color", object({ red: { type: "integer" } })],
  ["large", object({ ...wide(40), parts: { type: "array", items: object({ ...wide(120), license: ref("license") }) } })],
])
const tool = (outputSchema: JsonSchema | null) => ({
  inputSchema: object({ labels: { type: "array", items: ref("label") } }),
  outputSchema,
  definitions,
})

test("arguments are whole, a result is the definition that it names, and the rest has names", () => {
  const brief = printToolBrief(tool({ type: "array", items: ref("issue") }))
  expect(brief).toEqual({
    inputTypeScript: "{ labels: Label[] }",
    outputTypeScript: "Issue[]",
    typeScriptDefinitions: {
      Label: "{ name: string; color: Color }",
      Color: "{ red: number }",
      Issue: "{ number: number; user: User; repository: Repository }",
    },
    more: ["User", "Repository"],
  })
})

test("what is named is printed when it is asked for, also further down", () => {
  expect(printDefinitions(tool(ref("issue")), ["Repository", "License"])).toEqual({
    typeScriptDefinitions: { Repository: "{ name: string; owner: User; license: License }", License: "{ key: string }" },
    more: ["User"],
  })
  expect(printDefinitions(tool(ref("issue")), ["Nothing"])).toEqual({ typeScriptDefinitions: {}, more: [] })
})

test("a large definition has what is inside of its objects left out, and says so", () => {
  const brief = printToolBrief(tool(ref("large")))
  expect(brief.typeScriptDefinitions["Large"]).toContain("field_39: string;\n  parts: object[];")
  expect(brief.more).toEqual(["Large"])
  expect(printDefinitions(tool(ref("large")), ["Large"]).typeScriptDefinitions["Large"]).toContain("license: License")
})

test("a result without a name is asked for as output", () => {
  const result = object({ ...wide(40), nested: object({ ...wide(120), license: ref("license") }) })
  const brief = printToolBrief(tool(result))
  expect(brief.outputTypeScript).toContain("nested: object;")
  expect(brief.more).toEqual(["output"])
  const { typeScriptDefinitions, more } = printDefinitions(tool(result), ["output"])
  expect(typeScriptDefinitions["output"]).toContain("license: License")
  expect(more).toEqual(["License"])
  expect(printToolBrief(tool(null))).toMatchObject({ outputTypeScript: "unknown", more: [] })
})

test.each(Object.entries(hostileSchemas))("stays bounded: %s", (_, { schema, definitions: shared = {} }) => {
  const input = { inputSchema: { type: "object" }, outputSchema: schema, definitions: new Map(Object.entries(shared)) }
  expect(JSON.stringify(printToolBrief(input)).length).toBeLessThan(5000)
  expect(JSON.stringify(printDefinitions(input, ["output", "D0", "A"])).length).toBeLessThan(30_000)
})
