// Collecting tools: two of one name, external tools that want a local name, and names that no model API takes.
import { expect, test } from "vitest"
import { DynamicHandler, addDynamicTools } from "./dynamic-handler.ts"
import { ToolRegistryBuilder } from "./registry-builder.ts"
import type { DynamicToolSpec, ToolHandler, ToolSpec } from "./tool.ts"

const spec = (name: string, description = ""): ToolSpec => ({ type: "function", name, description, parameters: { type: "object" } })
const answering = (content: string): ToolHandler => ({ kind: "function", handle: async () => ({ type: "function", content }) })
const dynamic = (name: string, description = "dynamic"): DynamicToolSpec => ({
  name,
  description,
  parameters: { type: "object" },
  call: async () => "dynamic",
})

function builderWithWarnings(): [ToolRegistryBuilder, string[]] {
  const warnings: string[] = []
  return [new ToolRegistryBuilder({ warn: (message) => warnings.push(message) }), warnings]
}

test("specs keep their order and say whether their calls may run together", () => {
  const [builder] = builderWithWarnings()
  builder.pushSpec(spec("one"))
  builder.pushSpecWithParallelSupport(spec("two"), true)
  builder.registerHandler("one", answering("1"))
  const [specs, registry] = builder.build()
  expect(specs.map((one) => [one.spec.name, one.supportsParallel])).toEqual([
    ["one", false],
    ["two", true],
  ])
  expect(registry.names()).toEqual(["one"])
  expect(registry.handler("two")).toBeUndefined()
})

test("of two handlers the last one answers, with a warning, and the tool is described once", () => {
  const [builder, warnings] = builderWithWarnings()
  const last = answering("last")
  for (const [text, handler] of [
    ["first", answering("first")],
    ["last", last],
  ] as const) {
    builder.pushSpec(spec("tool", text))
    builder.registerHandler("tool", handler)
  }
  const [specs, registry] = builder.build()
  expect(registry.handler("tool")).toBe(last)
  expect(specs.map((one) => one.spec.description)).toEqual(["last"])
  expect(warnings).toEqual(["Two handlers are registered for the tool 'tool'. The last one answers its calls."])
})

test("an external tool does not take the name of a local one, whichever comes first", () => {
  for (const isLocalFirst of [true, false]) {
    const [builder, warnings] = builderWithWarnings()
    const local = answering("local")
    const addLocal = (): void => {
      builder.pushSpec(spec("shell", "local"))
      builder.registerHandler("shell", local)
    }
    if (isLocalFirst) addLocal()
    addDynamicTools(builder, [dynamic("shell")])
    if (!isLocalFirst) addLocal()
    const [specs, registry] = builder.build()
    expect(registry.handler("shell")).toBe(local)
    expect(specs.map((one) => one.spec.description)).toEqual(["local"])
    expect(warnings).toEqual([expect.stringContaining("The external tool 'shell' is left out")])
  }
})

test("a tool of an MCP server counts as external", () => {
  const [builder, warnings] = builderWithWarnings()
  const local = answering("local")
  builder.registerHandler("shell", local)
  builder.registerHandler("shell", { kind: "mcp", handle: async () => ({ type: "mcp", result: { ok: false, error: "" } }) })
  expect(builder.build()[1].handler("shell")).toBe(local)
  expect(warnings).toHaveLength(1)
})

test("of two external tools the last one answers", () => {
  const [builder, warnings] = builderWithWarnings()
  addDynamicTools(builder, [dynamic("tool", "first"), dynamic("tool", "last")])
  const [specs, registry] = builder.build()
  expect(specs.map((one) => one.spec.description)).toEqual(["last"])
  expect(registry.handler("tool")).toBeInstanceOf(DynamicHandler)
  expect(warnings).toHaveLength(1)
})

test("names that model APIs refuse are refused here, with what to do", () => {
  const [builder] = builderWithWarnings()
  for (const name of ["", "a.b", "two words", "ä", "x".repeat(65)]) {
    expect(() => builder.pushSpec(spec(name))).toThrow("1 to 64 letters, digits, '_' and '-'")
    expect(() => builder.registerHandler(name, answering(""))).toThrow(TypeError)
  }
})

test("without a receiver, warnings go to Node's", async () => {
  const warned = new Promise<Error>((resolve) => process.once("warning", resolve))
  const builder = new ToolRegistryBuilder()
  builder.registerHandler("tool", answering("1"))
  builder.registerHandler("tool", answering("2"))
  expect((await warned).name).toBe("ToolplaneWarning")
})
