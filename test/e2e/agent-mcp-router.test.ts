// MCP tools as a model calls them: from the table of all servers through router and runtime to the server, and back as an item.
import { describe, expect, onTestFinished, test } from "vitest"
import {
  McpConnectionManager,
  McpHandler,
  ToolCallRuntime,
  ToolRegistryBuilder,
  ToolRouter,
  TurnDiffTracker,
} from "../../src/agent-tools/index.ts"
import type { ToolInvocation } from "../../src/agent-tools/index.ts"
import { plainTool, silence, startScriptedMcp, textResult } from "../servers/mcp-scripted.ts"
import type { ScriptedRequest } from "../servers/mcp-scripted.ts"

const schema = { type: "object", properties: { path: { type: "string" } }, required: ["path"] }
const tools = [
  plainTool("read_file", { description: "Reads a file.", inputSchema: schema, annotations: { readOnlyHint: true } }),
  plainTool("write_file", { description: "Writes a file.", inputSchema: schema }),
  plainTool("hang"),
]

function answer({ method, params }: ScriptedRequest): unknown {
  switch (method) {
    case "tools/list":
      return { tools }
    case "tools/call":
      return params["name"] === "hang" ? silence : textResult(`${String(params["name"])} ${JSON.stringify(params["arguments"])}`)
    case "resources/list":
      return { resources: [{ uri: "a://1", name: "one" }], nextCursor: "more" }
    case "resources/templates/list":
      return { resourceTemplates: [{ uriTemplate: "a://{id}", name: "by id" }] }
    case "resources/read":
      return { contents: [{ uri: params["uri"], text: "the resource" }] }
    default:
      return undefined
  }
}

/** `waitReady`: what calls that change something wait for. */
async function agent(waitReady: () => Promise<void> = () => Promise.resolve()) {
  const server = await startScriptedMcp({ answer })
  const mcp = await McpConnectionManager.start({ filesystem: { url: server.url } })
  onTestFinished(async () => {
    await mcp.close()
    await server.close()
  })
  const table = await mcp.listAllTools()
  const router = ToolRouter.fromConfig({}, table)
  const runtime = new ToolCallRuntime({ router, session: {}, turn: { toolCallGate: { waitReady } } })
  const call = async (name: string, args: string, signal?: AbortSignal) => {
    const built = router.buildToolCall({ type: "function_call", name, arguments: args, call_id: "c1" })
    if (built === null) throw new Error("A function call is one")
    return runtime.handleToolCall(built, signal)
  }
  return { server, mcp, table, router, call }
}

describe("McpConnectionManager and ToolRouter", () => {
  test("MCP tools use qualified names, and the model is told of them as of functions", async () => {
    const { router, table } = await agent()
    expect([...table.keys()]).toEqual(["mcp__filesystem__read_file", "mcp__filesystem__write_file", "mcp__filesystem__hang"])
    expect(router.specs).toContainEqual({
      type: "function",
      name: "mcp__filesystem__read_file",
      description: "Reads a file.",
      parameters: schema,
    })
    expect(router.toolSupportsParallel("mcp__filesystem__read_file")).toBe(true)
    expect(router.toolSupportsParallel("mcp__filesystem__write_file")).toBe(false)
  })

  test("a function call with such a name becomes a payload of server, tool and raw arguments", async () => {
    const { router } = await agent()
    expect(
      router.buildToolCall({ type: "function_call", name: "mcp__filesystem__read_file", arguments: '{"path":"a"}', call_id: "c1" }),
    ).toEqual({
      toolName: "mcp__filesystem__read_file",
      callId: "c1",
      payload: { type: "mcp", server: "filesystem", tool: "read_file", rawArguments: '{"path":"a"}' },
    })
  })

  test("the server is called, and its result is the item's", async () => {
    const { call } = await agent()
    expect(await call("mcp__filesystem__read_file", '{"path":"a"}')).toEqual({
      type: "mcp_tool_call_output",
      call_id: "c1",
      result: { ok: true, value: textResult('read_file {"path":"a"}') },
    })
    expect(await call("mcp__filesystem__read_file", "")).toMatchObject({ result: { ok: true } })
  })

  test("arguments that are no JSON reach the model and not the server", async () => {
    const { call, server } = await agent()
    for (const text of ["{broken", "[1]", "12"])
      expect(await call("mcp__filesystem__read_file", text)).toMatchObject({
        type: "function_call_output",
        output: { success: false, content: expect.stringContaining("failed to parse function arguments") },
      })
    expect(server.countOf("tools/call")).toBe(0)
  })

  test("a server that is gone is an error for the model", async () => {
    const { call, mcp } = await agent()
    await mcp.close()
    expect(await call("mcp__filesystem__read_file", "{}")).toEqual({
      type: "mcp_tool_call_output",
      call_id: "c1",
      result: { ok: false, error: "The connections to MCP servers are closed" },
    })
  })

  test("a tool that does not say that it only reads waits for the gate, one that does say so does not", async () => {
    const [gate, reached] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const { call, mcp, server } = await agent(() => {
      reached.resolve()
      return gate.promise
    })
    const called = (): unknown[] => server.requests.filter((one) => one.method === "tools/call").map((one) => one.params["name"])
    await call("mcp__filesystem__read_file", "{}")
    const writing = call("mcp__filesystem__write_file", "{}")
    await reached.promise
    // What was sent before this call has arrived before it.
    await mcp.callTool("filesystem", "read_file", {})
    expect(called()).toEqual(["read_file", "read_file"])
    gate.resolve()
    await writing
    expect(called()).toEqual(["read_file", "read_file", "write_file"])
  })

  test("a call that is cancelled is answered as aborted, and the server is told", async () => {
    const { call, server } = await agent()
    const cancel = new AbortController()
    const hanging = call("mcp__filesystem__hang", "{}", cancel.signal)
    await server.asked("tools/call")
    cancel.abort()
    expect(await hanging).toMatchObject({ result: { ok: false, error: expect.stringMatching(/^aborted by user after \d+\.\ds$/) } })
    await server.asked("notifications/cancelled")
  })

  test("a tool with `__` in its name is found by the table, never by its parts", async () => {
    const server = await startScriptedMcp({
      answer: ({ method, params }) => (method === "tools/list" ? { tools: [plainTool("x__y")] } : textResult(String(params["name"]))),
    })
    const mcp = await McpConnectionManager.start({ a__b: { url: server.url } })
    onTestFinished(async () => {
      await mcp.close()
      await server.close()
    })
    const router = ToolRouter.fromConfig({}, await mcp.listAllTools())
    const item = (name: string) => ({ type: "function_call", name, arguments: "{}", call_id: "c" })
    expect(router.buildToolCall(item("mcp__a__b__x__y"))?.payload).toMatchObject({ server: "a__b", tool: "x__y" })
    expect(router.buildToolCall(item("mcp__a__other"))?.payload).toEqual({ type: "function", arguments: "{}" })
  })
})

