// A plugin that breaks a rule fails when it is defined, with a message that says which.
import { describe, expect, expectTypeOf, test } from "vitest"
import { z } from "zod"
import { definePlugin, defineTool } from "./define.ts"
import type { Plugin, PluginTool } from "./definition.ts"
import { inputJsonSchema, outputJsonSchema } from "./json-schema.ts"
import type { StandardSchema } from "./standard-schema.ts"
import { isTitleCase } from "../core/text/title-case.ts"

const tool = (change: Partial<Record<keyof PluginTool, unknown>> = {}): PluginTool =>
  ({
    path: "my_service.items.list",
    name: "List Items",
    description: "Lists.",
    inputSchema: z.object({}),
    handler: () => null,
    ...change,
  }) as PluginTool // wrong on purpose

const plugin = (change: Partial<Record<keyof Plugin, unknown>> = {}): Plugin =>
  ({ id: "my-service", name: "My Service", description: "Tools for it.", tools: [tool()], ...change }) as Plugin // as above

describe("definePlugin", () => {
  test("takes what the rules allow, and what it gave before", () => {
    const made = definePlugin(plugin({ authProviders: [{ id: "my-service", type: "oauth2", provider: "my-service", scopes: ["read"] }] }))
    expect(definePlugin(made)).toEqual(made)
    expect(Object.isFrozen(made) && Object.isFrozen(made.tools[0])).toBe(true)
  })

  test.each<[string, Plugin, string]>([
    ["an id with capitals", plugin({ id: "MyService" }), "A plugin's id must match"],
    ["an id that is a reserved slug", plugin({ id: "executor", tools: [tool({ path: "executor.a" })] }), "'executor' is reserved"],
    ["an id that is too long", plugin({ id: "a".repeat(64) }), "its id does not yield a valid slug"],
    ["no name", plugin({ name: "" }), "Plugin 'my-service': name must be a string"],
    ["no tools", plugin({ tools: [] }), "at least one tool"],
    ["a field that does not exist", plugin({ version: 1 } as object), "has no field 'version'"],
    ["a misspelt destructive", plugin({ tools: [tool({ destuctive: true } as object)] }), "has no field 'destuctive'"],
    ["a path of another plugin", plugin({ tools: [tool({ path: "other.items.list" })] }), "must begin with 'my_service.'"],
    ["a path that only starts alike", plugin({ tools: [tool({ path: "my_service_2.items" })] }), "must begin with 'my_service.'"],
    ["a path of one segment", plugin({ tools: [tool({ path: "my_service" })] }), "a tool's path must match"],
    ["a path with capitals", plugin({ tools: [tool({ path: "my_service.listItems" })] }), "a tool's path must match"],
    ["a path that would be a promise", plugin({ tools: [tool({ path: "my_service.then" })] }), "may be 'then'"],
    ["a path that is too long", plugin({ tools: [tool({ path: `my_service.${"a".repeat(200)}` })] }), "longer than 180"],
    ["two tools with one path", plugin({ tools: [tool(), tool()] }), "two tools share the path 'my_service.items.list'"],
    ["a name in small letters", plugin({ tools: [tool({ name: "list items" })] }), "Title Case, such as 'List Items', not 'list items'"],
    ["no description", plugin({ tools: [tool({ description: " " })] }), "description must be a string"],
    ["a JSON Schema as input", plugin({ tools: [tool({ inputSchema: { type: "object" } })] }), "must be a Standard Schema"],
    ["an input that is no object", plugin({ tools: [tool({ inputSchema: z.string() })] }), "must describe an object"],
    ["no handler", plugin({ tools: [tool({ handler: "x" })] }), "handler must be a function"],
    ["a timeout of nothing", plugin({ tools: [tool({ timeoutMs: 0 })] }), "timeoutMs must be"],
    [
      "an auth provider of an unknown type",
      plugin({ authProviders: [{ id: "a", type: "magic" }] }),
      "unknown type 'magic'; known: oauth2, bearer",
    ],
    [
      "two auth providers with one id",
      plugin({
        authProviders: [
          { id: "a", type: "bearer" },
          { id: "a", type: "basic" },
        ],
      }),
      "two auth providers share the id 'a'",
    ],
    ["a plugin that is nothing", null as unknown as Plugin, "A plugin must be an object"],
  ])("refuses %s", (_name, wrong, message) => {
    expect(() => definePlugin(wrong)).toThrow(message)
  })
})

test("defineTool refuses by itself, and infers what its handler gets and gives", () => {
  expect(() => defineTool({ ...tool({ name: "nope" }), handler: () => null })).toThrow(
    "Tool 'my_service.items.list': its name must be in Title Case",
  )
  defineTool({
    path: "my_service.items.list",
    name: "List Items",
    description: "Lists.",
    inputSchema: z.object({ limit: z.number().default(10) }),
    outputSchema: z.object({ count: z.number() }),
    handler(_ctx, input) {
      expectTypeOf(input).toEqualTypeOf<{ limit: number }>()
      return { count: input.limit }
    },
  })
})

test.each([
  ["List Items", true],
  ["Get IPv6 Address of a Host", true],
  ["2FA Codes", true],
  ["日本語", true],
  ["of Items", false],
  ["list Items", false],
  ["List  Items", false],
  ["LIST_ITEMS", false],
  ["", false],
])("'%s' is in Title Case: %s", (name, expected) => {
  expect(isTitleCase(name)).toBe(expected)
})

describe("JSON Schema", () => {
  const handMade: StandardSchema = { "~standard": { version: 1, vendor: "mine", validate: (value) => ({ value }) } }

  test("an object of anything where the library has none", () => {
    expect(inputJsonSchema(handMade, "x")).toEqual({ type: "object" })
    expect(outputJsonSchema(handMade)).toBeNull()
  })

  test("input before defaults, output after them", () => {
    const schema = z.object({ limit: z.number().default(10) })
    expect(inputJsonSchema(schema, "x")).not.toHaveProperty("required")
    expect(outputJsonSchema(schema)).toMatchObject({ required: ["limit"] })
  })

  test("what it has no words for is left open, and the rest is said", () => {
    const schema = z.object({ name: z.string(), at: z.date(), tags: z.map(z.string(), z.number()), size: z.bigint() })
    expect(inputJsonSchema(schema, "x")).toMatchObject({
      type: "object",
      properties: { name: { type: "string" }, at: {}, tags: {}, size: {} },
    })
    expect(outputJsonSchema(schema)).toMatchObject({ properties: { name: { type: "string" }, at: {} } })
    expect(outputJsonSchema(z.string().transform((text) => new Date(text)))).toEqual({})
    expect(
      inputJsonSchema(
        z.preprocess((value) => value, z.object({ a: z.string() })),
        "x",
      ),
    ).toMatchObject({ type: "object" })
    expect(() => definePlugin(plugin({ tools: [tool({ inputSchema: schema, outputSchema: z.bigint() })] }))).not.toThrow()
  })

  test("a library that fails is one without words", () => {
    const failing = () => {
      throw new Error("cannot")
    }
    const odd = { "~standard": { ...handMade["~standard"], jsonSchema: { input: failing, output: () => ["odd"] as never } } }
    expect([inputJsonSchema(odd, "x"), outputJsonSchema(odd)]).toEqual([{ type: "object" }, null])
  })

  test("unions of objects are objects", () => {
    expect(() => inputJsonSchema(z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]), "x")).not.toThrow()
  })
})
