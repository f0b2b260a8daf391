// The calls of a turn: side by side or one at a time, in order, and what is left of those that are cancelled.
import { expect, test } from "vitest"
import { FunctionCallError } from "./function-call-error.ts"
import { ToolRegistryBuilder } from "./registry-builder.ts"
import type { ResponseItem } from "./response-item.ts"
import { ToolRouter } from "./router.ts"
import { ToolCallRuntime } from "./runtime.ts"
import type { ToolCall, ToolHandler, ToolInvocation, ToolOutput } from "./tool.ts"

/** A tool whose calls end when the test says so. */
function controlled(options: { readonly listens?: boolean; readonly mutating?: boolean } = {}) {
  const started: string[] = []
  const ends = new Map<string, (output: ToolOutput | Error) => void>()
  const waiters: (() => void)[] = []
  const handler: ToolHandler = {
    kind: "function",
    matchesKind: () => true,
    isMutating: async () => options.mutating ?? false,
    handle: ({ callId, signal }: ToolInvocation) => {
      const { promise, resolve, reject } = Promise.withResolvers<ToolOutput>()
      if (options.listens !== false) signal.addEventListener("abort", () => reject(new Error("stopped")), { once: true })
      ends.set(callId, (output) => (output instanceof Error ? reject(output) : resolve(output)))
      started.push(callId)
      for (const wake of waiters.splice(0)) wake()
      return promise
    },
  }
  const untilStarted = async (callId: string): Promise<void> => {
    while (!started.includes(callId)) await new Promise<void>((resolve) => waiters.push(resolve))
  }
  return { handler, started, untilStarted, end: (callId: string, content = callId) => ends.get(callId)?.({ type: "function", content }) }
}

type Controlled = ReturnType<typeof controlled>

function runtimeOf(tools: Record<string, { readonly tool: Controlled; readonly parallel: boolean }>, gate = async () => {}) {
  const builder = new ToolRegistryBuilder()
  for (const [name, { tool, parallel }] of Object.entries(tools)) {
    builder.pushSpecWithParallelSupport({ type: "function", name, description: "", parameters: {} }, parallel)
    builder.registerHandler(name, tool.handler)
  }
  const [specs, registry] = builder.build()
  const mcpTools = new Map([["mcp__s__t", { serverName: "s", toolName: "t" }]])
  const router = new ToolRouter({ specs, registry, mcpTools })
  return new ToolCallRuntime({ router, session: {}, turn: { toolCallGate: { waitReady: gate } } })
}

const callOf = (toolName: string, callId: string): ToolCall => ({ toolName, callId, payload: { type: "function", arguments: "{}" } })
const item = (name: string, callId: string): ResponseItem => ({ type: "function_call", name, arguments: "{}", call_id: callId })
const turnOfTheLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test("parallel tools run together, others alone and in order", async () => {
  const tool = controlled()
  const runtime = runtimeOf({ shared: { tool, parallel: true }, alone: { tool, parallel: false } })
  const running = ["shared:1", "shared:2", "alone:3", "shared:4"].map((id) => runtime.handleToolCall(callOf(id.split(":")[0] ?? "", id)))
  await tool.untilStarted("shared:2")
  await turnOfTheLoop()
  expect(tool.started).toEqual(["shared:1", "shared:2"])
  tool.end("shared:1")
  await turnOfTheLoop()
  expect(tool.started).toEqual(["shared:1", "shared:2"])
  tool.end("shared:2")
  await tool.untilStarted("alone:3")
  await turnOfTheLoop()
  expect(tool.started).toEqual(["shared:1", "shared:2", "alone:3"])
  tool.end("alone:3")
  await tool.untilStarted("shared:4")
  tool.end("shared:4")
  expect((await Promise.all(running)).map(({ call_id }) => call_id)).toEqual(["shared:1", "shared:2", "alone:3", "shared:4"])
})

test("calls start while the answer streams, and their outputs come in the order of the calls", async () => {
  const tool = controlled()
  const batch = runtimeOf({ shared: { tool, parallel: true } }).startBatch()
  expect(batch.add({ type: "message", role: "assistant", content: [] })).toBe(false)
  expect(batch.add(item("shared", "first"))).toBe(true)
  await tool.untilStarted("first")
  // The rest of the answer arrives only now.
  batch.add(item("shared", "second"))
  batch.add(item("nope", "third"))
  await tool.untilStarted("second")
  tool.end("second")
  await turnOfTheLoop()
  tool.end("first")
  expect((await batch.outputs()).map(({ call_id }) => call_id)).toEqual(["first", "second", "third"])
})

test("a call without an id, or one that makes no sense, is answered as well", async () => {
  const batch = runtimeOf({}).startBatch()
  batch.add({ type: "local_shell_call", action: { type: "exec", command: ["ls"] } })
  batch.add({ type: "custom_tool_call", call_id: "c", input: "" })
  expect(await batch.outputs()).toEqual([
    { type: "function_call_output", call_id: "", output: { content: "LocalShellCall without call_id or id", success: false } },
    { type: "custom_tool_call_output", call_id: "c", output: "custom_tool_call without a name" },
  ])
})

test("a fatal error ends the turn: the other calls are cancelled, and the outputs are the error", async () => {
  const tool = controlled()
  const fatal = controlled()
  const runtime = runtimeOf({ shared: { tool, parallel: true }, fatal: { tool: fatal, parallel: true } })
  fatal.handler.handle = async () => Promise.reject(FunctionCallError.fatal("over"))
  const batch = runtime.startBatch()
  batch.add(item("shared", "first"))
  await tool.untilStarted("first")
  batch.add(item("fatal", "second"))
  await expect(batch.outputs()).rejects.toThrow("Fatal error: over")
})

