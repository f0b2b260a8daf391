// Routing: which item is which call, what a call that nobody can answer gives, and how outputs are written.
import { expect, test } from "vitest"
import { FunctionCallError } from "./function-call-error.ts"
import { TurnDiffTracker } from "./local/turn-diff-tracker.ts"
import { ToolRegistryBuilder } from "./registry-builder.ts"
import type { ResponseItem } from "./response-item.ts"
import { ToolRouter } from "./router.ts"
import type { DynamicToolSpec, ToolHandler, ToolOutput, ToolPayload } from "./tool.ts"

const mcpTools = new Map([["mcp__a__b__c", { serverName: "a__b", toolName: "c" }]])

function routerOf(handlers: Record<string, ToolHandler>, outputTokensMax?: number): ToolRouter {
  const builder = new ToolRegistryBuilder()
  for (const [name, handler] of Object.entries(handlers)) builder.registerHandler(name, handler)
  const [specs, registry] = builder.build()
  return new ToolRouter({ specs, registry, mcpTools, ...(outputTokensMax !== undefined && { outputTokensMax }) })
}

const answering = (output: ToolOutput, matches: ToolPayload["type"] = "function"): ToolHandler => ({
  kind: "function",
  matchesKind: (payload) => payload.type === matches,
  handle: async () => output,
})
const failing = (thrown: Error): ToolHandler => ({
  kind: "function",
  handle: async () => {
    throw thrown
  },
})

const openGate = { toolCallGate: { waitReady: async () => {} } }
const call = (router: ToolRouter, toolName: string, payload: ToolPayload = { type: "function", arguments: "{}" }) =>
  router.dispatchToolCall({ session: {}, turn: openGate, tracker: new TurnDiffTracker(), callId: "c1", toolName, payload })

const empty = routerOf({})

test.each<[ResponseItem, ReturnType<ToolRouter["buildToolCall"]>]>([
  [
    { type: "function_call", name: "read_file", arguments: '{"a":1}', call_id: "c1" },
    { toolName: "read_file", callId: "c1", payload: { type: "function", arguments: '{"a":1}' } },
  ],
  [
    { type: "function_call", name: "mcp__a__b__c", arguments: "{}", call_id: "c1" },
    { toolName: "mcp__a__b__c", callId: "c1", payload: { type: "mcp", server: "a__b", tool: "c", rawArguments: "{}" } },
  ],
  // It looks like a name of an MCP tool, but no server has it.
  [
    { type: "function_call", name: "mcp__x__y", arguments: "{}", call_id: "c1" },
    { toolName: "mcp__x__y", callId: "c1", payload: { type: "function", arguments: "{}" } },
  ],
  [
    { type: "custom_tool_call", name: "apply_patch", input: "*** Begin Patch", call_id: "c1" },
    { toolName: "apply_patch", callId: "c1", payload: { type: "custom", input: "*** Begin Patch" } },
  ],
  [
    {
      type: "local_shell_call",
      id: "ls_1",
      call_id: null,
      action: { type: "exec", command: ["ls"], timeout_ms: 5, working_directory: "/w", sandbox_permissions: "require_escalated" },
    },
    {
      toolName: "local_shell",
      callId: "ls_1",
      payload: {
        type: "local_shell",
        params: { command: ["ls"], workdir: "/w", timeoutMs: 5, sandboxPermissions: "require_escalated" },
      },
    },
  ],
  [{ type: "message", role: "assistant", content: [] }, null],
  [{ type: "reasoning" }, null],
])("%j is read", (item, expected) => {
  expect(empty.buildToolCall(item)).toEqual(expected)
})

test("servers that give objects for arguments, null for options, or an id alone are understood", () => {
  const item = { type: "function_call", name: "tool", arguments: { a: 1 }, id: "fc_1" }
  expect(empty.buildToolCall(item)).toEqual({ toolName: "tool", callId: "fc_1", payload: { type: "function", arguments: '{"a":1}' } })
  const shell = { type: "local_shell_call", call_id: "c", action: { type: "exec", command: ["ls"], timeout_ms: null } }
  expect(empty.buildToolCall(shell)?.payload).toEqual({ type: "local_shell", params: { command: ["ls"] } })
})

test("calls that nobody can answer say what is missing", () => {
  const shell = { type: "local_shell_call", action: { type: "exec", command: ["ls"] } } as const
  expect(() => empty.buildToolCall(shell)).toThrow(FunctionCallError.missingLocalShellCallId())
  expect(() => empty.buildToolCall({ type: "local_shell_call", call_id: "c", action: {} })).toThrow("LocalShellCall without a command")
  expect(() => empty.buildToolCall({ type: "function_call", name: "x", arguments: "" })).toThrow("function_call without call_id or id")
  expect(() => empty.buildToolCall({ type: "custom_tool_call", input: "", call_id: "c" })).toThrow("custom_tool_call without a name")
})

