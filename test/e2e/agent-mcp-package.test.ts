// The MCP part of the tool system from the packed package, sentence by sentence of its description.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type * as Agent from "../../src/agent-tools/index.ts"
import { npmServer } from "../servers/agent-mcp.ts"
import { installPacked } from "./packed.ts"

const scratch = realpathSync(mkdtempSync(join(tmpdir(), "executor-agent-mcp-package-")))
const workspace = join(scratch, "workspace")
const filesystem = npmServer("filesystem", ["."])
const everything = npmServer("everything")
let agent: typeof Agent
let mcp: Agent.McpConnectionManager

beforeAll(async () => {
  const project = join(scratch, "project")
  await installPacked(scratch, join(project, "node_modules", "toolplane"))
  writeFileSync(join(project, "package.json"), '{ "type": "module" }')
  mkdirSync(workspace)
  writeFileSync(join(workspace, "note.txt"), "a note")
  const path = createRequire(join(project, "main.js")).resolve("toolplane/agent")
  agent = (await import(pathToFileURL(path).href)) as typeof Agent // the packed build of that module
  const table = (name: string, { command, args }: Agent.McpStdioServer): string =>
    [
      `[mcp_servers.${name}]`,
      `command = ${JSON.stringify(command)}`,
      `args = ${JSON.stringify(args)}`,
      'env = { "MCP_ROOT" = "/workspace" }',
      "timeout_seconds = 30",
      "startup_timeout_sec = 120",
      "required = true",
    ].join("\n")
  const text = `${table("filesystem", filesystem.config)}\n${table("everything", everything.config)}`
  const config = await agent.loadToolsConfig({ text })
  mcp = await agent.McpConnectionManager.start(config.mcpServers, { cwd: workspace })
})
afterAll(async () => {
  await mcp.close()
  expect([filesystem.groupSize(), everything.groupSize()]).toEqual([0, 0])
  rmSync(scratch, { recursive: true, force: true })
})

const path = JSON.stringify({ path: join(workspace, "note.txt") })

describe("MCP tools: external tools from MCP servers", () => {
  test("MCP tools use qualified names: mcp__<server>__<tool>, sanitised for the Responses API", async () => {
    const names = [...(await mcp.listAllTools()).keys()]
    expect(names).toContain("mcp__filesystem__read_file")
    expect(names).toContain("mcp__everything__echo")
    expect(names.filter((name) => !/^[a-zA-Z0-9_-]{1,64}$/.test(name))).toEqual([])
  })

  test("a payload has the server's name, the tool's name on the server, and JSON arguments", async () => {
    const router = agent.ToolRouter.fromConfig({}, await mcp.listAllTools())
    expect(
      router.buildToolCall({ type: "function_call", name: "mcp__filesystem__read_file", arguments: path, call_id: "c1" })?.payload,
    ).toEqual({ type: "mcp", server: "filesystem", tool: "read_file", rawArguments: path })
  })

  test("McpHandler makes a call of the MCP server, and its result becomes an output of an MCP tool call", async () => {
    const router = agent.ToolRouter.fromConfig({}, await mcp.listAllTools())
    const runtime = new agent.ToolCallRuntime({ router, session: {}, turn: { toolCallGate: { waitReady: async () => {} } } })
    const call = router.buildToolCall({ type: "function_call", name: "mcp__filesystem__read_file", arguments: path, call_id: "c1" })
    if (call === null) throw new Error("A function call is one")
    expect(await runtime.handleToolCall(call)).toMatchObject({
      type: "mcp_tool_call_output",
      call_id: "c1",
      result: { ok: true, value: { content: [{ type: "text", text: "a note" }] } },
    })
  })
})

describe("McpConnectionManager: manages connections to all configured MCP servers", () => {
  test("list all tools from all connected servers", async () => {
    expect(new Set([...(await mcp.listAllTools()).values()].map((tool) => tool.serverName))).toEqual(new Set(["filesystem", "everything"]))
  })

  test("call a tool on a specific server", async () => {
    expect(await mcp.callTool("everything", "echo", { message: "hi" })).toMatchObject({ content: [{ text: "Echo: hi" }] })
  })

  test("list resources from servers", async () => {
    expect((await mcp.listResources()).resources.map((one) => one.server)).toContain("everything")
  })

  test("read a specific resource", async () => {
    const uri = "demo://resource/static/document/architecture.md"
    expect((await mcp.readResource(uri)).contents[0]).toMatchObject({ uri })
  })
})
