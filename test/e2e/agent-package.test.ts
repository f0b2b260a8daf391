// `toolplane/agent` from the packed package, as somebody else's agent imports it: each part of the tool system, from the outside.
import { execFile } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type * as Agent from "../../src/agent-tools/index.ts"
import type * as ToolTypes from "../../src/core/tool-types.ts"
import { installPacked } from "./packed.ts"

const root = join(import.meta.dirname, "..", "..")
const scratch = mkdtempSync(join(tmpdir(), "executor-agent-package-"))
const project = join(scratch, "project")
const run = promisify(execFile)
let agent: typeof Agent

beforeAll(async () => {
  await installPacked(scratch, join(project, "node_modules", "toolplane"))
  writeFileSync(join(project, "package.json"), '{ "type": "module" }')
  const path = createRequire(join(project, "main.js")).resolve("toolplane/agent")
  agent = (await import(pathToFileURL(path).href)) as typeof Agent // the packed build of that module
})
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

const openGate = { toolCallGate: { waitReady: async () => {} } }
const parameters = { type: "object" }

/** A tool that records when its calls start and end, and ends them when the test says so. */
function recorder() {
  const log: string[] = []
  const ends = new Map<string, () => void>()
  const waiters = new Set<() => void>()
  const note = (line: string): void => {
    log.push(line)
    for (const wake of waiters) wake()
  }
  const handler: Agent.ToolHandler = {
    kind: "function",
    async handle({ callId }) {
      note(`start ${callId}`)
      await new Promise<void>((resolve) => ends.set(callId, resolve))
      note(`end ${callId}`)
      return { type: "function", content: callId }
    },
  }
  const until = async (line: string): Promise<void> => {
    if (log.includes(line)) return
    await new Promise<void>((resolve) => {
      const look = (): void => {
        if (!log.includes(line)) return
        waiters.delete(look)
        resolve()
      }
      waiters.add(look)
    })
  }
  return { handler, log, until, end: (callId: string) => ends.get(callId)?.() }
}

type Tool = { readonly spec: Agent.ToolSpec; readonly parallel?: boolean; readonly handler: Agent.ToolHandler }

function routerOf(...tools: readonly Tool[]): Agent.ToolRouter {
  const builder = new agent.ToolRegistryBuilder()
  for (const { spec, parallel, handler } of tools) {
    if (parallel === undefined) builder.pushSpec(spec)
    else builder.pushSpecWithParallelSupport(spec, parallel)
    builder.registerHandler(spec.name, handler)
  }
  const [specs, registry] = builder.build()
  return new agent.ToolRouter({ specs, registry })
}

const runtimeOf = (router: Agent.ToolRouter, turn: Agent.TurnContext = openGate) => new agent.ToolCallRuntime({ router, session: {}, turn })
const functionSpec = (name: string): Agent.ToolSpec => ({ type: "function", name, description: name, parameters })
const functionCall = (name: string, call_id: string, text = "{}") => ({ type: "function_call", name, call_id, arguments: text }) as const

function built(router: Agent.ToolRouter, item: Agent.ResponseItem): Agent.ToolCall {
  const call = router.buildToolCall(item)
  if (call === null) throw new Error("The item is not a call")
  return call
}

