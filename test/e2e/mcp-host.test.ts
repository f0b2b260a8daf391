// MCP over HTTP with the official client in each revision: what is listed, how code runs, and how humans are asked.
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { callTool, connectMcp, eras, textOf } from "./mcp-client.ts"
import type { McpClientOptions } from "./mcp-client.ts"
import { createItem, startMcpServer } from "./mcp-server.ts"
import type { McpTestServer } from "./mcp-server.ts"

let server: McpTestServer
beforeAll(async () => {
  server = await startMcpServer({ limits: { mcpAnswerWaitMs: 1500 } })
})
afterAll(() => server.close())

const connect = (query: string, options: McpClientOptions) => connectMcp(`${server.mcpUrl}${query}`, options)

describe.each(eras)("a client of the %s era", (era) => {
  test("is told what is behind execute, in a few words", async () => {
    const client = await connect("", { era, token: server.tokens.agent })
    const { tools } = await client.listTools()
    expect(tools.map((tool) => tool.name)).toEqual(["execute", "resume"])
    const description = tools[0]?.description ?? ""
    for (const part of [
      "Tooling tip:",
      "## Tool Inventory",
      "### catalog",
      "### ledger (3 tools)",
      "- ledger.items.create({ name: string; delay?: number })",
      "### desk",
    ])
      expect(description).toContain(part)
    expect(client.getInstructions()).toMatch(/15 tools of these services.*builtin \(8\), desk \(4\), ledger \(3\)/)
    expect(JSON.stringify(tools).length / 4).toBeLessThan(1200)
    await client.close()
  })

  test("runs code, with logs, emitted values and errors as they are", async () => {
    const client = await connect("", { era, token: server.tokens.agent })
    const done = await callTool(client, "execute", { code: "console.log('hi'); emit({ a: 1 }); return { n: 41 + 1 }" })
    expect(done.structured).toEqual({ status: "completed", result: { n: 42 }, logs: [{ level: "log", text: "hi" }], emitted: [{ a: 1 }] })
    expect(textOf(done)).toContain('{"n":42}')
    expect(done.content).toContainEqual({ type: "text", text: '{"a":1}' })
    const failed = await callTool(client, "execute", { code: "throw new Error('no way')" })
    expect(failed).toMatchObject({ isError: true, structured: { status: "failed", error: { code: "thrown" } } })
    const wrong = await callTool(client, "execute", { code: "return 1", speed: 3 })
    expect(wrong).toMatchObject({ isError: true, content: [{ text: expect.stringMatching(/^invalid_arguments: .*speed/) }] })
    await expect(client.callTool({ name: "rm", arguments: {} })).rejects.toMatchObject({ code: -32602 })
    await client.close()
  })

  test("waits for the human in their browser, and resume brings the result", async () => {
    const client = await connect("", { era, token: server.tokens.agent })
    const name = `browser-${era}`
    const paused = await callTool(client, "execute", { code: createItem(name) })
    const { executionId = "" } = paused.structured
    expect(paused).toMatchObject({
      isError: false,
      structured: {
        status: "waiting_for_interaction",
        approvalUrl: expect.stringContaining(executionId),
        interactions: [{ kind: "approval", args: { name } }],
      },
    })
    expect(textOf(paused)).toMatch(/Only the user can approve/)
    const still = await callTool(client, "resume", { executionId, action: "accept" })
    expect(still.structured).toMatchObject({ status: "waiting_for_interaction", executionId })
    expect(server.writes()).not.toContain(name)
    const resumed = callTool(client, "resume", { executionId, action: "accept" })
    await server.approve(executionId)
    expect((await resumed).structured).toMatchObject({ status: "completed", result: { name, count: 1 } })
    expect((await callTool(client, "resume", { executionId, action: "accept" })).structured).toMatchObject({ status: "completed" })
    expect(server.writes().filter((one) => one === name)).toHaveLength(1)
    await client.close()
  })

  test("says no for the human at any time", async () => {
    const client = await connect("", { era, token: server.tokens.agent })
    const paused = await callTool(client, "execute", { code: `return await tools.ledger.items.create({ name: "never" })` })
    const { executionId = "" } = paused.structured
    const declined = await callTool(client, "resume", { executionId, action: "decline" })
    expect(declined.structured).toMatchObject({ status: "completed", result: { ok: false, error: { code: "approval_declined" } } })
    await client.close()
  })

  test("asks its own human where the token allows that: yes, no, and nobody there", async () => {
    const token = await server.agent("native")
    const asked: unknown[] = []
    const answers = ["accept", "decline", "cancel"] as const
    const results = []
    for (const action of answers) {
      const client = await connect("", { era, token, human: (params) => (asked.push(params), { action }) })
      expect((await client.listTools()).tools.map((tool) => tool.name)).toEqual(["execute"])
      results.push(
        (await callTool(client, "execute", { code: `return await tools.ledger.items.create({ name: "native-${era}-${action}" })` }))
          .structured,
      )
      await client.close()
    }
    expect(results).toMatchObject([
      { status: "completed", result: { ok: true, data: { count: 1 } } },
      { result: { ok: false, error: { code: "approval_declined" } } },
      { result: { ok: false, error: { code: "approval_cancelled" } } },
    ])
    expect(JSON.stringify(asked[0])).toContain(`native-${era}-accept`)
    expect(server.writes()).toContain(`native-${era}-accept`)
    expect(server.writes()).not.toContain(`native-${era}-decline`)
    const mute = await connect("", { era, token })
    const waiting = await callTool(mute, "execute", { code: createItem("mute") })
    expect(waiting.structured).toMatchObject({ status: "waiting_for_interaction" })
    expect(textOf(waiting)).toContain("executor.results.read")
    await mute.close()
    const audit = await server.call("GET", "/api/audit?limit=200")
    expect(JSON.stringify(audit.body)).toContain("approval.accept.native")
  })

  test("passes forms, pages and several questions on to its human", async () => {
    const token = await server.agent("native")
    const names = ["A", "Ann"]
    const client = await connect("", {
      era,
      token,
      human: (params) => {
        if (params.mode === "url") return { action: "accept" }
        return "name" in params.requestedSchema.properties
          ? { action: "accept", content: { name: names.shift() ?? "" } }
          : { action: "accept", content: {} }
      },
    })
    // The first answer is too short for the form, so that it is asked once more.
    const form = await callTool(client, "execute", { code: "return (await tools.desk.names.ask({})).data" })
    expect(form.structured.result).toEqual({ action: "accept", content: { name: "Ann" } })
    const page = await callTool(client, "execute", { code: "return (await tools.desk.pages.open({})).data" })
    expect(page.structured.result).toMatchObject({ action: "accept" })
    const both = await callTool(client, "execute", {
      code: `return await Promise.all(["x", "y"].map((n) => tools.ledger.items.create({ name: "both-${era}-" + n }).unwrap()))`,
    })
    expect(both.structured.result).toMatchObject([{ count: 1 }, { count: 1 }])
    // What no form can show becomes a page, where nobody answers in time.
    const rich = await callTool(client, "execute", { code: "return await tools.desk.addresses.ask({})" })
    expect(rich.structured).toMatchObject({ status: "waiting_for_interaction" })
    await client.close()
  })

  test("relays what its human says through resume, where the token allows that", async () => {
    const client = await connect("?elicitation_mode=model", { era, token: await server.agent("browser", "model") })
    const paused = await callTool(client, "execute", { code: createItem(`model-${era}`) })
    const { executionId = "" } = paused.structured
    expect(textOf(paused)).toMatch(/ask whether to go on/)
    const done = await callTool(client, "resume", { executionId, action: "accept" })
    expect(done.structured).toMatchObject({ status: "completed", result: { count: 1 } })
    const form = await callTool(client, "execute", { code: "return (await tools.desk.names.ask({})).data" })
    const answer = { executionId: form.structured.executionId, action: "accept" }
    expect(await callTool(client, "resume", { ...answer, content: { name: "B" } })).toMatchObject({ isError: true })
    const named = await callTool(client, "resume", { ...answer, content: { name: "Bea" } })
    expect(named.structured.result).toEqual({ action: "accept", content: { name: "Bea" } })
    await client.close()
  })

  test("is refused a mode that its token does not allow", async () => {
    for (const query of ["?elicitation_mode=native", "?elicitation_mode=model", "?elicitation_mode=telepathy"])
      await expect(connect(query, { era, token: server.tokens.agent })).rejects.toThrow(/may not use the elicitation mode|403/)
    await expect(connect("", { era, token: await server.agent() })).rejects.toThrow(/none is allowed|403/)
  })

  test("finds tools with tools, and gets raw results, when it asks for that", async () => {
    const client = await connect("?discovery=tools&results=raw", { era, token: server.tokens.agent })
    expect((await client.listTools()).tools.map((tool) => tool.name)).toEqual(["execute", "resume", "search_tools", "read_tool"])
    const found = await callTool(client, "search_tools", { query: "read an item", limit: 3 })
    expect(textOf(found)).toContain("ledger.org.main.items.get({ name: string; delay?: number }) - ")
    const read = await callTool(client, "read_tool", { path: "ledger.items.get" })
    expect(textOf(read)).toContain("name: string")
    expect(await callTool(client, "read_tool", { path: "ledger.items.gett" })).toMatchObject({ isError: true })
    const raw = await callTool(client, "execute", { code: "return await tools.ledger.items.get({ name: 'x' })" })
    expect(raw.structured.result).toMatchObject({ name: "x" })
    await client.close()
  })

  test("sees files in their own types, and no bytes in the text", async () => {
    const client = await connect("", { era, token: server.tokens.agent })
    const file = (mimeType: string, name?: string) =>
      JSON.stringify({ _tag: "ToolFile", mimeType, name, encoding: "base64", data: "AAECAw==", byteLength: 4 })
    const shown = await callTool(client, "execute", {
      code: `emit(${file("audio/wav")}); emit({ note: "see", doc: ${file("application/pdf", "a b.pdf")} }); return { picture: ${file("image/png")} }`,
    })
    expect(shown.content.map((block) => block.type)).toEqual(["text", "image", "audio", "text", "resource"])
    expect(shown.content[1]).toMatchObject({ data: "AAECAw==", mimeType: "image/png" })
    expect(textOf(shown)).not.toContain("AAECAw")
    expect(shown.structured.result).toEqual({ picture: { _tag: "ToolFile", mimeType: "image/png", byteLength: 4, shownAs: "image" } })
    await client.close()
  })

  test("hears how far it is, when it asks to", async () => {
    const client = await connect("", { era, token: server.tokens.agent })
    const heard: string[] = []
    const result = await client.callTool(
      {
        name: "execute",
        arguments: { code: "await tools.ledger.items.get({ name: 'p' }); return (await tools.desk.steps.walk({})).data" },
      },
      { onprogress: (progress) => heard.push(progress.message ?? "") },
    )
    expect(result.structuredContent).toMatchObject({ result: "walked" })
    expect(heard.join("\n")).toMatch(/desk\.steps\.walk \d\/3 step \d/)
    await client.close()
  })

  test("stops the execution by cancelling the call", async () => {
    const token = await server.agent("browser")
    const client = await connect("", { era, token })
    const stop = new AbortController()
    const call = client.callTool(
      { name: "execute", arguments: { code: "await new Promise((r) => setTimeout(r, 60000))" } },
      { signal: stop.signal },
    )
    const running = await server.findRunning(token)
    stop.abort(new Error("enough"))
    await expect(call).rejects.toThrow(/enough/)
    await expect
      .poll(async () => (await server.call("GET", `/api/executions/${running.executionId}`)).body)
      .toMatchObject({ status: "cancelled" })
    await client.close()
  })

  test("is told when there are other tools", async () => {
    let changes = 0
    const client = await connect("", { era, token: server.tokens.agent, onToolsChanged: () => (changes += 1) })
    await client.listTools()
    const slug = `more_${era}`
    await server.call("POST", "/api/integrations", { body: { slug, kind: "openapi", config: { spec: server.ledger.document } } })
    await server.call("POST", "/api/connections", { body: { integration: slug } })
    await expect.poll(() => changes).toBeGreaterThan(0)
    expect((await client.listTools()).tools[0]?.description).toContain(`### ${slug} (3 tools)`)
    await client.close()
    await server.call("DELETE", `/api/integrations/${slug}`)
  })
})

test("what code keeps belongs to the session of an older client, and to the token of a newer one", async () => {
  const kept = async (era: (typeof eras)[number]): Promise<unknown> => {
    const [first, second] = [await connect("", { era, token: server.tokens.agent }), await connect("", { era, token: server.tokens.agent })]
    await callTool(first, "execute", { code: `await store("mark", "${era}")` })
    const seen = [first, second].map(
      async (client) => (await callTool(client, "execute", { code: `return await load("mark")` })).structured,
    )
    const results = (await Promise.all(seen)).map((structured) => ("result" in structured ? structured.result : structured))
    await Promise.all([first.close(), second.close()])
    return results
  }
  expect(await kept("legacy")).toEqual(["legacy", null])
  expect(await kept("modern")).toEqual(["modern", "modern"])
})
