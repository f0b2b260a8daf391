// What an agent is told over MCP about sources that it cannot use now, and about plugins that need no connection.
import { afterAll, beforeAll, expect, test } from "vitest"
import { callTool, connectMcp, textOf } from "./mcp-client.ts"
import { startMcpServer } from "./mcp-server.ts"
import type { McpTestServer } from "./mcp-server.ts"

let server: McpTestServer
beforeAll(async () => {
  server = await startMcpServer()
  const add = (slug: string, kind: string, config: unknown) => server.call("POST", "/api/integrations", { body: { slug, kind, config } })
  const connect = (body: unknown) => server.call("POST", "/api/connections", { body })
  // Nothing listens on the discard port.
  await add("away", "mcp", { transport: "http", url: "http://127.0.0.1:9/mcp" })
  expect((await connect({ integration: "away" })).body).toMatchObject({ status: "error", toolCount: 0 })
  await add("locked", "openapi", { spec: server.ledger.document })
  await connect({ integration: "locked", auth: { template: "bearer" } })
  await add("alone", "openapi", { spec: server.ledger.document })
})
afterAll(() => server.close())

test("the inventory tells what is not reachable from what requires credentials", async () => {
  const client = await connectMcp(server.mcpUrl, { era: "modern", token: server.tokens.agent })
  const { tools } = await client.listTools()
  const description = tools[0]?.description ?? ""
  for (const line of ["### away (not reachable)", "### locked (requires credentials)", "### alone (requires credentials)"])
    expect(description).toContain(line)
  await client.close()
})

test("a call of what is not reachable says so", async () => {
  const client = await connectMcp(server.mcpUrl, { era: "modern", token: server.tokens.agent })
  const { structured } = await callTool(client, "execute", { code: "return (await tools.away.anything({})).error" })
  expect(structured.result).toMatchObject({
    code: "upstream_unreachable",
    message: expect.stringContaining("executor connections refresh away"),
  })
  await client.close()
})

test("a plugin without connections keeps its name and description", async () => {
  const sources = await server.run("return (await tools.executor.sources.list({ query: 'asks the human' })).items")
  expect(sources.structured).toMatchObject({ result: [{ slug: "desk", kind: "plugin", name: "Desk", description: "Asks the human." }] })
})

test("read_tool says what a policy blocks", async () => {
  const client = await connectMcp(`${server.mcpUrl}?discovery=tools`, { era: "modern", token: server.tokens.agent })
  await server.call("POST", "/api/policies", { body: { owner: "org", pattern: "ledger.items.remove", action: "block" } })
  const read = await callTool(client, "read_tool", { path: "ledger.items.remove" })
  expect(read).toMatchObject({ isError: true, structured: { error: { code: "tool_blocked" } } })
  expect(textOf(read)).toBe("A policy blocks 'ledger.org.main.items.remove'")
  await client.close()
})

test("what a policy blocks as a whole is not named, connected or not", async () => {
  const described = async (): Promise<string> => {
    const client = await connectMcp(server.mcpUrl, { era: "modern", token: server.tokens.agent })
    const { tools } = await client.listTools()
    await client.close()
    return tools[0]?.description ?? ""
  }
  expect(await described()).toContain("### ledger (")
  for (const slug of ["ledger", "alone"])
    await server.call("POST", "/api/policies", { body: { owner: "org", pattern: `${slug}.**`, action: "block" } })
  const description = await described()
  expect(description).not.toMatch(/ledger|alone/)
  expect(description).toContain("### locked (requires credentials)")
  const { structured } = await server.run("return (await tools.executor.sources.list({})).items.map((item) => item.slug)")
  expect(structured).toMatchObject({ result: expect.not.arrayContaining(["ledger", "alone"]) })
})