test("a tool that nobody has is an output that the model reads, in the form of its call", async () => {
  expect(await call(empty, "nope")).toEqual({
    type: "function_call_output",
    call_id: "c1",
    output: { content: "unsupported call: nope", success: false },
  })
  expect(await call(empty, "nope", { type: "custom", input: "" })).toEqual({
    type: "custom_tool_call_output",
    call_id: "c1",
    output: "unsupported custom tool call: nope",
  })
  expect(await call(empty, "nope", { type: "mcp", server: "s", tool: "t", rawArguments: "" })).toMatchObject({
    type: "function_call_output",
    output: { content: "unsupported call: nope" },
  })
})

test("a payload that the handler does not take ends the turn", async () => {
  const router = routerOf({ plain: { kind: "function", handle: async () => ({ type: "function", content: "" }) } })
  const error = await call(router, "plain", { type: "custom", input: "" }).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(FunctionCallError)
  expect(error).toMatchObject({ kind: "fatal", message: "Fatal error: tool plain invoked with incompatible payload" })
})

test("what a handler throws is read by the model, unless it is fatal", async () => {
  const router = routerOf({
    refusing: failing(FunctionCallError.respondToModel("try another path")),
    careless: failing(new TypeError("x is undefined")),
    fatal: failing(FunctionCallError.fatal("the disk is gone")),
  })
  expect(await call(router, "refusing")).toMatchObject({ output: { content: "try another path", success: false } })
  expect(await call(router, "careless")).toMatchObject({ output: { content: "x is undefined", success: false } })
  await expect(call(router, "fatal")).rejects.toThrow("Fatal error: the disk is gone")
})

test.each<unknown>([
  "text",
  undefined,
  { type: "function" },
  { type: "function", content: "", contentItems: [null] },
  { type: "function", content: "", contentItems: "text" },
  { type: "mcp" },
  { type: "mcp", result: { ok: true, value: {} } },
])("a handler that returns %j ends the turn with what it has to return", async (output) => {
  const router = routerOf({ wrong: { kind: "function", handle: async () => output as never } })
  await expect(call(router, "wrong")).rejects.toThrow('must return { type: "function", content } or { type: "mcp", result }')
})

test("outputs are written in the form of the call", async () => {
  const items = [{ type: "input_image" as const, image_url: "data:," }]
  const value = { content: [{ type: "text" as const, text: "from the server" }] }
  const router = routerOf({
    text: answering({ type: "function", content: "hi", success: true }),
    items: answering({ type: "function", content: "hi", contentItems: items }),
    custom: answering({ type: "function", content: "hi", success: true }, "custom"),
    mcp: { kind: "mcp", handle: async () => ({ type: "mcp", result: { ok: true, value } }) },
  })
  expect(await call(router, "text")).toEqual({ type: "function_call_output", call_id: "c1", output: { content: "hi", success: true } })
  expect(await call(router, "items")).toMatchObject({ output: { content: "hi", contentItems: items } })
  expect(await call(router, "custom", { type: "custom", input: "" })).toEqual({
    type: "custom_tool_call_output",
    call_id: "c1",
    output: "hi",
  })
  expect(await call(router, "mcp", { type: "mcp", server: "s", tool: "t", rawArguments: "" })).toEqual({
    type: "mcp_tool_call_output",
    call_id: "c1",
    result: { ok: true, value },
  })
})

test("long outputs are cut in the middle, also failures; images stay whole", async () => {
  const image = { type: "input_image" as const, image_url: `data:image/png;base64,${"A".repeat(5000)}` }
  const long = "x".repeat(1000)
  const router = routerOf(
    {
      text: answering({ type: "function", content: long }),
      items: answering({ type: "function", content: "", contentItems: [{ type: "input_text", text: long }, image] }),
      mcp: {
        kind: "mcp",
        handle: async () => ({ type: "mcp", result: { ok: true, value: { content: [], structuredContent: { long } } } }),
      },
      failing: failing(new Error(long)),
    },
    10,
  )
  const cut = `${"x".repeat(20)}…240 tokens truncated…${"x".repeat(20)}`
  expect(await call(router, "text")).toMatchObject({ output: { content: cut } })
  expect(await call(router, "items")).toMatchObject({ output: { contentItems: [{ type: "input_text", text: cut }, image] } })
  expect(await call(router, "failing")).toMatchObject({ output: { content: cut, success: false } })
  const mcp = await call(router, "mcp", { type: "mcp", server: "s", tool: "t", rawArguments: "" })
  expect(JSON.stringify(mcp).match(/tokens truncated/g)).toHaveLength(1)
  expect(mcp).toMatchObject({ result: { ok: true, value: { content: [{ type: "text" }] } } })
  expect(mcp).not.toHaveProperty("result.value.structuredContent")
})

test("a budget that is none is refused", () => {
  for (const outputTokensMax of [0, -1, Number.NaN])
    expect(() => ToolRouter.fromConfig({ outputTokensMax })).toThrow("outputTokensMax must be a number, 1 or more")
})

