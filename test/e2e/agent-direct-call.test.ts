// An agent that is called outside of executions: its run can be opened, and the call made again goes on with it, so that nothing is written twice.
import type { Client } from "@modelcontextprotocol/client"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { ToolResult } from "../../src/core/result.ts"
import { createExecutor } from "../../src/preset/local.ts"
import type { Executor } from "../../src/preset/local.ts"
import { create, remove, startAgents } from "./agent-maker.ts"
import type { AgentBench } from "./agent-maker.ts"
import { callTool, connectMcp } from "./mcp-client.ts"
import type { McpClientOptions } from "./mcp-client.ts"

let bench: AgentBench
beforeAll(async () => {
  bench = await startAgents({ env: { EXECUTOR_LIMITS: JSON.stringify({ mcpAnswerWaitMs: 100 }) } })
  await bench.agent("keeper")
  await bench.product.client.policies.create({ owner: "org", pattern: "ledger.org.main.items.create", action: "allow" })
})
afterAll(() => bench.stop())

/** A model that writes, then removes, which asks, and then answers. */
const script = (name: string): void =>
  bench.model.script(({ outputs }) => {
    if (outputs.length === 0) return { calls: [{ name: create, arguments: { name } }] }
    return outputs.length === 1 ? { calls: [{ name: remove, arguments: { name } }] } : { text: `Done with ${name}.` }
  })
const madeOf = (name: string): string[] => bench.ledger.entries.filter((entry) => entry.name === name).map(({ method }) => method)

type Failed = { readonly code: string; readonly details?: { readonly approvalId: string; readonly executionId: string } }
const failureOf = (value: unknown): Failed => (value as { readonly error?: Failed }).error ?? { code: "none" }

describe("at /mcp/direct", () => {
  const connect = async (elicitation: readonly ("browser" | "native")[], path: string, options: Partial<McpClientOptions> = {}) => {
    const { token } = await bench.product.client.tokens.create({ name: "direct", kind: "agent", elicitation: [...elicitation] })
    return connectMcp(`${bench.product.url}/mcp/direct/agents${path}`, { era: "modern", token, ...options })
  }
  const call = async (client: Client, text: string) => (await callTool(client, "keeper", { text })).structured

  test("what was written before a question is not written again after its answer", async () => {
    script("browser")
    const client = await connect(["browser"], "")
    const { code, details } = failureOf(await call(client, "browser"))
    expect(code).toBe("approval_required")
    expect(madeOf("browser")).toEqual(["POST"])
    const paused = await bench.product.client.executions.get(details?.executionId ?? "")
    expect(paused).toMatchObject({ status: "paused", program: "agent" })
    // Whoever asks again before there is an answer is told the same.
    expect(failureOf(await call(client, "browser")).details).toMatchObject(details ?? {})
    await bench.product.client.approvals.answer(details?.approvalId ?? "", { action: "accept" })
    const answer = await call(client, "browser")
    expect(answer).toMatchObject({ status: "completed", run_id: paused.executionId, output: "Done with browser." })
    expect(madeOf("browser")).toEqual(["POST", "DELETE"])
    expect(await bench.product.client.executions.get(paused.executionId)).toMatchObject({ status: "completed" })
    // The call has its answer: the next one is another.
    bench.model.script(() => ({ text: "Once more." }))
    const again = await call(client, "browser")
    expect(again).toMatchObject({ status: "completed", output: "Once more." })
    expect(again["run_id"]).not.toBe(paused.executionId)
    await client.close()
  })

  test("a human behind the client answers in place", async () => {
    script("native")
    const asked: string[] = []
    const client = await connect(["browser", "native"], "?elicitation_mode=native", {
      human: ({ message }) => {
        asked.push(message)
        return { action: "accept" }
      },
    })
    expect(await call(client, "native")).toMatchObject({ status: "completed", output: "Done with native." })
    expect(asked).toHaveLength(1)
    expect(madeOf("native")).toEqual(["POST", "DELETE"])
    await client.close()
  })
})

