// Servers that people use, behind the connections of an agent: tools, resources, templates, progress, cancel, and a start after a kill.
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest"
import { McpConnectionManager } from "../../src/agent-tools/index.ts"
import type { McpElicitation } from "../../src/agent-tools/index.ts"
import { npmServer } from "../servers/agent-mcp.ts"
import { startEverything } from "../servers/mcp-npm.ts"
import type { HttpServer } from "../servers/mcp-npm.ts"
import { becomes } from "../servers/processes.ts"

const slow = { startupTimeoutMs: 120_000 }
let folder: string
let over: HttpServer
let mcp: McpConnectionManager
const everything = npmServer("everything")
let filesystem: ReturnType<typeof npmServer>
let memory: ReturnType<typeof npmServer>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "agent-mcp-"))
  await writeFile(join(folder, "note.txt"), "from the file")
  over = await startEverything("streamableHttp")
  filesystem = npmServer("filesystem", [folder])
  memory = npmServer("memory", [], { MEMORY_FILE_PATH: join(folder, "memory.jsonl") })
  mcp = await McpConnectionManager.start({
    everything: { ...everything.config, ...slow, required: true },
    filesystem: { ...filesystem.config, ...slow, required: true },
    memory: { ...memory.config, ...slow, required: true },
    remote: { url: over.url, ...slow, required: true },
  })
})
afterAll(async () => {
  await mcp.close()
  await over.kill()
  expect([everything, filesystem, memory].map((server) => server.groupSize())).toEqual([0, 0, 0])
  await rm(folder, { recursive: true })
})

const textOf = (result: { readonly content: readonly unknown[] }): string =>
  result.content.map((one) => (one as { readonly text?: string }).text ?? "").join("\n")

test("every tool has a qualified name, its server, and whether calls of it may run side by side", async () => {
  const tools = await mcp.listAllTools()
  expect(mcp.failures).toEqual([])
  expect([...tools.keys()].filter((name) => !/^mcp__(everything|filesystem|memory|remote)__[a-zA-Z0-9_-]+$/.test(name))).toEqual([])
  expect(tools.get("mcp__filesystem__read_text_file")).toMatchObject({
    serverName: "filesystem",
    toolName: "read_text_file",
    supportsParallel: true,
    tool: { inputSchema: { type: "object", properties: { path: {} } } },
  })
  expect(tools.get("mcp__filesystem__write_file")?.supportsParallel).toBe(false)
  expect(tools.get("mcp__memory__read_graph")?.serverName).toBe("memory")
})

test("tools of all of them answer", async () => {
  expect(textOf(await mcp.callTool("everything", "echo", { message: "hello" }))).toBe("Echo: hello")
  expect(textOf(await mcp.callTool("remote", "get-sum", { a: 2, b: 3 }))).toContain("5")
  expect(textOf(await mcp.callTool("filesystem", "read_text_file", { path: join(folder, "note.txt") }))).toBe("from the file")
  await mcp.callTool("filesystem", "write_file", { path: join(folder, "made.txt"), content: "made" })
  expect(await readFile(join(folder, "made.txt"), "utf8")).toBe("made")
  await mcp.callTool("memory", "create_entities", { entities: [{ name: "Ann", entityType: "person", observations: ["likes tea"] }] })
  expect(textOf(await mcp.callTool("memory", "search_nodes", { query: "Ann" }))).toContain("likes tea")
})

test("what a tool calls an error is a result", async () => {
  expect(await mcp.callTool("filesystem", "read_text_file", { path: "/etc/passwd" })).toMatchObject({ isError: true })
  expect(await mcp.callTool("everything", "no-such-tool", {})).toMatchObject({ isError: true })
})