describe("the tools for resources", () => {
  const content = (item: unknown): unknown => JSON.parse((item as { readonly output: { readonly content: string } }).output.content)

  test("list and read", async () => {
    const { call, router } = await agent()
    expect(router.toolSupportsParallel("read_mcp_resource")).toBe(true)
    expect(content(await call("list_mcp_resources", '{"server":"filesystem","cursor":" "}'))).toEqual({
      resources: [{ uri: "a://1", name: "one", server: "filesystem" }],
      nextCursor: "more",
      failures: [],
    })
    expect(content(await call("list_mcp_resources", '{"server":""}'))).toEqual({
      resources: [],
      failures: [{ server: "filesystem", message: "resources/list failed for `filesystem`: resources/list returned duplicate cursor" }],
    })
    expect(content(await call("list_mcp_resource_templates", ""))).toEqual({
      resourceTemplates: [{ uriTemplate: "a://{id}", name: "by id", server: "filesystem" }],
      failures: [],
    })
    expect(content(await call("read_mcp_resource", '{"server":"filesystem","uri":"a://1"}'))).toEqual({
      server: "filesystem",
      uri: "a://1",
      contents: [{ uri: "a://1", text: "the resource" }],
    })
  })

  test.for([
    ["list_mcp_resources", '{"cursor":"x"}', "cursor can only be used when a server is specified"],
    ["list_mcp_resource_templates", '{"cursor":"x"}', "cursor can only be used when a server is specified"],
    ["list_mcp_resources", '{"server":"other"}', "unknown MCP server 'other'"],
    ["list_mcp_resources", '{"server":3}', "failed to parse function arguments: server must be a string"],
    ["read_mcp_resource", '{"uri":"a://1"}', "server must be provided"],
    ["read_mcp_resource", '{"server":"filesystem","uri":" "}', "uri must be provided"],
  ] as const)("%s refuses %s", async ([name, args, message]) => {
    const { call } = await agent()
    expect(await call(name, args)).toMatchObject({ type: "function_call_output", output: { success: false, content: message } })
  })

  test("are not offered to an agent whose table has no way to them", async () => {
    const { table } = await agent()
    expect(ToolRouter.fromConfig({}, new Map(table)).specs.map((spec) => spec.name)).toEqual([...table.keys()])
    expect(ToolRouter.fromConfig({}).specs.map((spec) => spec.name)).not.toContain("list_mcp_resources")
  })
})

describe("McpHandler", () => {
  test("is registered by hand like any other handler", async () => {
    const { table } = await agent()
    const handler = new McpHandler(table)
    const builder = new ToolRegistryBuilder()
    builder.pushSpec({ type: "function", name: "mcp__filesystem__read_file", description: "", parameters: schema })
    builder.registerHandler("mcp__filesystem__read_file", handler)
    const [specs, registry] = builder.build()
    const router = new ToolRouter({ specs, registry, mcpTools: table })
    const payload = { type: "mcp", server: "filesystem", tool: "read_file", rawArguments: "{}" } as const
    const invocation: ToolInvocation = {
      session: {},
      turn: { toolCallGate: { waitReady: () => Promise.resolve() } },
      tracker: new TurnDiffTracker(),
      callId: "c1",
      toolName: "mcp__filesystem__read_file",
      payload,
      signal: new AbortController().signal,
    }
    expect(handler.kind).toBe("mcp")
    expect(handler.matchesKind(payload)).toBe(true)
    expect(handler.matchesKind({ type: "function", arguments: "{}" })).toBe(false)
    expect(await handler.isMutating(invocation)).toBe(false)
    expect(await handler.isMutating({ ...invocation, toolName: "mcp__filesystem__write_file" })).toBe(true)
    expect(await router.dispatchToolCall(invocation)).toMatchObject({ type: "mcp_tool_call_output", result: { ok: true } })
    await expect(router.dispatchToolCall({ ...invocation, payload: { type: "function", arguments: "{}" } })).rejects.toThrow(
      "tool mcp__filesystem__read_file invoked with incompatible payload",
    )
  })
})
