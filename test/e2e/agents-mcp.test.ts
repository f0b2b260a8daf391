// Published agents over MCP: a client finds one, calls it, and the approvals of its run reach the human as those of any code.
import type { Client } from "@modelcontextprotocol/client"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { create, startAgents } from "./agent-maker.ts"
import type { AgentBench } from "./agent-maker.ts"
import { callTool, connectMcp, eras, textOf } from "./mcp-client.ts"
import type { Era, McpClientOptions } from "./mcp-client.ts"

let bench: AgentBench
let tokens: { readonly browser: string; readonly native: string }
beforeAll(async () => {
  bench = await startAgents({ env: { EXECUTOR_LIMITS: JSON.stringify({ mcpAnswerWaitMs: 1500 }) } })
  await bench.agent("keeper", { name: "Ledger keeper", description: "Writes what you say into the ledger." })
  const { client } = bench.product
  const native = await client.tokens.create({ name: "native", kind: "agent", elicitation: ["browser", "native"] })
  tokens = { browser: (await client.tokens.create({ name: "browser", kind: "agent" })).token, native: native.token }
})
afterAll(() => bench.stop())

type Refused = { readonly error: { readonly details: { readonly approvalId: string; readonly executionId: string } } }
const connect = (era: Era, path = "", options: Partial<McpClientOptions> = {}): Promise<Client> =>
  connectMcp(`${bench.product.url}/mcp${path}`, { era, token: tokens.browser, ...options })
/** A model that writes one item and then answers. */
const writes = (name: string): void =>
  bench.model.script(({ outputs }) =>
    outputs.length === 0 ? { calls: [{ name: create, arguments: { name } }] } : { text: `The ledger says ${outputs[0]?.text ?? ""}` },
  )
const written = (name: string): number => bench.ledger.entries.filter((entry) => entry.name === name && entry.method === "POST").length
const code = 'return await tools.agents.keeper({ text: "Write it." }).unwrap()'

describe.each(eras)("a client of the %s era", (era) => {
  test("finds the agent with execute, calls it, and resume brings its answer once the human has approved", async () => {
    const client = await connect(era)
    const found = await callTool(client, "execute", {
      code: 'return (await tools.search({ query: "write into the ledger keeper" })).items',
    })
    expect(JSON.stringify(found.structured.result)).toContain("agents.org.main.keeper")
    const name = `execute-${era}`
    writes(name)
    const paused = await callTool(client, "execute", { code })
    const { executionId = "" } = paused.structured
    expect(paused).toMatchObject({
      isError: false,
      structured: { status: "waiting_for_interaction", interactions: [{ args: { name } }] },
    })
    expect((await bench.product.client.executions.get(executionId)).structured).toMatchObject({
      interactions: [{ address: "tools.ledger.org.main.items.create", via: "agents.keeper" }],
    })
    expect(written(name)).toBe(0)
    const resumed = callTool(client, "resume", { executionId, action: "accept" })
    await bench.product.client.resume(executionId, { action: "accept" })
    expect((await resumed).structured).toMatchObject({
      status: "completed",
      result: { target_agent_slug: "keeper", status: "completed", output: expect.stringContaining(name) },
    })
    expect(written(name)).toBe(1)
    await client.close()
  })

  test("asks its own human where its token allows that, and tells the agent what they said", async () => {
    for (const action of ["accept", "decline"] as const) {
      const name = `native-${era}-${action}`
      writes(name)
      const asked: string[] = []
      const client = await connect(era, "?elicitation_mode=native", {
        token: tokens.native,
        human: ({ message }) => {
          asked.push(message)
          return { action }
        },
      })
      const done = await callTool(client, "execute", { code })
      expect(done.structured).toMatchObject({ status: "completed", result: { status: "completed" } })
      if (action === "decline") expect(textOf(done)).toContain("was declined")
      expect(asked).toHaveLength(1)
      expect(written(name)).toBe(action === "accept" ? 1 : 0)
      await client.close()
    }
  })

  test("has it as a tool of its own at /mcp/direct", async () => {
    const client = await connect(era, "/direct/agents")
    const { tools } = await client.listTools()
    expect(tools).toMatchObject([
      { name: "keeper", description: expect.stringContaining("Writes what you say"), inputSchema: { type: "object" } },
    ])
    bench.model.script(() => ({ text: "Nothing to write." }))
    const answer = await client.callTool({ name: "keeper", arguments: { text: "Hello." } })
    expect(answer.structuredContent).toMatchObject({ target_agent_slug: "keeper", status: "completed", output: "Nothing to write." })
    const name = `direct-${era}`
    writes(name)
    // The run is an execution that waits; the same call, made again, is answered by it.
    const call = { name: "keeper", arguments: { text: `Write ${name}.` } }
    const asked = await callTool(client, call.name, call.arguments)
    const { approvalId, executionId } = (asked.structured as unknown as Refused).error.details
    expect(asked).toMatchObject({ isError: true, structured: { error: { code: "approval_required" } } })
    expect((await bench.product.client.executions.get(executionId)).structured).toMatchObject({
      interactions: [{ approvalId, args: { name } }],
    })
    expect(written(name)).toBe(0)
    await bench.product.client.approvals.answer(approvalId, { action: "accept" })
    expect((await client.callTool(call)).structuredContent).toMatchObject({
      status: "completed",
      run_id: executionId,
      output: expect.stringContaining(name),
    })
    expect(written(name)).toBe(1)
    await client.close()
  })
})