test("a cancelled call is answered with how long it ran, in the form of its kind", async () => {
  const tool = controlled()
  const parallel = true
  const runtime = runtimeOf({
    tool: { tool, parallel },
    shell: { tool, parallel },
    custom: { tool, parallel },
    mcp__s__t: { tool, parallel },
  })
  const controller = new AbortController()
  const batch = runtime.startBatch(controller.signal)
  batch.add(item("tool", "a"))
  batch.add(item("shell", "b"))
  batch.add({ type: "custom_tool_call", name: "custom", input: "", call_id: "c" })
  batch.add(item("mcp__s__t", "d"))
  await tool.untilStarted("d")
  controller.abort()
  const seconds = /\d+\.\d/
  const text = expect.stringMatching(new RegExp(`^aborted by user after ${seconds.source}s$`))
  const wallTime = expect.stringMatching(new RegExp(`^Wall time: ${seconds.source} seconds\naborted by user$`))
  expect(await batch.outputs()).toEqual([
    { type: "function_call_output", call_id: "a", output: { content: text } },
    { type: "function_call_output", call_id: "b", output: { content: wallTime } },
    { type: "custom_tool_call_output", call_id: "c", output: text },
    { type: "mcp_tool_call_output", call_id: "d", result: { ok: false, error: text } },
  ])
})

test("the model's own shell tool is cancelled like `shell`, and at least a tenth of a second is said", async () => {
  const runtime = runtimeOf({})
  const shell: ToolCall = { toolName: "local_shell", callId: "c", payload: { type: "local_shell", params: { command: ["ls"] } } }
  expect(await runtime.handleToolCall(shell, AbortSignal.abort())).toEqual({
    type: "function_call_output",
    call_id: "c",
    output: { content: "Wall time: 0.1 seconds\naborted by user" },
  })
})

test("a call that is cancelled while it waits never starts, and those behind it go on", async () => {
  const tool = controlled()
  const runtime = runtimeOf({ alone: { tool, parallel: false }, shared: { tool, parallel: true } })
  const first = runtime.handleToolCall(callOf("shared", "first"))
  await tool.untilStarted("first")
  const controller = new AbortController()
  const second = runtime.handleToolCall(callOf("alone", "second"), controller.signal)
  const third = runtime.handleToolCall(callOf("shared", "third"))
  controller.abort()
  expect(await second).toMatchObject({ output: { content: expect.stringContaining("aborted by user") } })
  await tool.untilStarted("third")
  tool.end("first")
  tool.end("third")
  await Promise.all([first, third])
  expect(tool.started).toEqual(["first", "third"])
})

test("a call that is cancelled at the gate never starts", async () => {
  const tool = controlled({ mutating: true })
  const reached = Promise.withResolvers<void>()
  const runtime = runtimeOf({ tool: { tool, parallel: false } }, async () => {
    reached.resolve()
    await new Promise(() => {})
  })
  const controller = new AbortController()
  const output = runtime.handleToolCall(callOf("tool", "c"), controller.signal)
  await reached.promise
  controller.abort()
  expect(await output).toMatchObject({ output: { content: expect.stringContaining("aborted by user after") } })
  expect(tool.started).toEqual([])
})

test("a call whose handler has ended when it is cancelled keeps its real output", async () => {
  const controller = new AbortController()
  const tool = controlled()
  // The signal is aborted after the handler's end, while its output is read.
  const ended: ToolOutput = {
    type: "function",
    get content() {
      controller.abort()
      return "real"
    },
  }
  tool.handler.handle = async () => ended
  const output = await runtimeOf({ tool: { tool, parallel: false } }).handleToolCall(callOf("tool", "c"), controller.signal)
  expect(controller.signal.aborted).toBe(true)
  expect(output).toMatchObject({ output: { content: "real" } })
})

test("a cancelled handler is waited for before the next call starts", async () => {
  const tool = controlled({ listens: false })
  const runtime = runtimeOf({ tool: { tool, parallel: false } })
  const controller = new AbortController()
  const first = runtime.handleToolCall(callOf("tool", "first"), controller.signal)
  const second = runtime.handleToolCall(callOf("tool", "second"))
  await tool.untilStarted("first")
  controller.abort()
  await turnOfTheLoop()
  expect(tool.started).toEqual(["first"])
  tool.end("first", "too late")
  expect(await first).toMatchObject({ output: { content: expect.stringContaining("aborted by user") } })
  await tool.untilStarted("second")
  tool.end("second")
  await second
})

test("a handler that does not listen cannot keep its caller, nor the calls behind it, for ever", async () => {
  const tool = controlled({ listens: false })
  const runtime = runtimeOf({ tool: { tool, parallel: false } })
  const controller = new AbortController()
  const first = runtime.handleToolCall(callOf("tool", "first"), controller.signal)
  const second = runtime.handleToolCall(callOf("tool", "second"))
  await tool.untilStarted("first")
  controller.abort()
  expect(await first).toMatchObject({ output: { content: expect.stringContaining("aborted by user") } })
  await tool.untilStarted("second")
  tool.end("second")
  expect(await second).toMatchObject({ output: { content: "second" } })
})
