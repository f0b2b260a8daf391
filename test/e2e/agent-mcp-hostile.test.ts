// MCP servers that mean no good to an agent: what they can make it show, hold and wait for is bounded.
import { describe, expect, onTestFinished, test } from "vitest"
import { McpConnectionManager, qualifyToolName } from "../../src/agent-tools/index.ts"
import { stubbornServer } from "../servers/agent-mcp.ts"
import { RawResult, plainTool, startScriptedMcp, textResult } from "../servers/mcp-scripted.ts"
import type { ScriptedOptions } from "../servers/mcp-scripted.ts"

async function scripted(answer: ScriptedOptions["answer"], more: Partial<ScriptedOptions> = {}) {
  const server = await startScriptedMcp({ answer, ...more })
  onTestFinished(() => server.close())
  return server
}

async function start(...given: Parameters<typeof McpConnectionManager.start>) {
  const mcp = await McpConnectionManager.start(...given)
  onTestFinished(() => mcp.close())
  return mcp
}

async function listing(tools: readonly unknown[]) {
  const server = await scripted(({ method }) =>
    method === "tools/list" ? { tools } : method === "tools/call" ? textResult("done") : undefined,
  )
  const warnings: string[] = []
  const mcp = await start({ bad: { url: server.url } }, { warn: (message) => warnings.push(message) })
  return { server, mcp, warnings, table: await mcp.listAllTools() }
}

const nestedText = (depth: number): string => `${'{"properties":{"a":'.repeat(depth)}{}${"}}".repeat(depth)}`
const nested = (depth: number): unknown => JSON.parse(nestedText(depth))

describe("what a server says of its tools", () => {
  test("names that no API takes, and names that would be the same", async () => {
    const names = ["../../etc", "a.b", "a/b", "ü\u202e🙂", "x".repeat(300), ""]
    const { table, mcp, server } = await listing(names.map((name) => plainTool(name)))
    expect(table.size).toBe(names.length)
    expect([...table.keys()].filter((name) => !/^[a-zA-Z0-9_-]{1,64}$/.test(name))).toEqual([])
    expect([...table.values()].map((one) => one.toolName)).toEqual(names)
    expect(table.has(qualifyToolName("bad", "x".repeat(300)))).toBe(true)
    await mcp.callTool("bad", "a/b", {})
    expect(server.requests.at(-1)?.params["name"]).toBe("a/b")
  })

  test("a server cannot take the name of another's tool", async () => {
    const answer: ScriptedOptions["answer"] = ({ method }) =>
      method === "tools/list" ? { tools: [plainTool("b__c"), plainTool("c")] } : undefined
    const [one, two] = [await scripted(answer), await scripted(answer)]
    const table = await (await start({ a: { url: one.url }, a__b: { url: two.url } })).listAllTools()
    expect(table.size).toBe(4)
    expect(new Set([...table.values()].map((tool) => `${tool.serverName} ${tool.toolName}`)).size).toBe(4)
    expect(table.has("mcp__a__b__c")).toBe(false)
  })

  test("descriptions are cut, and hidden characters are taken out of them and of schemas", async () => {
    const inputSchema = { type: "object", properties: { q: { type: "string", description: "ask\u202e \u{e0041}me" } } }
    const { table } = await listing([plainTool("t", { description: `Read.\u200b${"y".repeat(100_000)}`, title: "\u0000T", inputSchema })])
    const tool = table.get("mcp__bad__t")?.tool
    expect(tool?.description?.length).toBe(20_000)
    expect(tool?.description).toMatch(/^Read\.yyy/)
    expect(tool?.title).toBe("T")
    expect(tool?.inputSchema).toEqual({ type: "object", properties: { q: { type: "string", description: "ask me" } } })
  })

  test("a schema that is too deep or too large costs that tool, and the others stay", async () => {
    const { table, warnings } = await listing([
      plainTool("deep", { inputSchema: { type: "object", properties: { a: nested(200) } } }),
      plainTool("large", { inputSchema: { type: "object", properties: { a: { description: "z".repeat(300_000) } } } }),
      plainTool("n".repeat(2000)),
      plainTool("good", { inputSchema: { type: "object" } }),
    ])
    expect([...table.keys()]).toEqual(["mcp__bad__good"])
    expect(table.get("mcp__bad__good")?.tool.inputSchema).toEqual({ type: "object", properties: {} })
    expect(new Set(warnings)).toEqual(
      new Set([
        "A tool of MCP server 'bad' is left out: the schema of the tool 'deep' is too large or too deep",
        "A tool of MCP server 'bad' is left out: the schema of the tool 'large' is too large or too deep",
        `A tool of MCP server 'bad' is left out: a tool's name is longer than 1000 characters: ${"n".repeat(60)}…`,
      ]),
    )
  })

  test("a schema that is none, or that no library can walk, costs the server and not the others", async () => {
    const having = (result: unknown) => scripted(({ method }) => (method === "tools/list" ? result : undefined))
    const liar = await having({ tools: [plainTool("t", { inputSchema: "none" })] })
    const abyss = await having(
      new RawResult(`{"tools":[{"name":"t","inputSchema":{"type":"object","properties":{"a":${nestedText(50_000)}}}}]}`),
    )
    const honest = await scripted(({ method }) => (method === "tools/list" ? { tools: [plainTool("t")] } : undefined))
    const mcp = await start({ liar: { url: liar.url }, abyss: { url: abyss.url }, honest: { url: honest.url } })
    expect([...(await mcp.listAllTools()).keys()]).toEqual(["mcp__honest__t"])
    expect(new Map(mcp.failures.map((one) => [one.server, one.message]))).toEqual(
      new Map([
        ["liar", expect.stringContaining("does not conform to MCP")],
        ["abyss", expect.stringContaining("nested too deeply")],
      ]),
    )
  })

  test("of too many tools the first are offered, and a warning says how to choose", async () => {
    const { table, warnings } = await listing(Array.from({ length: 1500 }, (_, index) => plainTool(`t${index}`)))
    expect(table.size).toBe(1000)
    expect(warnings).toContain("MCP server 'bad' has 1500 tools; the first 1000 are offered. Choose with enabled_tools")
  })

  test("pages of tools without an end cost the server", async () => {
    let page = 0
    const server = await scripted(({ method }) =>
      method === "tools/list" ? { tools: [plainTool(`t${page}`)], nextCursor: `p${++page}` } : undefined,
    )
    const mcp = await start({ endless: { url: server.url } })
    expect(mcp.failures).toMatchObject([{ server: "endless" }])
    expect(server.countOf("tools/list")).toBeLessThanOrEqual(64)
  })
})