test("resources of all servers are listed by server, and read by their URI with and without the server", async () => {
  const { resources, failures } = await mcp.listResources()
  expect(failures).toEqual([])
  const servers = resources.map((one) => one.server)
  expect(new Set(servers)).toEqual(new Set(["everything", "memory", "remote"]))
  expect(servers).toEqual(servers.toSorted())
  const uri = "demo://resource/static/document/architecture.md"
  expect(resources).toContainEqual(expect.objectContaining({ uri, server: "everything" }))
  expect((await mcp.readResource("everything", uri)).contents[0]).toMatchObject({ uri })
  await expect(mcp.readResource(uri)).rejects.toThrow(/several MCP servers have the resource .*: everything, remote/)
})

test("a resource that only one server has needs no name of a server", async () => {
  const alone = await McpConnectionManager.start({ everything: { ...npmServer("everything").config, ...slow, required: true } })
  onTestFinished(() => alone.close())
  expect((await alone.readResource("demo://resource/static/document/architecture.md")).contents).toHaveLength(1)
  expect((await alone.readResource("demo://resource/dynamic/text/7")).contents[0]).toMatchObject({ uri: "demo://resource/dynamic/text/7" })
  await expect(alone.readResource("other://place")).rejects.toThrow("no MCP server has the resource 'other://place'")
})

test("templates are listed, and filled in", async () => {
  const { resourceTemplates } = await mcp.listResourceTemplates({ server: "everything" })
  expect(resourceTemplates.map((one) => one.uriTemplate)).toContain("demo://resource/dynamic/text/{resourceId}")
  expect((await mcp.readResource("remote", "demo://resource/dynamic/text/3")).contents[0]).toMatchObject({ mimeType: "text/plain" })
  await expect(mcp.readResource("everything", "demo://nothing")).rejects.toThrow(
    "resources/read failed for `everything` (demo://nothing): ",
  )
})

describe.each(["everything", "remote"])("the server %s", (server) => {
  test("tells its progress", async () => {
    const told: unknown[] = []
    await mcp.callTool(server, "trigger-long-running-operation", { duration: 0.2, steps: 4 }, { onProgress: (one) => told.push(one) })
    expect(told).toEqual([1, 2, 3, 4].map((progress) => ({ progress, total: 4 })))
  })

  test("is cancelled while it works, and goes on answering", async () => {
    const cancel = new AbortController()
    const working = mcp.callTool(
      server,
      "trigger-long-running-operation",
      { duration: 3600, steps: 36_000 },
      { signal: cancel.signal, onProgress: () => cancel.abort() },
    )
    await expect(working).rejects.toThrow(`tool call failed for \`${server}/trigger-long-running-operation\`: The call was cancelled`)
    expect(textOf(await mcp.callTool(server, "echo", { message: "still here" }))).toBe("Echo: still here")
  })

  test("puts its questions to whoever called", async () => {
    const asked: McpElicitation[] = []
    const answer = await mcp.callTool(
      server,
      "trigger-elicitation-request",
      {},
      {
        onElicitation: async (question) => {
          asked.push(question)
          return { action: "accept", content: { name: "Ann" } }
        },
      },
    )
    expect(asked).toMatchObject([{ kind: "form", server, tool: "trigger-elicitation-request", requestedSchema: { type: "object" } }])
    expect(textOf(answer)).toContain("Name: Ann")
    expect(textOf(await mcp.callTool(server, "trigger-elicitation-request", {}))).toContain("declined")
  })
})

test("a server that was killed is started again for the next call", async () => {
  const before = memory.pids()
  expect(before).toHaveLength(1)
  for (const pid of before) process.kill(pid, "SIGKILL")
  expect(await becomes(() => memory.groupSize() === 0)).toBe(true)
  expect(textOf(await mcp.callTool("memory", "read_graph", {}))).toContain("Ann")
  const after = memory.pids()
  expect(after).toHaveLength(1)
  expect(after).not.toEqual(before)
})

test("a server that was killed is started again for the next listing", async () => {
  for (const pid of filesystem.pids()) process.kill(pid, "SIGKILL")
  expect(await becomes(() => filesystem.groupSize() === 0)).toBe(true)
  expect((await mcp.listAllTools()).has("mcp__filesystem__read_text_file")).toBe(true)
})
