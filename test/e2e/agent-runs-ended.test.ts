// Runs of agents that are cancelled, here or from another node: each call of the model has one answer, in their order, and its history says so.
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { ExecutionView } from "../../src/core/execution.ts"
import { prepareArgsCheck } from "../../src/arguments/arguments.ts"
import type { JsonSchema } from "../../src/core/tool.ts"
import type { ModelTurn } from "../servers/model/turn.ts"
import { get, startAgents } from "./agent-maker.ts"
import type { AgentBench } from "./agent-maker.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"

let bench: AgentBench
let other: Product
beforeAll(async () => {
  bench = await startAgents()
  await bench.agent("keeper")
  await bench.agent("together", { executionMode: "parallel_safe" })
  other = await startProduct({ dataDir: bench.product.dataDir })
})
afterAll(async () => {
  await other.kill("SIGTERM")
  await bench.stop()
})

const read = (name: string, delay = 0) => ({ name: get, id: `id_${name}`, arguments: { name, delay } })
const outputsOf = ({ structured }: ExecutionView) => (structured.status === "waiting_for_interaction" ? [] : (structured.toolOutputs ?? []))

/** Whose second call does not end by itself. */
async function startStuck(slug: string, names: readonly string[]): Promise<string> {
  bench.model.script(() => ({ calls: names.map((name, at) => read(name, at === 1 ? 600_000 : 0)) }))
  const { runId } = await bench.product.client.agents.run(slug, { text: "Go.", wait: false })
  await expect.poll(() => bench.ledger.underWay()).toContain(names[1])
  return runId
}

describe.each(["the same node", "another node"] as const)("cancelled on %s", (where) => {
  const mark = where === "the same node" ? "here" : "there"
  const client = () => (where === "the same node" ? bench.product.client : other.client)

  test("one after the other: what had not begun is answered too", async () => {
    const names = [1, 2, 3].map((n) => `${mark}${n}`)
    const runId = await startStuck("keeper", names)
    await client().executions.cancel(runId)
    await expect.poll(() => bench.ledger.underWay()).not.toContain(names[1])
    await expect
      .poll(async () => (await client().executions.get(runId)).calls.map(({ status }) => status))
      .toEqual(["done", "done", "done", "done"])
    const view = await client().executions.get(runId)
    expect(view.status).toBe("cancelled")
    expect(outputsOf(view).map(({ callId, ok }) => [callId, ok])).toEqual([
      [`id_${names[0]}`, true],
      [`id_${names[1]}`, false],
      [`id_${names[2]}`, false],
    ])
    expect(view.calls[3]).toMatchObject({
      address: "tools.ledger.org.main.items.get",
      error: { code: "approval_cancelled", message: "Not made: the run was ended before this call began" },
    })
    // The call that was under way, and none after it.
    expect(bench.ledger.entries.filter(({ name }) => names.includes(name)).map(({ name }) => name)).toEqual(names.slice(0, 2))
  })

  test("together: each has its answer", async () => {
    const names = [4, 5, 6].map((n) => `${mark}${n}`)
    const runId = await startStuck("together", names)
    await expect.poll(() => bench.ledger.entries.filter(({ name }) => names.includes(name)).length).toBe(3)
    await client().executions.cancel(runId)
    await expect
      .poll(async () => (await client().executions.get(runId)).calls.map(({ status }) => status))
      .toEqual(["done", "done", "done", "done"])
    expect(outputsOf(await client().executions.get(runId)).map(({ callId }) => callId)).toEqual(names.map((name) => `id_${name}`))
  })
})

test("a run whose time is up answers its calls as well", async () => {
  // Long enough for the first calls on a busy machine.
  const wallMs = 10_000
  await bench.agent("short", { limits: { wallMs } })
  const names = ["late1", "late2", "late3"]
  const runId = await startStuck("short", names)
  await expect.poll(async () => (await bench.product.client.executions.get(runId)).status).toBe("failed")
  await expect
    .poll(async () => (await bench.product.client.executions.get(runId)).calls.map(({ status }) => status))
    .toEqual(["done", "done", "done", "done"])
  const view = await bench.product.client.executions.get(runId)
  expect(outputsOf(view).map(({ ok }) => ok)).toEqual([true, false, false])
  expect(view.structured).toMatchObject({ error: { code: "timeout" } })
})

test("what was read as something else is kept beside it, also while the run waits", async () => {
  const { client } = bench.product
  const calls = [
    { name: get, arguments: '{"name": "plain"}' },
    { name: get, arguments: "{name: 'repaired'}" },
    { name: "ledger__items_remove", arguments: '{"name":"asks"}' },
  ]
  bench.model.script(({ outputs }) => (outputs.length === 0 ? { calls } : { text: "Done." }))
  const paused = await client.agents.run("keeper", { text: "Go." })
  expect(paused.status).toBe("paused")
  const line = 'tools.ledger.org.main.items.get {name: \'repaired\'} was read as {"name":"repaired"}'
  const lines = async () => (await client.executions.get(paused.runId)).structured.logs.map(({ text }) => text)
  expect(await lines()).toEqual([line])
  const { items } = await client.executions.calls(paused.runId)
  expect(items.map(({ written }) => written)).toEqual([undefined, undefined, "{name: 'repaired'}", undefined])
  await client.resume(paused.runId, { action: "accept" })
  expect(await lines()).toEqual([line])
  expect(outputsOf(await client.executions.get(paused.runId)).map(({ written }) => written)).toEqual([
    undefined,
    "{name: 'repaired'}",
    undefined,
  ])
})

test("what a call of an agent answers fits the output that its tool declares, however the run ended", async () => {
  const { client } = bench.product
  await bench.agent("brief")
  await bench.agent("hurried", { limits: { wallMs: 1000 } })
  const outputSchema = (await client.tools.schema("agents.brief"))?.outputSchema
  const check = prepareArgsCheck(outputSchema as JsonSchema, () => undefined)
  const statusOf = async (data: unknown): Promise<string> => {
    const answer = data as { readonly status: string }
    expect(check.check(answer, JSON.stringify(answer))).toMatchObject({ ok: true })
    return answer.status
  }
  const code = 'return await tools.agents.brief({ text: "Go." }).unwrap()'
  const answer = async (turn: ModelTurn, of = "brief"): Promise<string> => {
    bench.model.script(() => turn)
    const { structured } = await client.run(code.replace("brief", of))
    return statusOf((structured as { readonly result: unknown }).result)
  }
  expect(await answer({ text: "Done." })).toBe("completed")
  expect(await answer({ fail: "status", status: 400 })).toBe("failed")
  expect(await answer({ fail: "hang" }, "hurried")).toBe("timeout")
  bench.model.script(() => ({ calls: [{ name: "ledger__items_remove", arguments: { name: "waits" } }] }))
  const paused = await client.run(code)
  const [child] = (await client.executions.list({ parentId: paused.executionId })).items
  await client.executions.cancel(child?.executionId ?? "")
  await expect.poll(async () => (await client.executions.get(paused.executionId)).status).toBe("completed")
  const { structured } = await client.executions.get(paused.executionId)
  expect(await statusOf((structured as { readonly result: unknown }).result)).toBe("cancelled")
})
