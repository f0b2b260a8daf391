// Sessions with MCP servers over HTTP: how many there are, what they carry, and what happens when they break.
import { createServer } from "node:http"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest"
import type { ExecutionEvent, ExecutionReply, Interaction } from "../../src/core/execution.ts"
import { createExecutor } from "../../src/index.ts"
import type { Executor } from "../../src/index.ts"
import { listen } from "../servers/listen.ts"
import type { Listening } from "../servers/listen.ts"
import { startMcpFixture } from "../servers/mcp-fixture.ts"
import type { FixtureOptions, McpFixture } from "../servers/mcp-fixture.ts"
import { startEverything } from "../servers/mcp-npm.ts"
import { becomes } from "../servers/processes.ts"

const folder = mkdtempSync(join(tmpdir(), "executor-mcp-session-"))
let dataDir: string
let executor: Executor
let server: McpFixture

beforeEach(async () => {
  dataDir = mkdtempSync(join(folder, "data-"))
  executor = await createExecutor({ dataDir, limits: { callTimeoutMs: 20_000 } })
})
afterEach(async () => {
  await executor.close()
  await server.close()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function connect(options: FixtureOptions = {}, config: Record<string, unknown> = {}): Promise<void> {
  server = await startMcpFixture(options)
  await executor.integrations.add({ slug: "fix", kind: "mcp", config: { transport: "http", url: server.url, ...config } })
  const auth = options.token === undefined ? {} : { auth: { template: "bearer", values: { token: options.token } } as const }
  expect(await executor.connections.create({ integration: "fix", ...auth })).toMatchObject({ status: "ready", error: null })
}

async function restart(): Promise<void> {
  await executor.close()
  executor = await createExecutor({ dataDir })
}

async function call(tool: string, args: unknown = {}): Promise<unknown> {
  const run = await executor.run(`return await tools.fix.${tool}(${JSON.stringify(args)})`, { autoApprove: true })
  return run.structured.status === "completed" ? run.structured.result : run.structured
}

/** A run that only reads is stored a moment after it began, which may be after its first call arrived. */
async function findRunning(): Promise<string> {
  const list = async (): Promise<string[]> =>
    (await executor.executions.list({ status: "running" })).items.map(({ executionId }) => executionId)
  await expect.poll(list).toHaveLength(1)
  return (await list())[0] ?? ""
}

const interactionsOf = (run: ExecutionReply): readonly Interaction[] =>
  run.structured.status === "waiting_for_interaction" ? run.structured.interactions : []

describe.each([{ revisions: "all" }, { revisions: "legacy" }] as const)("a server of $revisions revisions", ({ revisions }) => {
  beforeEach(() => connect({ revisions }))

  test("fifty parallel calls share one session", async () => {
    const run = await executor.run(
      `return (await Promise.all(Array.from({ length: 50 }, (_, n) => tools.fix.slow({ ms: 20, tag: String(n) }).unwrap()))).length`,
    )
    expect(run.structured).toMatchObject({ result: 50 })
    expect(server.ledger.sessions).toBe(revisions === "legacy" ? 1 : 0)
  })

  test("a cancelled call is cancelled at the server", async () => {
    const running = executor.run(`return await tools.fix.slow({ ms: 15000, tag: "long" })`)
    expect(await becomes(() => server.ledger.calls.includes("slow long"))).toBe(true)
    await executor.executions.cancel(await findRunning())
    expect((await running).status).toBe("cancelled")
    expect(await becomes(() => server.ledger.cancelled.includes("long"))).toBe(true)
  })

  test("content of every kind", async () => {
    expect(await call("test_multiple_content_types")).toMatchObject({
      ok: true,
      data: [
        "Multiple content types test:",
        { _tag: "ToolFile", mimeType: "image/png" },
        { uri: "test://mixed-content-resource", mimeType: "application/json", text: expect.any(String) },
      ],
    })
    expect(await call("test_audio_content")).toMatchObject({ ok: true, data: { _tag: "ToolFile", mimeType: "audio/wav" } })
    expect(await call("test_error_handling")).toMatchObject({
      ok: false,
      error: { code: "upstream_error", message: "This tool intentionally returns an error for testing" },
    })
    expect(await call("broken_promise")).toEqual({ ok: true, data: { kept: true, extra: 1 } })
    expect(await call("resources.read", { uri: "test://static-binary" })).toMatchObject({
      data: { _tag: "ToolFile", name: "static-binary" },
    })
    expect(await call("prompts.get", { name: "test_prompt_with_arguments", arguments: { arg1: "a", arg2: "b" } })).toMatchObject({
      data: { messages: [{ content: "Prompt with arguments: arg1='a', arg2='b'" }] },
    })
  })

  test("names and effects follow what the server says", async () => {
    const tools = new Map(
      (await executor.tools.list({ integration: "fix", includeAnnotations: true })).map((tool) => [tool.name as string, tool]),
    )
    expect(tools.get("files.write_all")).toMatchObject({ policy: "require_approval", requiresApproval: true, mayElicit: true })
    expect(tools.get("slow")).toMatchObject({ policy: "allow" })
    expect(tools.get("test_simple_text")).toMatchObject({ policy: "require_approval", title: "Test Simple Text" })
  })

  test("what the server logs is told to whoever follows the execution", async () => {
    const running = executor.run(`await tools.fix.slow({ ms: 2000, tag: "first" }); return await tools.fix.test_tool_with_logging({})`, {
      autoApprove: true,
    })
    expect(await becomes(() => server.ledger.calls.includes("slow first"))).toBe(true)
    const events: ExecutionEvent[] = []
    for await (const event of executor.executions.events(await findRunning())) events.push(event)
    await running
    expect(JSON.stringify(events.filter((event) => event.type === "log"))).toContain("Tool processing data")
  })

  test("a question survives a restart of Executor", async () => {
    const paused = await executor.run(`return await tools.fix.test_elicitation({ message: "Who are you?" })`)
    expect(interactionsOf(paused)).toMatchObject([{ kind: "form", message: "Who are you?" }])
    await restart()
    const done = await executor.resume(paused.executionId, { action: "accept", content: { username: "ann", email: "a@b.c" } })
    expect(done.text).toContain('content={\\"username\\":\\"ann\\"')
  })

  test("a call ends when its server does", async () => {
    const running = call("slow", { ms: 15_000, tag: "doomed" })
    expect(await becomes(() => server.ledger.calls.includes("slow doomed"))).toBe(true)
    await server.close()
    expect(await running).toMatchObject({ ok: false, error: { code: "upstream_unreachable" } })
  })
})

describe("rounds of the newest revision", () => {
  beforeEach(() => connect())

  test("go on where they were, also on another node", async () => {
    const paused = await executor.run(`return (await tools.fix.test_input_required_result_multi_round({})).data`)
    expect(interactionsOf(paused)).toMatchObject([{ message: "Step 1: What is your name?" }])
    await restart()
    const second = await executor.resume(paused.executionId, { action: "accept", content: { name: "Ann" } })
    expect(interactionsOf(second)).toMatchObject([{ message: "Step 2: What is your favorite color?" }])
    await restart()
    const done = await executor.resume(paused.executionId, { action: "accept", content: { color: "blue" } })
    expect(done.structured).toMatchObject({ result: "Ann likes blue" })
    // Once for each round, and never from the beginning again.
    expect(server.ledger.calls.filter((name) => name.endsWith("multi_round"))).toHaveLength(3)
  })

  test("carry the server's state, a refusal, and a page to visit", async () => {
    const stateful = await executor.run(`return (await tools.fix.test_input_required_result_request_state({})).data`)
    expect((await executor.resume(stateful.executionId, { action: "accept", content: { ok: true } })).structured).toMatchObject({
      result: "state-ok",
    })
    const refused = await executor.run(`return (await tools.fix.test_input_required_result_elicitation({})).data`)
    expect((await executor.resume(refused.executionId, { action: "decline" })).structured).toMatchObject({ result: "They said decline" })
    const visit = await executor.run(`return (await tools.fix.ask_url({})).data`)
    expect(interactionsOf(visit)).toMatchObject([{ kind: "url", url: "https://example.com/visit" }])
    expect((await executor.resume(visit.executionId, { action: "accept" })).structured).toMatchObject({ result: "visited: accept" })
    const prompt = await executor.run(`return (await tools.fix.prompts.get({ name: "test_input_required_result_prompt" })).data`)
    expect((await executor.resume(prompt.executionId, { action: "accept", content: { context: "bees" } })).text).toContain("Use bees")
  })

  test("are refused clearly where they ask for what we do not do", async () => {
    expect(await call("test_input_required_result_sampling")).toMatchObject({ ok: false, error: { code: "upstream_error" } })
    expect(await call("test_input_required_result_list_roots")).toMatchObject({ ok: false, error: { code: "upstream_error" } })
  })

  test("arguments are mirrored in headers where the tool says so", async () => {
    expect(await call("regional", { region: "eu" })).toEqual({ ok: true, data: "eu eu" })
  })
})

test("a session that the server has forgotten is opened again; only reads are repeated", async () => {
  await connect({ revisions: "legacy" })
  server.forgetSessions()
  expect(await call("weather", { city: "Bern" })).toMatchObject({ ok: true })
  expect(server.ledger.sessions).toBe(2)
  server.forgetSessions()
  expect(await call("files.write_all")).toMatchObject({ ok: false, error: { code: "upstream_unreachable", retryable: true } })
  expect(server.ledger.calls).not.toContain("write")
  expect(await call("files.write_all")).toMatchObject({ ok: true })
})

describe("credentials", () => {
  test("and headers of the config reach the server, and come back masked", async () => {
    await connect({ token: "secret-token-1" }, { headers: { "X-Key": "header-secret-1" } })
    expect(await call("echo_header")).toEqual({ ok: true, data: "***" })
    expect(server.ledger.requests.every(({ headers }) => headers["authorization"] === "Bearer secret-token-1")).toBe(true)
  })

  test("that are refused say so", async () => {
    await connect({ token: "secret-token-1" })
    const key = { integration: "fix", owner: "org", name: "main" } as const
    await executor.connections.update(key, { auth: { template: "bearer", values: { token: "another" } } })
    expect(await executor.connections.get(key)).toMatchObject({ status: "error", error: expect.stringContaining("authorization") })
    expect(await call("weather", { city: "Bern" })).toMatchObject({ ok: false, error: { code: "auth_required", status: 401 } })
  })

  test("go to no other origin: not by a redirect, and not by a new config before a human confirms it", async () => {
    await connect({ token: "secret-token-1" })
    const seen: string[] = []
    const thief = await listen(
      createServer((request, response) => {
        seen.push(JSON.stringify(request.headers))
        response.writeHead(404).end()
      }),
    )
    const redirecting = await listen(createServer((_, response) => void response.writeHead(307, { location: `${thief.url}/mcp` }).end()))
    try {
      await executor.integrations.update("fix", { config: { transport: "http", url: `${thief.url}/mcp` } })
      await executor.tools.list({ integration: "fix" })
      expect(await call("weather", { city: "Bern" })).toMatchObject({ ok: false, error: { code: "auth_required" } })
      expect(seen).toEqual([])
      await executor.integrations.update("fix", { config: { transport: "http", url: `${redirecting.url}/mcp` } })
      const key = { integration: "fix", owner: "org", name: "main" } as const
      await executor.connections.update(key, { confirmOrigins: [redirecting.url] })
      expect(await call("weather", { city: "Bern" })).toMatchObject({ ok: false })
      expect(seen.join()).not.toContain("secret-token-1")
    } finally {
      await thief.close()
      await redirecting.close()
    }
  })
})

describe("detection", () => {
  let page: Listening
  beforeAll(async () => {
    page = await listen(createServer((_, response) => void response.writeHead(200, { "content-type": "text/html" }).end("<h1>Hello</h1>")))
  })
  afterAll(() => page.close())

  test("finds a server at its URL and at its host, and what it wants", async () => {
    await connect()
    expect(await executor.integrations.detect(server.url)).toMatchObject({ kind: "mcp", config: { transport: "http", url: server.url } })
    expect(await executor.integrations.detect(new URL(server.url).origin)).toMatchObject({ kind: "mcp", config: { url: server.url } })
    const guarded = await startMcpFixture({ token: "t" })
    expect(await executor.integrations.detect(guarded.url)).toMatchObject({
      kind: "mcp",
      auth: [{ template: "oauth2" }, { template: "bearer" }],
    })
    await guarded.close()
  })

  test("finds a server on the wire before", async () => {
    server = await startMcpFixture()
    const everything = await startEverything("sse")
    expect(await executor.integrations.detect(everything.url)).toMatchObject({ kind: "mcp", config: { url: everything.url } })
    await everything.kill()
  })

  test("finds nothing in a page", async () => {
    server = await startMcpFixture()
    await expect(executor.integrations.detect(page.url)).rejects.toThrow("was found at")
  })

  test("a preview shows the tools before anything is stored", async () => {
    server = await startMcpFixture()
    const preview = await executor.integrations.preview({ kind: "mcp", config: { transport: "http", url: server.url } })
    expect(preview.facts).toMatchObject({ title: "The fixture", version: "1.0.0", origins: [new URL(server.url).origin] })
    expect(preview.tools.map((tool) => tool.name)).toContain("weather")
  })
})
