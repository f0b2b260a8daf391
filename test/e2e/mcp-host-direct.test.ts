// The governed pass-through: an integration's tools one by one, and an MCP server behind Executor as if it were in front.
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { startMcpFixture } from "../servers/mcp-fixture.ts"
import type { McpFixture } from "../servers/mcp-fixture.ts"
import { connectMcp, eras, textOf } from "./mcp-client.ts"
import type { McpClientOptions } from "./mcp-client.ts"
import { startMcpServer } from "./mcp-server.ts"
import type { McpTestServer } from "./mcp-server.ts"
import { modern } from "./mcp-wire.ts"

let server: McpTestServer
let fixture: McpFixture
let native: string
beforeAll(async () => {
  fixture = await startMcpFixture()
  server = await startMcpServer({ limits: { mcpAnswerWaitMs: 1500 } })
  await server.call("POST", "/api/integrations", {
    body: { slug: "fixture", kind: "mcp", config: { transport: "http", url: fixture.url } },
  })
  const connected = await server.call("POST", "/api/connections", { body: { integration: "fixture" } })
  expect(connected.status).toBe(201)
  await server.call("POST", "/api/policies", { body: { owner: "org", pattern: "fixture.**", action: "allow" } })
  await server.call("POST", "/api/policies", { body: { owner: "org", pattern: "fixture.org.main.files.**", action: "require_approval" } })
  native = await server.agent("browser", "native")
})
afterAll(async () => {
  await server.close()
  await fixture.close()
})

const connect = (path: string, options: Partial<McpClientOptions> & { era: McpClientOptions["era"] }) =>
  connectMcp(`${server.mcpUrl}/direct/${path}`, { token: server.tokens.agent, ...options })

describe.each(eras)("a client of the %s era", (era) => {
  test("calls the tools of an API by their own names, and reads are answered at once", async () => {
    const client = await connect("ledger", { era })
    const { tools } = await client.listTools()
    expect(tools.map((tool) => tool.name)).toEqual(["items_create", "items_get", "items_remove"])
    expect(tools[1]).toMatchObject({ inputSchema: { type: "object", required: ["name"] }, annotations: { readOnlyHint: true } })
    const read = await client.callTool({ name: "items_get", arguments: { name: "x" } })
    expect(read.structuredContent).toMatchObject({ name: "x" })
    expect(await client.callTool({ name: "items_get", arguments: {} })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining("Missing required parameter 'name'") }],
    })
    await client.close()
  })

  test("waits for the approval page, and the same call passes once it was approved", async () => {
    const client = await connect("ledger", { era })
    const call = { name: "items_create", arguments: { name: `direct-${era}` } }
    const waiting = await client.callTool(call)
    expect(waiting).toMatchObject({ isError: true, structuredContent: { error: { code: "approval_required" } } })
    expect(server.writes()).not.toContain(`direct-${era}`)
    const { items } = (await server.call("GET", "/api/approvals")).body as { items: { approvalId: string; args: { name: string } }[] } // as documented
    const own = items.filter((item) => item.args.name === `direct-${era}`)
    expect(own).toHaveLength(1)
    const again = client.callTool(call)
    await server.call("POST", `/api/approvals/${own[0]?.approvalId}`, { body: { action: "accept" } })
    expect((await again).structuredContent).toMatchObject({ count: 1 })
    expect(await client.callTool(call)).toMatchObject({ isError: true })
    expect(server.writes().filter((name) => name === `direct-${era}`)).toHaveLength(1)
    await client.close()
  })

  test("asks its own human where its token allows that", async () => {
    for (const action of ["accept", "decline"] as const) {
      const client = await connect("ledger?elicitation_mode=native", { era, token: native, human: () => ({ action }) })
      const result = await client.callTool({ name: "items_create", arguments: { name: `direct-native-${era}-${action}` } })
      expect(result.isError ?? false).toBe(action === "decline")
      await client.close()
    }
    expect(server.writes()).toContain(`direct-native-${era}-accept`)
    expect(server.writes()).not.toContain(`direct-native-${era}-decline`)
  })

  test("sees an MCP server as it is: tools, content, resources, templates, prompts, completion", async () => {
    const client = await connect("fixture", { era })
    const { tools } = await client.listTools()
    const names = tools.map((tool) => tool.name)
    expect(names).toEqual(expect.arrayContaining(["test_simple_text", "test_image_content", "files_write_all", "weather"]))
    expect(tools.find((tool) => tool.name === "broken_promise")?.outputSchema).toMatchObject({ required: ["kept"] })
    expect(names).not.toContain("resources_list")
    const image = await client.callTool({ name: "test_image_content", arguments: {} })
    expect(image.content).toMatchObject([{ type: "image", mimeType: "image/png" }])
    const embedded = await client.callTool({ name: "test_embedded_resource", arguments: {} })
    expect(embedded.content).toMatchObject([{ type: "resource", resource: { uri: "test://embedded-resource" } }])
    const weather = await client.callTool({ name: "weather", arguments: { city: "Rome" } })
    expect(weather).toMatchObject({ structuredContent: { city: "Rome", sky: "sunny" } })
    expect(await client.callTool({ name: "test_error_handling", arguments: {} })).toMatchObject({ isError: true })
    expect((await client.listResources()).resources.length).toBeGreaterThan(0)
    expect((await client.listResourceTemplates()).resourceTemplates.length).toBeGreaterThan(0)
    expect((await client.readResource({ uri: "test://static-text" })).contents).toMatchObject([{ uri: "test://static-text" }])
    await expect(client.readResource({ uri: "test://nowhere" })).rejects.toMatchObject({ code: -32602 })
    expect((await client.listPrompts()).prompts.length).toBeGreaterThan(0)
    const prompt = await client.getPrompt({ name: "test_prompt_with_arguments", arguments: { arg1: "a", arg2: "b" } })
    expect(prompt.messages.length).toBeGreaterThan(0)
    const completed = await client.complete({
      ref: { type: "ref/prompt", name: "test_prompt_with_arguments" },
      argument: { name: "arg1", value: "" },
    })
    expect(completed.completion.values).toBeInstanceOf(Array)
    await client.close()
  })

  test("hears progress, and is asked what the MCP server asks, with a word about who asks", async () => {
    const asked: string[] = []
    const client = await connect("fixture?elicitation_mode=native", {
      era,
      token: native,
      human: (params) => {
        asked.push(params.message)
        return { action: "accept", content: { name: "Ann" } }
      },
    })
    const heard: number[] = []
    await client.callTool({ name: "test_tool_with_progress", arguments: {} }, { onprogress: ({ progress }) => heard.push(progress) })
    expect(heard).toEqual([0, 50, 100])
    const hello = await client.callTool({ name: "test_input_required_result_elicitation", arguments: {} })
    expect(textOf(hello)).toBe("Hello, Ann!")
    expect(asked).toEqual([expect.stringMatching(/^The integration "fixture" \(connection org.main\) asks:\n> What is your name\?\n/)])
    await client.close()
  })

  test("an MCP server's questions do not reach a client that may not ask its human", async () => {
    let asked = 0
    const client = await connect("fixture", { era, human: () => ((asked += 1), { action: "accept", content: { name: "Eve" } }) })
    const result = await client.callTool({ name: "test_input_required_result_elicitation", arguments: {} }).catch((error: unknown) => error)
    expect(JSON.stringify(result)).not.toContain("Hello, Eve")
    expect(asked).toBe(0)
    await client.close()
  })
})

