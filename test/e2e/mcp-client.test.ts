// Real MCP servers from npm behind the product: every tool of `server-everything`, over every wire.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { ExecutionEvent, ExecutionReply, Interaction } from "../../src/core/execution.ts"
import { createExecutor } from "../../src/index.ts"
import type { Executor } from "../../src/index.ts"
import { startEverything, stdioConfig } from "../servers/mcp-npm.ts"
import type { HttpServer } from "../servers/mcp-npm.ts"
import { processesWith } from "../servers/processes.ts"

const dataDir = mkdtempSync(join(tmpdir(), "executor-mcp-"))
let executor: Executor
const servers: HttpServer[] = []

beforeAll(async () => {
  executor = await createExecutor({ dataDir })
})
afterAll(async () => {
  await executor.close()
  await Promise.all(servers.map((server) => server.kill()))
  rmSync(dataDir, { recursive: true })
})

async function connect(slug: string, config: unknown): Promise<void> {
  await executor.integrations.add({ slug, kind: "mcp", config })
  expect(await executor.connections.create({ integration: slug })).toMatchObject({ status: "ready", error: null })
  // These servers mark no tool as one that only reads.
  await executor.policies.create({ owner: "org", pattern: `${slug}.**`, action: "allow" })
}

/** The envelope that a call answers. */
async function call(slug: string, tool: string, args: unknown = {}): Promise<unknown> {
  const run = await executor.run(`return await tools.${slug}.${tool}(${JSON.stringify(args)})`, { autoApprove: true })
  return run.structured.status === "completed" ? run.structured.result : run.structured
}

const interactionsOf = (run: ExecutionReply): readonly Interaction[] =>
  run.structured.status === "waiting_for_interaction" ? run.structured.interactions : []

