// What a model is told over MCP when it names a service that is not there, or takes the result of a call apart as if it were its data.
import type { Client } from "@modelcontextprotocol/client"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { callTool, connectMcp, textOf } from "./mcp-client.ts"
import { startMcpServer } from "./mcp-server.ts"
import type { McpTestServer } from "./mcp-server.ts"

let server: McpTestServer
let client: Client
beforeAll(async () => {
  server = await startMcpServer()
  client = await connectMcp(server.mcpUrl, { era: "modern", token: server.tokens.agent })
})
afterAll(async () => {
  await client.close()
  await server.close()
})

const said = async (code: string): Promise<string> => textOf(await callTool(client, "execute", { code }))

describe("a service that is not there", () => {
  test("gets no suggestions, but what there is and how to search", async () => {
    for (const path of ["nope.x", "slack.messages.send", "gmail.org.main.messages.list"]) {
      const text = await said(`await tools.${path}({}).unwrap()`)
      const [slug] = path.split(".")
      expect(text).toContain(
        `Tool path '${path}' not found. There is no integration '${slug}'. Integrations: builtin, desk, ledger. Find tools with tools.search({ query }).`,
      )
      expect(text).not.toContain("Did you mean")
    }
    expect(JSON.parse(await said(`return (await tools.nope.x({})).error.details`))).toMatchObject({ suggestions: [] })
  })

  test("gets what was meant where its name is near, or where only the tool was named", async () => {
    expect(await said(`await tools.ledgr.items.create({}).unwrap()`)).toContain("Did you mean ledger.org.main.items.create")
    expect(await said(`await tools.items.create({}).unwrap()`)).toContain("Did you mean ledger.org.main.items.create?")
    expect(await said(`await tools.api.items.remove({}).unwrap()`)).toContain("Did you mean ledger.org.main.items.remove?")
    expect(await said(`await tools.describe.tools({}).unwrap()`)).toContain("Did you mean describe.tool?")
  })
})

describe("the result of a call that is taken apart", () => {
  const why = "The result of a call is { ok, data } and has no `name`: use .data.name or .unwrap()"

  test("says what it is where the code then fails, or returns nothing", async () => {
    const taken = `const { name } = await tools.ledger.items.get({ name: "a" })`
    expect(await said(`${taken}; return name.length`)).toContain(`TypeError: cannot read property 'length' of undefined. ${why} (line 1`)
    expect(await said(`${taken}\nreturn name`)).toContain(`TypeError: The code returned undefined. ${why}`)
    expect(await said(`${taken}\nreturn { name, b: 1 }`)).toBe(`{"b":1}\n\nLogs:\n[warn] ${why}`)
  })

  test("is taken apart rightly without a word", async () => {
    const code = `const { ok, data: { name } } = await tools.ledger.items.get({ name: "a" }); return [ok, name]`
    expect(await said(code)).toBe(`[true,"a"]`)
  })
})