test("only a call that changes something waits for the gate, and its handler starts after it", async () => {
  const order: string[] = []
  const gate = Promise.withResolvers<void>()
  const handler = (isMutating: boolean): ToolHandler => ({
    kind: "function",
    isMutating: async () => isMutating,
    handle: async () => (order.push(isMutating ? "mutating" : "reading"), { type: "function", content: "" }),
  })
  const router = routerOf({ write: handler(true), read: handler(false) })
  const turn = { toolCallGate: { waitReady: async () => (order.push("waits"), gate.promise) } }
  const invocation = {
    session: {},
    turn,
    tracker: new TurnDiffTracker(),
    callId: "c",
    payload: { type: "function", arguments: "" },
  } as const
  const writing = router.dispatchToolCall({ ...invocation, toolName: "write" })
  await router.dispatchToolCall({ ...invocation, toolName: "read" })
  order.push("opens")
  gate.resolve()
  await writing
  expect(order).toEqual(["waits", "reading", "opens", "mutating"])
})

const echo: DynamicToolSpec = {
  name: "echo",
  description: "Repeats its arguments",
  parameters: { type: "object" },
  parallel: true,
  call: async (args, { callId }) => JSON.stringify([args, callId]),
}

test("a config and dynamic tools make a router", async () => {
  const router = ToolRouter.fromConfig({ outputTokensMax: 100 }, new Map(), [echo])
  expect(router.specs).toEqual([{ type: "function", name: "echo", description: "Repeats its arguments", parameters: { type: "object" } }])
  expect(router.toolSupportsParallel("echo")).toBe(true)
  expect(router.toolSupportsParallel("nope")).toBe(false)
  const given = (text: string) => call(router, "echo", { type: "function", arguments: text })
  expect(await given('{"a":1}')).toMatchObject({ output: { content: '[{"a":1},"c1"]', success: true } })
  expect(await given("  ")).toMatchObject({ output: { content: '[{},"c1"]' } })
  expect(await given('"{\\"a\\":1}"')).toMatchObject({ output: { content: '[{"a":1},"c1"]' } })
  for (const text of ["{bad json", "12", "[]", "null"])
    expect(await given(text)).toMatchObject({
      output: { content: expect.stringContaining("failed to parse function arguments: "), success: false },
    })
})

test("a dynamic tool may answer with an output of its own, or with any JSON value", async () => {
  const answers: unknown[] = [{ type: "function", content: "own", success: false }, { a: 1 }, undefined]
  for (const [index, expected] of [{ content: "own", success: false }, { content: '{"a":1}' }, { content: "null" }].entries()) {
    const router = ToolRouter.fromConfig({}, new Map(), [{ ...echo, call: async () => answers[index] as string }])
    expect(await call(router, "echo")).toMatchObject({ output: expected })
  }
})

test("a dynamic tool is taken to change something unless it says that it does not", async () => {
  let waits = 0
  const turn = { toolCallGate: { waitReady: async () => void (waits += 1) } }
  const invocation = { session: {}, turn, tracker: new TurnDiffTracker(), callId: "c", toolName: "echo" } as const
  const payload = { type: "function", arguments: "{}" } as const
  await ToolRouter.fromConfig({}, new Map(), [echo]).dispatchToolCall({ ...invocation, payload })
  await ToolRouter.fromConfig({}, new Map(), [{ ...echo, mutating: false }]).dispatchToolCall({ ...invocation, payload })
  expect(waits).toBe(1)
})

test("further parts add their tools before the dynamic ones", () => {
  const part = (builder: ToolRegistryBuilder): void => builder.pushSpec({ type: "freeform", name: "part", description: "" })
  expect(ToolRouter.fromConfig({ parts: [part] }, new Map(), [echo]).specs.map(({ name }) => name)).toEqual(["part", "echo"])
})

test("a tool of the program that has the name of an MCP tool is called as its own kind", async () => {
  const name = "mcp__a__b"
  const tool = { name: "b", inputSchema: { type: "object" as const } }
  const connections = { callTool: async () => ({ content: [{ type: "text" as const, text: "of the server" }] }) }
  const live = new Map([[name, { serverName: "a", toolName: "b", tool, supportsParallel: false, connections }]])
  const dynamic = { ...echo, name, call: async () => "of the program" }
  const answerOf = async (router: ToolRouter) => {
    const { payload = { type: "custom", input: "" } } =
      router.buildToolCall({ type: "function_call", name, arguments: "{}", call_id: "c1" }) ?? {}
    return JSON.stringify(await call(router, name, payload))
  }
  expect(await answerOf(ToolRouter.fromConfig({ warn: () => {} }, live, [dynamic]))).toContain("of the program")
  expect(await answerOf(ToolRouter.fromConfig({ warn: () => {} }, live))).toContain("of the server")
})