describe("what is published", () => {
  test("has the taxonomy of tools by itself, which imports nothing", async () => {
    const path = createRequire(join(project, "main.js")).resolve("toolplane/tool-types")
    expect(readFileSync(path, "utf8")).not.toMatch(/^import|\brequire\(|import\(/m)
    const taxonomy = (await import(pathToFileURL(path).href)) as typeof ToolTypes // the packed build of that module
    expect(taxonomy.TOOL_BUCKETS.map(({ id }) => id)).toEqual(["built_in", "mcp", "artifact", "custom"])
    expect(taxonomy.TOOL_SUBTYPES.map(({ id }) => taxonomy.getSubtypeLabel(id))).toContain("RAG Retrieval")
    expect(taxonomy.getToolBucket({ implementationType: "mcp" })).toBe("mcp")
    const tools = [
      { name: "a", implementationType: "http", status: "draft" },
      { name: "b", implementationType: "mcp", status: "published" },
    ]
    expect(taxonomy.filterTools(tools, { query: "A", status: "draft", bucket: "custom", subtype: "http" })).toEqual([tools[0]])
  })

  test("has every component by its name", () => {
    const classes = [
      "ToolRouter",
      "ToolRegistry",
      "ToolRegistryBuilder",
      "ToolCallRuntime",
      "McpConnectionManager",
      "ShellHandler",
      "FileReadHandler",
      "McpHandler",
      "DynamicHandler",
      "TurnDiffTracker",
      "FunctionCallError",
      "loadToolsConfig",
      "qualifyToolName",
    ] as const
    for (const name of classes) expect(agent[name]).toBeTypeOf("function")
    expect(agent.toResponse).toBeTypeOf("function")
  })

  test("has types that a strict project compiles against, and an example that runs", async () => {
    cpSync(join(root, "examples", "agent-tool", "main.ts"), join(project, "main.ts"))
    const compilerOptions = { target: "es2024", module: "nodenext", strict: true, skipLibCheck: true, noEmit: true, types: ["node"] }
    const typeRoots = [join(root, "node_modules", "@types")]
    writeFileSync(
      join(project, "tsconfig.json"),
      JSON.stringify({ compilerOptions: { ...compilerOptions, typeRoots }, files: ["main.ts"] }),
    )
    await expect(run(join(root, "node_modules", ".bin", "tsc"), ["-p", project])).resolves.toMatchObject({ stdout: "" })
    const { stdout } = await run(process.execPath, [join(project, "main.ts")])
    expect(stdout).toContain("6 words")
  })
})

describe("tool types and the router", () => {
  test("each item of a model's answer becomes its kind of call", () => {
    const mcpTools = new Map([["mcp__filesystem__read_file", { serverName: "filesystem", toolName: "read_file" }]])
    const [specs, registry] = new agent.ToolRegistryBuilder().build()
    const router = new agent.ToolRouter({ specs, registry, mcpTools })
    expect(router.buildToolCall(functionCall("read_file", "1", '{"path":"a"}'))).toEqual({
      toolName: "read_file",
      callId: "1",
      payload: { type: "function", arguments: '{"path":"a"}' },
    })
    expect(router.buildToolCall({ type: "custom_tool_call", name: "apply_patch", call_id: "2", input: "text" })?.payload).toEqual({
      type: "custom",
      input: "text",
    })
    expect(router.buildToolCall(functionCall("mcp__filesystem__read_file", "3", "{}"))?.payload).toEqual({
      type: "mcp",
      server: "filesystem",
      tool: "read_file",
      rawArguments: "{}",
    })
    const action = { type: "exec", command: ["ls", "-l"], timeout_ms: 5, working_directory: "/w" }
    expect(router.buildToolCall({ type: "local_shell_call", id: "4", action })).toEqual({
      toolName: "local_shell",
      callId: "4",
      payload: { type: "local_shell", params: { command: ["ls", "-l"], timeoutMs: 5, workdir: "/w" } },
    })
    expect(router.buildToolCall({ type: "reasoning", summary: [] })).toBeNull()
    expect(() => router.buildToolCall({ type: "local_shell_call", action })).toThrow("LocalShellCall without call_id or id")
  })

  test("a config, MCP tools and dynamic tools make a router; dynamic tools call the embedding program", async () => {
    const called: unknown[] = []
    const router = agent.ToolRouter.fromConfig({}, new Map(), [
      {
        name: "weather",
        description: "Weather",
        parameters,
        parallel: true,
        mutating: false,
        call: async (args, { callId }) => {
          called.push([args, callId])
          return "sunny"
        },
      },
    ])
    expect(router.specs.at(-1)).toEqual({ type: "function", name: "weather", description: "Weather", parameters })
    expect(router.toolSupportsParallel("weather")).toBe(true)
    const output = await runtimeOf(router).handleToolCall(built(router, functionCall("weather", "c", '{"city":"Rome"}')))
    expect(output).toEqual({ type: "function_call_output", call_id: "c", output: { content: "sunny", success: true } })
    expect(called).toEqual([[{ city: "Rome" }, "c"]])
  })

  test("specs are functions with a schema, or freeform without one", () => {
    const handler = recorder().handler
    const freeform: Agent.ToolSpec = { type: "freeform", name: "note", description: "Takes notes" }
    expect(routerOf({ spec: functionSpec("tool"), handler }, { spec: freeform, handler }).specs).toEqual([functionSpec("tool"), freeform])
  })
})

describe("handlers", () => {
  test("get the whole context of their call", async () => {
    let seen: Agent.ToolInvocation | undefined
    const handler: Agent.ToolHandler = {
      kind: "function",
      handle: async (invocation) => {
        seen = invocation
        return { type: "function", content: "" }
      },
    }
    const router = routerOf({ spec: functionSpec("tool"), handler })
    const session: Agent.ToolSession = { approve: async () => true }
    const tracker = new agent.TurnDiffTracker()
    const runtime = new agent.ToolCallRuntime({ router, session, turn: openGate, tracker })
    await runtime.handleToolCall(built(router, functionCall("tool", "c")))
    expect(seen).toMatchObject({ callId: "c", toolName: "tool", payload: { type: "function", arguments: "{}" } })
    expect([seen?.session, seen?.turn, seen?.tracker]).toEqual([session, openGate, tracker])
    expect(seen?.signal.aborted).toBe(false)
  })

  test("take payloads of their kind, and a payload of another ends the turn", async () => {
    const router = routerOf({ spec: functionSpec("tool"), handler: recorder().handler })
    const item = { type: "custom_tool_call", name: "tool", input: "", call_id: "c" } as const
    const refused = runtimeOf(router).handleToolCall(built(router, item))
    await expect(refused).rejects.toThrow("Fatal error: tool tool invoked with incompatible payload")
    await expect(refused).rejects.toBeInstanceOf(agent.FunctionCallError)
  })

  test("of one name: the last wins with a warning, and an external tool never takes a local one's", async () => {
    const warnings: string[] = []
    const answer = (content: string): Agent.ToolHandler => ({ kind: "function", handle: async () => ({ type: "function", content }) })
    const part = (builder: Agent.ToolRegistryBuilder): void => {
      builder.pushSpec(functionSpec("tool"))
      builder.registerHandler("tool", answer("first"))
      builder.registerHandler("tool", answer("last"))
    }
    const dynamic: Agent.DynamicToolSpec = { name: "tool", description: "", parameters, call: async () => "dynamic" }
    const router = agent.ToolRouter.fromConfig({ parts: [part], warn: (text) => warnings.push(text) }, new Map(), [dynamic])
    const output = await runtimeOf(router).handleToolCall(built(router, functionCall("tool", "c")))
    expect(output).toMatchObject({ output: { content: "last" } })
    expect(warnings).toHaveLength(2)
    expect(router.specs.filter(({ name }) => name === "tool")).toHaveLength(1)
  })
})

describe("parallel and sequential execution", () => {
  test("parallel tools share the turn's lock, sequential ones have it alone, and a waiting one holds back later calls", async () => {
    const tool = recorder()
    const { handler } = tool
    const router = routerOf({ spec: functionSpec("read"), parallel: true, handler }, { spec: functionSpec("write"), handler })
    expect([router.toolSupportsParallel("read"), router.toolSupportsParallel("write")]).toEqual([true, false])
    const batch = runtimeOf(router).startBatch()
    for (const item of [functionCall("read", "r1"), functionCall("read", "r2"), functionCall("write", "w3"), functionCall("read", "r4")])
      batch.add(item)
    await tool.until("start r2")
    tool.end("r2")
    await tool.until("end r2")
    tool.end("r1")
    await tool.until("start w3")
    tool.end("w3")
    await tool.until("start r4")
    tool.end("r4")
    expect((await batch.outputs()).map(({ call_id }) => call_id)).toEqual(["r1", "r2", "w3", "r4"])
    expect(tool.log).toEqual(["start r1", "start r2", "end r2", "end r1", "start w3", "end w3", "start r4", "end r4"])
  })

  test("a cancelled call is answered; one that waited never starts, one that ended keeps its output", async () => {
    const tool = recorder()
    const router = routerOf({ spec: functionSpec("write"), handler: tool.handler })
    const runtime = runtimeOf(router)
    const controller = new AbortController()
    const first = runtime.handleToolCall(built(router, functionCall("write", "first")))
    const second = runtime.handleToolCall(built(router, functionCall("write", "second")), controller.signal)
    await tool.until("start first")
    controller.abort()
    expect(await second).toEqual({
      type: "function_call_output",
      call_id: "second",
      output: { content: expect.stringMatching(/^aborted by user after \d+\.\ds$/) },
    })
    tool.end("first")
    expect(await first).toMatchObject({ output: { content: "first" } })
    expect(tool.log).toEqual(["start first", "end first"])
  })
})

test("the gate: only calls that change something wait for it", async () => {
  const order: string[] = []
  const gate = Promise.withResolvers<void>()
  const reached = Promise.withResolvers<void>()
  const turn: Agent.TurnContext = {
    toolCallGate: {
      waitReady() {
        reached.resolve()
        return gate.promise
      },
    },
  }
  const handler = (mutating: boolean): Agent.ToolHandler => ({
    kind: "function",
    isMutating: async () => mutating,
    handle: async ({ callId }) => (order.push(callId), { type: "function", content: "" }),
  })
  const router = routerOf(
    { spec: functionSpec("write"), parallel: true, handler: handler(true) },
    { spec: functionSpec("read"), parallel: true, handler: handler(false) },
  )
  const runtime = runtimeOf(router, turn)
  const writing = runtime.handleToolCall(built(router, functionCall("write", "w")))
  await reached.promise
  await runtime.handleToolCall(built(router, functionCall("read", "r")))
  gate.resolve()
  await writing
  expect(order).toEqual(["r", "w"])
})

describe("outputs and errors", () => {
  const value = { content: [{ type: "text" as const, text: "hi" }] }

  test("an output is written in the form of its call", () => {
    const output: Agent.ToolOutput = { type: "function", content: "hi", success: true }
    const custom: Agent.ToolPayload = { type: "custom", input: "" }
    const plain: Agent.ToolPayload = { type: "function", arguments: "" }
    const mcp: Agent.ToolPayload = { type: "mcp", server: "s", tool: "t", rawArguments: "" }
    expect(agent.toResponse(output, "c", custom)).toEqual({ type: "custom_tool_call_output", call_id: "c", output: "hi" })
    expect(agent.toResponse(output, "c", plain)).toEqual({
      type: "function_call_output",
      call_id: "c",
      output: { content: "hi", success: true },
    })
    const result = { ok: true, value } as const
    expect(agent.toResponse({ type: "mcp", result }, "c", mcp)).toEqual({ type: "mcp_tool_call_output", call_id: "c", result })
  })

  test("errors are outputs that the model reads, unless they are fatal", async () => {
    const throwing = (thrown: Error): Agent.ToolHandler => ({
      kind: "function",
      matchesKind: () => true,
      handle: async () => {
        throw thrown
      },
    })
    const freeform: Agent.ToolSpec = { type: "freeform", name: "freeform", description: "" }
    const router = routerOf(
      { spec: functionSpec("refuses"), handler: throwing(agent.FunctionCallError.respondToModel("no such file")) },
      { spec: freeform, handler: throwing(agent.FunctionCallError.respondToModel("no such file")) },
      { spec: functionSpec("dies"), handler: throwing(agent.FunctionCallError.fatal("gone")) },
    )
    const runtime = runtimeOf(router)
    const answer = (item: Agent.ResponseItem) => runtime.handleToolCall(built(router, item))
    expect(await answer(functionCall("refuses", "1"))).toEqual({
      type: "function_call_output",
      call_id: "1",
      output: { content: "no such file", success: false },
    })
    expect(await answer({ type: "custom_tool_call", name: "freeform", input: "", call_id: "2" })).toEqual({
      type: "custom_tool_call_output",
      call_id: "2",
      output: "no such file",
    })
    expect(await answer(functionCall("nope", "3"))).toMatchObject({ output: { content: "unsupported call: nope", success: false } })
    expect(await answer({ type: "custom_tool_call", name: "nope", input: "", call_id: "4" })).toMatchObject({
      output: "unsupported custom tool call: nope",
    })
    await expect(answer(functionCall("dies", "5"))).rejects.toThrow("Fatal error: gone")
  })

  test("long outputs are cut in the middle, with one marker", async () => {
    const handler: Agent.ToolHandler = { kind: "function", handle: async () => ({ type: "function", content: "x".repeat(50_000) }) }
    const router = routerOf({ spec: functionSpec("long"), handler })
    const output = await runtimeOf(router).handleToolCall(built(router, functionCall("long", "c")))
    const half = "x".repeat(20_000)
    expect(output).toMatchObject({ output: { content: `${half}…2500 tokens truncated…${half}` } })
  })
})

test("local tools work in a workspace, and the turn knows what they changed", async () => {
  const workspace = join(scratch, "workspace")
  mkdirSync(workspace)
  const router = agent.ToolRouter.fromConfig({ workspace, shell: "off" })
  expect(router.specs.map(({ name }) => name)).toEqual(["read_file", "write_file", "search", "apply_patch"])
  const runtime = runtimeOf(router)
  const patch = "*** Begin Patch\n*** Update File: a.txt\n@@\n-one\n+two\n*** End Patch"
  const batch = runtime.startBatch()
  batch.add(functionCall("write_file", "1", JSON.stringify({ file_path: "a.txt", content: "one\n" })))
  batch.add(functionCall("search", "2", '{"pattern":"one"}'))
  batch.add({ type: "custom_tool_call", name: "apply_patch", input: patch, call_id: "3" })
  batch.add(functionCall("read_file", "4", '{"file_path":"a.txt"}'))
  batch.add(functionCall("read_file", "5", '{"file_path":"../outside"}'))
  // Each call sees what those before it did.
  expect(await batch.outputs()).toMatchObject([
    { output: { success: true } },
    { output: { content: expect.stringContaining("a.txt:1:one") } },
    { type: "custom_tool_call_output", output: expect.stringContaining("M a.txt") },
    { output: { content: expect.stringContaining("L1: two") } },
    { output: { success: false } },
  ])
  expect(runtime.tracker.unifiedDiff()).toContain("+two")
})

describe("MCP", () => {
  test("tools have qualified names that model APIs take", () => {
    expect(agent.qualifyToolName("filesystem", "read_file")).toBe("mcp__filesystem__read_file")
    expect(agent.qualifyToolName("my.server", "a tool")).toMatch(/^[a-zA-Z0-9_-]+$/)
    expect(agent.qualifyToolName("server", "x".repeat(100))).toMatch(/^mcp__server__x{11}[0-9a-f]{40}$/)
  })

  test("a server from a TOML config: its tools are listed, routed, called in one turn with others, and its resources listed", async () => {
    const folder = join(scratch, "files")
    mkdirSync(folder)
    writeFileSync(join(folder, "note.txt"), "from the file")
    const program = (name: string) => join(root, "node_modules", "@modelcontextprotocol", `server-${name}`, "dist", "index.js")
    const text = `
      [mcp_servers.filesystem]
      command = ${JSON.stringify(process.execPath)}
      args = [${JSON.stringify(program("filesystem"))}, ${JSON.stringify(folder)}]
      env = { "MCP_ROOT" = "/workspace" }
      timeout_seconds = 120
      startup_timeout_sec = 120

      [mcp_servers.everything]
      command = ${JSON.stringify(process.execPath)}
      args = [${JSON.stringify(program("everything"))}]
      startup_timeout_sec = 120

      [mcp_servers.broken]
      command = ${JSON.stringify(join(scratch, "no-such-program"))}
    `
    const config = await agent.loadToolsConfig({ text })
    const mcp = await agent.McpConnectionManager.start(config.mcpServers ?? {})
    try {
      const router = agent.ToolRouter.fromConfig(config, await mcp.listAllTools(), [])
      expect(router.specs.map(({ name }) => name)).toEqual(expect.arrayContaining(["mcp__filesystem__read_text_file", "read_mcp_resource"]))
      const batch = runtimeOf(router).startBatch()
      batch.add(functionCall("mcp__filesystem__read_text_file", "1", JSON.stringify({ path: join(folder, "note.txt") })))
      batch.add(functionCall("mcp__everything__echo", "2", '{"message":"hello"}'))
      batch.add(functionCall("mcp__broken__tool", "3"))
      batch.add(functionCall("list_mcp_resources", "4"))
      const [file, echo, broken, resources] = await batch.outputs()
      expect(file).toMatchObject({ type: "mcp_tool_call_output", call_id: "1", result: { ok: true } })
      expect(agent.toResponsesInput(file === undefined ? [] : [file])[0]?.output).toContain("from the file")
      expect(JSON.stringify(echo)).toContain("hello")
      expect(broken).toMatchObject({ output: { content: "unsupported call: mcp__broken__tool", success: false } })
      expect(resources).toMatchObject({ output: { content: expect.stringContaining("everything"), success: true } })
      const direct = await mcp.callTool("everything", "echo", { message: "direct" })
      expect(JSON.stringify(direct)).toContain("direct")
      expect(JSON.stringify(await mcp.listResources())).toContain("everything")
    } finally {
      await mcp.close()
    }
  })
})

describe("shell", () => {
  type Sandbox = typeof import("../../src/agent-tools/shell-sandbox/choose.ts")

  test("a command of the packed package runs under each driver that works here, and reads nothing outside", async () => {
    const path = join(project, "node_modules", "toolplane", "dist", "agent-tools", "shell-sandbox", "choose.js")
    const { sandboxDrivers, tryDriver } = (await import(pathToFileURL(path).href)) as Sandbox // the packed build of that module
    const workspace = mkdtempSync(join(scratch, "workspace-"))
    writeFileSync(join(scratch, "beside"), "secret")
    const works = sandboxDrivers.filter((driver) => tryDriver(driver).works)
    expect(agent.chooseSandbox().driver?.name).toBe(works[0]?.name)
    for (const driver of works) {
      const handler = new agent.ShellHandler({ workspace: agent.openShellWorkspace(workspace), sandbox: { driver } })
      const router = routerOf({ spec: functionSpec("shell"), parallel: true, handler })
      const command = ["sh", "-c", `echo ${driver.name} > made; cat made '${join(scratch, "beside")}'`]
      const item = functionCall("shell", "c", JSON.stringify({ command, timeout_ms: 60_000 }))
      const { output } = (await runtimeOf(router).handleToolCall(built(router, item))) as { output: { content: string } }
      expect(JSON.parse(output.content)).toMatchObject({ output: expect.stringContaining(`${driver.name}\n`), metadata: { exit_code: 1 } })
      expect(output.content).not.toContain("secret")
    }
  })
})