describe("what a server answers", () => {
  test("a message over 16 MB is an error, and the server goes on", async () => {
    const server = await scripted(({ method, params }) =>
      method === "tools/list"
        ? { tools: [plainTool("big"), plainTool("small")] }
        : textResult(params["name"] === "big" ? "b".repeat(17 * 1024 * 1024) : "small"),
    )
    const mcp = await start({ a: { url: server.url } })
    await expect(mcp.callTool("a", "big", {})).rejects.toThrow(/tool call failed for `a\/big`: .*more than 16777216 bytes/)
    expect(await mcp.callTool("a", "small", {})).toMatchObject({ content: [{ text: "small" }] })
  })

  test("what is no result of a tool is an error", async () => {
    const server = await scripted(({ method }) => (method === "tools/list" ? { tools: [plainTool("t")] } : { content: "no blocks" }))
    const mcp = await start({ a: { url: server.url } })
    await expect(mcp.callTool("a", "t", {})).rejects.toThrow("tool call failed for `a/t`: ")
  })

  test("lines that are no JSON, and a flood on stderr, are passed over", async () => {
    const mcp = await start({ a: { ...stubbornServer().config, startupTimeoutMs: 120_000 } })
    expect(await mcp.callTool("a", "chatty", {})).toMatchObject({ content: [{ text: "said" }] })
    expect(await mcp.callTool("a", "noise", {})).toMatchObject({ content: [{ text: "noisy" }] })
  })
})

describe("lists of resources", () => {
  const resource = (uri: string) => ({ uri, name: uri })

  test("pages are followed for all, and given one by one for one server", async () => {
    const pages = new Map<unknown, unknown>([
      [undefined, { resources: [resource("a://1")], nextCursor: "two" }],
      ["two", { resources: [resource("a://2")], nextCursor: "three" }],
      ["three", { resources: [resource("a://3")] }],
    ])
    const only = await scripted(({ method, params }) => (method === "resources/list" ? pages.get(params["cursor"]) : undefined), {
      capabilities: { resources: {} },
    })
    const resources = await start({ a: { url: only.url } })
    expect((await resources.listResources()).resources.map((one) => one.uri)).toEqual(["a://1", "a://2", "a://3"])
    const first = await resources.listResources({ server: "a" })
    expect(first).toMatchObject({ resources: [{ uri: "a://1", server: "a" }], nextCursor: "two" })
    expect(await resources.listResources({ server: "a", cursor: "three" })).toEqual({
      resources: [{ uri: "a://3", name: "a://3", server: "a" }],
      failures: [],
    })
    await expect(resources.listResources({ cursor: "two" })).rejects.toThrow("cursor can only be used when a server is specified")
    await expect(resources.listResources({ server: "b" })).rejects.toThrow("unknown MCP server 'b'")
  })

  test("a cursor that comes again, or pages without an end, cost that server only", async () => {
    let page = 0
    const having = (answer: () => unknown) =>
      scripted(({ method }) => (method === "resources/list" || method === "resources/templates/list" ? answer() : undefined), {
        capabilities: { resources: {} },
      })
    const circle = await having(() => ({ resources: [resource("c://1")], resourceTemplates: [], nextCursor: "again" }))
    const endless = await having(() => ({ resources: [resource("e://1")], resourceTemplates: [], nextCursor: `p${++page}` }))
    const many = await having(() => ({ resources: Array.from({ length: 12_000 }, (_, n) => resource(`m://${n}`)), resourceTemplates: [] }))
    const good = await having(() => ({ resources: [resource("g://1")], resourceTemplates: [] }))
    const mcp = await start({
      circle: { url: circle.url },
      endless: { url: endless.url },
      good: { url: good.url },
      many: { url: many.url },
      tools: { url: (await scripted(() => ({ tools: [] }), { capabilities: { tools: {} } })).url },
    })
    expect(mcp.failures).toEqual([])
    const { resources, failures } = await mcp.listResources()
    expect(failures).toEqual([
      { server: "circle", message: "resources/list failed for `circle`: resources/list returned duplicate cursor" },
      { server: "endless", message: "resources/list failed for `endless`: resources/list returned more than 64 pages" },
    ])
    expect(resources[0]).toMatchObject({ server: "good", uri: "g://1" })
    expect(resources).toHaveLength(10_001)
    expect((await mcp.listResourceTemplates()).failures).toMatchObject([
      { message: "resources/templates/list failed for `circle`: resources/templates/list returned duplicate cursor" },
      { server: "endless" },
    ])
  })
})