describe("in a process", () => {
  const dataDir = mkdtempSync(join(tmpdir(), "executor-direct-"))
  let executor: Executor
  beforeAll(async () => {
    executor = await createExecutor({ dataDir })
    await executor.integrations.add({ slug: "ledger", kind: "openapi", config: { spec: bench.ledger.document } })
    await executor.connections.create({ integration: "ledger" })
    await executor.policies.create({ owner: "org", pattern: "ledger.org.main.items.create", action: "allow" })
    await executor.models.providers.create({ id: "local", kind: "openai_compatible", baseUrl: bench.model.baseUrl })
    const model = { provider: "local", name: "scripted" }
    const { id } = await executor.agents.create({ slug: "keeper", name: "Keeper", instructions: "Keep it.", model, tools: ["ledger.**"] })
    await executor.agents.publish(id)
  })
  afterAll(async () => {
    await executor.close()
    rmSync(dataDir, { recursive: true })
  })
  const dataOf = (result: ToolResult): unknown => (result.ok ? result.data : result.error)

  test("the run outlives the process that began it, and its answer waits for the call", async () => {
    script("restart")
    const asked = await executor.execute("agents.keeper", { text: "restart" })
    const { code, details } = failureOf(asked)
    expect(code).toBe("approval_required")
    await executor.close()
    executor = await createExecutor({ dataDir })
    await executor.approvals.answer(details?.approvalId ?? "", { action: "accept" })
    expect((await executor.executions.get(details?.executionId ?? "")).status).toBe("completed")
    await executor.close()
    executor = await createExecutor({ dataDir })
    const answer = await executor.execute("agents.keeper", { text: "restart" })
    expect(dataOf(answer)).toMatchObject({ status: "completed", run_id: details?.executionId, output: "Done with restart." })
    expect(madeOf("restart")).toEqual(["POST", "DELETE"])
  })

  test("a declined question, and a run that fails, are answers as well", async () => {
    script("declined")
    const { details } = failureOf(await executor.execute("agents.keeper", { text: "declined" }))
    await executor.approvals.answer(details?.approvalId ?? "", { action: "decline" })
    expect(dataOf(await executor.execute("agents.keeper", { text: "declined" }))).toMatchObject({ status: "completed" })
    expect(madeOf("declined")).toEqual(["POST"])
    bench.model.script(() => ({ text: "" }))
    const failed = dataOf(await executor.execute("agents.keeper", { text: "fails" })) as { readonly run_id: string }
    expect(failed).toMatchObject({ status: "failed", error: { code: "upstream_error" } })
    expect((await executor.executions.get(failed.run_id)).status).toBe("failed")
  })

  test("a tool of the registry that calls an agent, and code that does, start runs that can be opened", async () => {
    const schema = { input: { type: "object", additionalProperties: true } }
    const publish = async (slug: string, implementationType: "agent_call" | "custom", implementationConfig: Record<string, unknown>) => {
      const made = { name: slug, slug, description: slug, schema, implementationType, implementationConfig }
      await executor.registry.publish((await executor.registry.create(made)).id)
    }
    await publish("asks", "agent_call", { target_agent_slug: "keeper" })
    await publish("wraps", "custom", { code: "return await tools.agents.keeper({ text: input.text })" })
    for (const slug of ["asks", "wraps"]) {
      script(slug)
      const asked = JSON.stringify(await executor.execute(`registry.${slug}`, { text: slug }))
      expect(asked).toContain("approval_required")
      const [executionId = ""] = /exe_\w+/.exec(asked) ?? []
      const { structured } = await executor.executions.get(executionId)
      const [interaction] = structured.status === "waiting_for_interaction" ? structured.interactions : []
      await executor.approvals.answer(interaction?.approvalId ?? "", { action: "accept" })
      const answer = JSON.stringify(await executor.execute(`registry.${slug}`, { text: slug }))
      expect(answer).toContain(`Done with ${slug}.`)
      expect(answer).toContain(executionId)
      expect(madeOf(slug)).toEqual(["POST", "DELETE"])
    }
  })
})