test("a policy holds for the pass-through as for everything else", async () => {
  const client = await connect("fixture", { era: "modern" })
  const before = fixture.ledger.calls.length
  expect(await client.callTool({ name: "files_write_all", arguments: {} })).toMatchObject({ isError: true })
  expect(fixture.ledger.calls.slice(before)).toEqual([])
  await client.close()
  const made = await server.call("POST", "/api/policies", {
    body: { owner: "org", pattern: "ledger.org.main.items.remove", action: "block" },
  })
  const blocked = await connect("ledger", { era: "modern" })
  expect((await blocked.listTools()).tools.map((tool) => tool.name)).toEqual(["items_create", "items_get"])
  await expect(blocked.callTool({ name: "items_remove", arguments: { name: "x" } })).rejects.toMatchObject({ code: -32602 })
  await blocked.close()
  await server.call("DELETE", `/api/policies/${(made.body as { id: string }).id}`)
})

test("what does not exist is not found, and a state is no key to another call", async () => {
  const wire = { url: `${server.mcpUrl}/direct/nowhere`, token: server.tokens.agent }
  expect((await modern(wire, "tools/list", {})).status).toBe(404)
  expect((await modern({ ...wire, url: `${server.mcpUrl}/direct/%E0%A4%A` }, "tools/list", {})).status).toBe(404)
  const ledger = { url: `${server.mcpUrl}/direct/ledger?elicitation_mode=native`, token: native }
  const forms = { elicitation: { form: {} } }
  const asked = await modern(ledger, "tools/call", { name: "items_create", arguments: { name: "one" } }, forms)
  const { requestState = "", inputRequests = {} } = (asked.message?.result ?? {}) as { requestState?: string; inputRequests?: object } // input_required
  const answers = Object.fromEntries(Object.keys(inputRequests).map((key) => [key, { action: "accept" }]))
  const other = { name: "items_create", arguments: { name: "two" }, requestState, inputResponses: answers }
  expect((await modern(ledger, "tools/call", other, forms)).message?.result).toMatchObject({ isError: true })
  const execute = { name: "execute", arguments: { code: "return 1" }, requestState, inputResponses: answers }
  const crossed = await modern({ ...ledger, url: `${server.mcpUrl}?elicitation_mode=native` }, "tools/call", execute, forms)
  expect(crossed.message?.result).toMatchObject({ isError: true })
  expect(server.writes()).not.toContain("two")
})

test("the inbox shows a call that no code made", async () => {
  const client = await connect("ledger", { era: "modern" })
  await client.callTool({ name: "items_create", arguments: { name: "paged-direct" } })
  const { items } = (await server.call("GET", "/api/approvals?limit=100")).body as {
    items: { approvalId: string; args: { name: string } }[]
  } // as documented
  const id = items.find((item) => item.args.name === "paged-direct")?.approvalId ?? ""
  const { body } = await server.call("POST", "/api/sessions")
  const signed = await server.call("POST", "/signin", { body, token: null, headers: { origin: server.url } })
  const cookie = (signed.headers.get("set-cookie") ?? "").split(";", 1)[0] ?? ""
  const { key } = signed.body as { key: string } // as the page reads it
  const headers = { cookie, "x-executor-session-key": key }
  const shown = await server.call("GET", `/api/approvals/${id}`, { token: null, headers })
  // Without an execution the inbox offers no "rest of the execution".
  expect(shown).toMatchObject({ status: 200, body: { args: { name: "paged-direct" }, executionId: null } })
  expect(shown.body).not.toHaveProperty("code")
  await client.close()
})