async function findRunning(): Promise<string> {
  for (;;) {
    const [running] = (await executor.executions.list({ status: "running" })).items
    if (running !== undefined) return running.executionId
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

/** Follows an execution that is started by `code` until it ends. */
async function follow(code: string): Promise<{ events: ExecutionEvent[]; reply: ExecutionReply }> {
  const { promise: id, resolve: onStart } = Promise.withResolvers<string>()
  const running = executor.run(code, { onStart })
  const events: ExecutionEvent[] = []
  for await (const event of executor.executions.events(await id)) events.push(event)
  return { events, reply: await running }
}

const wires: readonly [slug: string, config: () => Promise<unknown>][] = [
  ["stdio", () => Promise.resolve(stdioConfig("everything", ["stdio"]))],
  ["http", () => served("streamableHttp")],
  ["sse", () => served("sse")],
]

async function served(wire: "streamableHttp" | "sse"): Promise<unknown> {
  const server = await startEverything(wire)
  servers.push(server)
  return { transport: "http", url: server.url }
}

/** Every tool that answers by itself, and a part of what it answers. */
const plainTools: readonly [tool: string, args: unknown, data: unknown][] = [
  ["echo", { message: "hello" }, "Echo: hello"],
  ["get_sum", { a: 2, b: 3 }, "The sum of 2 and 3 is 5."],
  [
    "get_tiny_image",
    {},
    expect.arrayContaining([expect.objectContaining({ _tag: "ToolFile", mimeType: "image/png", encoding: "base64" })]),
  ],
  ["get_annotated_message", { messageType: "success", includeImage: false }, expect.stringContaining("success")],
  ["get_env", {}, expect.stringContaining("PATH")],
  [
    "get_resource_links",
    { count: 2 },
    expect.arrayContaining([expect.objectContaining({ type: "resource_link", uri: expect.any(String) })]),
  ],
  [
    "get_resource_reference",
    { resourceType: "Blob", resourceId: 1 },
    expect.arrayContaining([expect.objectContaining({ _tag: "ToolFile" })]),
  ],
  [
    "get_resource_reference",
    { resourceType: "Text", resourceId: 1 },
    expect.arrayContaining([expect.objectContaining({ uri: expect.any(String), text: expect.any(String) })]),
  ],
  [
    "get_structured_content",
    { location: "Chicago" },
    { temperature: expect.any(Number), conditions: expect.any(String), humidity: expect.any(Number) },
  ],
  [
    "gzip_file_as_resource",
    { name: "x.gz", data: "data:text/plain,hello", outputType: "resource" },
    expect.objectContaining({ _tag: "ToolFile", name: "x.gz", mimeType: "application/gzip" }),
  ],
  ["toggle_simulated_logging", {}, expect.stringContaining("Started")],
  ["toggle_subscriber_updates", {}, expect.stringContaining("Started")],
  ["trigger_long_running_operation", { duration: 0.2, steps: 2 }, expect.stringContaining("completed")],
  ["resources.list", {}, { resources: expect.arrayContaining([expect.objectContaining({ uri: expect.any(String) })]) }],
  [
    "resources.templates",
    {},
    { resourceTemplates: expect.arrayContaining([expect.objectContaining({ uriTemplate: expect.any(String) })]) },
  ],
  [
    "resources.read",
    { uri: "demo://resource/dynamic/text/7" },
    expect.objectContaining({ uri: "demo://resource/dynamic/text/7", text: expect.any(String) }),
  ],
  ["resources.read", { uri: "demo://resource/dynamic/blob/7" }, expect.objectContaining({ _tag: "ToolFile", name: "7" })],
  ["prompts.list", {}, { prompts: expect.arrayContaining([expect.objectContaining({ name: "simple-prompt" })]) }],
  [
    "prompts.get",
    { name: "args-prompt", arguments: { city: "Bern" } },
    { messages: [{ role: "user", content: expect.stringContaining("Bern") }] },
  ],
]

describe.each(wires)("server-everything over %s", (slug, config) => {
  beforeAll(async () => connect(slug, await config()))

  test("every tool answers", async () => {
    for (const [tool, args, data] of plainTools) expect(await call(slug, tool, args), tool).toEqual({ ok: true, data })
    const called = new Set(plainTools.map(([tool]) => tool))
    const others = (await executor.tools.list({ integration: slug })).map((tool) => tool.name).filter((name) => !called.has(name))
    // Those that ask are below.
    expect(others.toSorted()).toEqual(["simulate_research_query", "trigger_elicitation_request", "trigger_url_elicitation"])
  })

  test("a tool that wants a task says so", async () => {
    expect(await call(slug, "simulate_research_query", { topic: "bees" })).toMatchObject({
      ok: false,
      error: { code: "upstream_error", message: expect.stringContaining("task") },
    })
  })

  test("a failure is the server's own words", async () => {
    expect(await call(slug, "resources.read", { uri: "demo://nothing" })).toMatchObject({ ok: false, error: { code: "upstream_error" } })
  })

  test("a form pauses the execution, and the answer reaches the server", async () => {
    const paused = await executor.run(`return await tools.${slug}.trigger_elicitation_request({})`)
    expect(paused.status).toBe("paused")
    const [asked] = interactionsOf(paused)
    expect(asked).toMatchObject({ kind: "form", message: expect.stringContaining("Please provide"), requestedSchema: { type: "object" } })
    await expect(executor.resume(paused.executionId, { action: "accept", content: { name: 7 } })).rejects.toThrow("content")
    const done = await executor.resume(paused.executionId, { action: "accept", content: { name: "Ann", check: true } })
    expect(done.text).toContain("Name: Ann")
    // What the human left out has the form's defaults.
    expect(done.text).toContain("Favorite Integer: 42")
  })

  test("a form can be declined", async () => {
    const paused = await executor.run(`return await tools.${slug}.trigger_elicitation_request({})`)
    const done = await executor.resume(paused.executionId, { action: "decline" })
    expect(done.text).toContain("declined")
  })

  test("a page to visit pauses the execution", async () => {
    const code = `return await tools.${slug}.trigger_url_elicitation({ url: "https://example.com/consent", message: "Please agree" })`
    const paused = await executor.run(code)
    expect(interactionsOf(paused)).toMatchObject([{ kind: "url", message: "Please agree", url: "https://example.com/consent" }])
    expect((await executor.resume(paused.executionId, { action: "accept" })).text).toContain("completed the URL elicitation")
  })

  test("a page that is demanded by an error pauses as well", async () => {
    const code = `return await tools.${slug}.trigger_url_elicitation({ url: "https://example.com/consent", message: "Please agree", errorPath: true })`
    const paused = await executor.run(code)
    expect(interactionsOf(paused)).toMatchObject([{ kind: "url", url: expect.stringMatching(/^https:/) }])
    // The server then asks for another page, for which the first answer does not count.
    const again = await executor.resume(paused.executionId, { action: "accept" })
    expect(interactionsOf(again)).toMatchObject([{ kind: "url", url: "https://example.com/consent" }])
    expect((await executor.resume(paused.executionId, { action: "accept" })).text).toContain("completed the URL elicitation")
  })

  test("progress is told to whoever follows the execution", async () => {
    const { events } = await follow(`return await tools.${slug}.trigger_long_running_operation({ duration: 1, steps: 4 })`)
    const progress = events.filter((event) => event.type === "progress")
    expect(progress.map((event) => event.progress)).toEqual([1, 2, 3, 4])
    expect(progress[0]).toMatchObject({ address: `tools.${slug}.org.main.trigger_long_running_operation`, total: 4 })
  })

  test("a cancelled execution does not wait for the server", async () => {
    const running = executor.run(`return await tools.${slug}.trigger_long_running_operation({ duration: 50, steps: 2 })`)
    await executor.executions.cancel(await findRunning())
    expect((await running).status).toBe("cancelled")
  })
})

test("fifty parallel calls use one program", async () => {
  const program = stdioConfig("everything").args[0] ?? ""
  const run = await executor.run(
    `const all = await Promise.all(Array.from({ length: 50 }, (_, n) => tools.stdio.get_sum({ a: n, b: n }).unwrap()))
     return all.map((text) => Number(/is (\\d+)/.exec(text)[1]))`,
  )
  expect(run.structured).toMatchObject({ result: Array.from({ length: 50 }, (_, n) => 2 * n) })
  // The other two are the servers over HTTP.
  expect(processesWith(program).filter((one) => one.command.endsWith(" stdio"))).toHaveLength(1)
})

describe("questions over a shared pipe", () => {
  test("belong to the call that is left when the others have ended", async () => {
    const paused = await executor.run(
      `const [asked, summed, slow] = await Promise.all([
         tools.stdio.trigger_elicitation_request({}), tools.stdio.get_sum({ a: 1, b: 1 }),
         tools.stdio.trigger_long_running_operation({ duration: 1, steps: 1 })])
       return [asked.data[1], summed.data, slow.data]`,
    )
    expect(interactionsOf(paused)).toMatchObject([{ kind: "form", address: "tools.stdio.org.main.trigger_elicitation_request" }])
    const done = await executor.resume(paused.executionId, { action: "accept", content: { name: "Bob", check: true } })
    expect(done.structured).toMatchObject({
      result: [expect.stringContaining("Bob"), "The sum of 1 and 1 is 2.", expect.stringContaining("completed")],
    })
  })

  test("of several calls at once are put off, and asked when each call is made alone", async () => {
    const both = `const ask = () => tools.stdio.trigger_elicitation_request({})
      const first = await Promise.all([ask(), ask()])
      const again = first.some((one) => !one.ok && one.error.retryable) ? await Promise.all([ask(), ask()]) : first
      return again.map((one) => one.data[1])`
    const paused = await executor.run(both)
    expect(interactionsOf(paused)).toHaveLength(2)
    const [one, two] = interactionsOf(paused)
    await executor.approvals.answer(one?.approvalId ?? "", { action: "accept", content: { name: "Ann", check: true } })
    await executor.approvals.answer(two?.approvalId ?? "", { action: "accept", content: { name: "Bob", check: true } })
    const view = await executor.executions.get(paused.executionId)
    // Two calls that ask the same can be answered in either order.
    const answers = view.structured.status === "completed" ? (view.structured.result as string[]).toSorted() : view.structured
    expect(answers).toMatchObject([expect.stringContaining("Ann"), expect.stringContaining("Bob")])
  })
})

describe("other servers", () => {
  test("filesystem", async () => {
    const folder = join(dataDir, "folder")
    mkdirSync(folder)
    writeFileSync(join(folder, "note.txt"), "remember")
    await connect("files", stdioConfig("filesystem", [folder]))
    expect(await call("files", "read_text_file", { path: join(folder, "note.txt") })).toMatchObject({
      ok: true,
      data: { content: "remember" },
    })
    const tools = await executor.tools.list({ integration: "files", includeAnnotations: true })
    expect(tools.find((tool) => tool.name === "read_text_file")).toMatchObject({ policy: "allow" })
    expect(tools.find((tool) => tool.name === "write_file")).toMatchObject({ requiresApproval: true })
    expect(await call("files", "read_text_file", { path: "/etc/passwd" })).toMatchObject({ ok: false, error: { code: "upstream_error" } })
  })

  test("memory, whose state lives as long as its session", async () => {
    await connect("memory", stdioConfig("memory", [], { MEMORY_FILE_PATH: join(dataDir, "memory.jsonl") }))
    const entities = [{ name: "Ann", entityType: "person", observations: ["likes bees"] }]
    expect(await call("memory", "create_entities", { entities })).toMatchObject({ ok: true })
    expect(await call("memory", "search_nodes", { query: "bees" })).toMatchObject({ ok: true, data: { entities } })
  })

  test("sequential thinking", async () => {
    await connect("thinking", stdioConfig("sequential-thinking"))
    const thought = { thought: "first", nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 }
    expect(await call("thinking", "sequentialthinking", thought)).toMatchObject({ ok: true, data: { thoughtNumber: 1 } })
  })
})
