// Runs that agents start by calling agents are executions of their own: on both databases, seen from two servers.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { AgentCreate } from "../../src/core/agents/agent.ts"
import type { ExecutionEvent } from "../../src/core/execution.ts"
import { startLedger } from "../servers/ledger.ts"
import type { Ledger } from "../servers/ledger.ts"
import { startModelServer } from "../servers/model.ts"
import type { ModelRequest, ModelServer } from "../servers/model.ts"
import type { ModelTurn } from "../servers/model/turn.ts"
import { sharedPostgres } from "../servers/postgres.ts"
import { addLedger, create, get } from "./agent-maker.ts"
import { followEvents } from "./follow-events.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"

type Answer = { readonly run_id: string; readonly status: string; readonly output?: unknown; readonly error?: { readonly code: string } }

async function all(stream: AsyncIterable<ExecutionEvent>): Promise<ExecutionEvent[]> {
  const events: ExecutionEvent[] = []
  for await (const event of stream) events.push(event)
  return events
}

describe.each(["sqlite", "postgresql"] as const)("on %s", (kind) => {
  const dataDirs = [1, 2].map(() => mkdtempSync(join(tmpdir(), "executor-child-")))
  let first: Product
  let second: Product
  let ledger: Ledger
  let model: ModelServer

  beforeAll(async () => {
    const databaseUrl = kind === "sqlite" ? null : await (await sharedPostgres()).createDatabase()
    const env = {
      EXECUTOR_LIMITS: JSON.stringify({ leaseMs: 1500 }),
      ...(databaseUrl === null ? {} : { EXECUTOR_DATABASE_URL: databaseUrl, EXECUTOR_SECRET_KEY: "a key for this test only" }),
    }
    ;[ledger, model, first] = await Promise.all([startLedger(), startModelServer(), startProduct({ dataDir: dataDirs[0] ?? "", env })])
    second = await startProduct({ dataDir: dataDirs[databaseUrl === null ? 0 : 1] ?? "", env })
    await addLedger(first, ledger)
    await first.client.models.providers.create({ id: "local", kind: "openai_compatible", baseUrl: model.baseUrl })
    await agent("worker", ["ledger.**"])
    await agent("lead", ["agents.worker"])
    await agent("chief", ["agents.lead"])
  })
  afterAll(async () => {
    await Promise.all([first.kill("SIGKILL"), second.kill("SIGTERM")])
    await Promise.all([model.close(), ledger.close()])
    for (const dataDir of dataDirs) rmSync(dataDir, { recursive: true })
  })

  async function agent(slug: string, tools: readonly string[], fields: Partial<AgentCreate> = {}): Promise<void> {
    const definition = { slug, name: slug, instructions: slug, model: { provider: "local", name: "scripted" }, tools, ...fields }
    await first.client.agents.publish((await first.client.agents.create(definition)).id)
  }

  /** What each agent does at each of its steps; then it says that it is done. */
  function script(steps: Readonly<Record<string, readonly (ModelTurn | ((request: ModelRequest) => ModelTurn))[]>>): string[] {
    const asked: string[] = []
    model.script((request) => {
      asked.push(request.system)
      const turn = steps[request.system]?.[request.outputs.length]
      if (turn === undefined) return { text: `${request.system} is done.` }
      return typeof turn === "function" ? turn(request) : turn
    })
    return asked
  }
  const calls = (name: string, args: object = { text: "Go" }): ModelTurn => ({ calls: [{ name, arguments: args }] })
  const toWorker = calls("agents__worker")
  const reads = calls(get, { name: "one" })

  const answersIn = async (id: string): Promise<Answer[]> => {
    const { structured } = await first.client.executions.get(id)
    const { toolOutputs = [] } = structured as { toolOutputs?: { output: Answer }[] } // of a run that has ended
    return toolOutputs.map(({ output }) => output)
  }
  const ended = async (id: string, node = first): Promise<string> => {
    for await (const event of await followEvents(node, id)) if (event.type === "end") return event.reply.status
    return "lost"
  }
  const childOf = async (id: string): Promise<string> => (await second.client.executions.list({ parentId: id })).items[0]?.executionId ?? ""

  test("a child is shown, listed and linked, on every node", async () => {
    script({ lead: [toWorker], worker: [reads] })
    const { executionId, output } = await first.client.agents.run("lead", { text: "Go" })
    expect(output).toBe("lead is done.")
    const [answer] = await answersIn(executionId)
    const runId = answer?.run_id ?? ""
    expect(answer).toMatchObject({ run_id: expect.stringMatching(/^exe_\w+$/), status: "completed", output: "worker is done." })
    for (const { client } of [first, second]) {
      const child = await client.executions.get(runId)
      expect(child).toMatchObject({
        executionId: runId,
        parentId: executionId,
        rootId: executionId,
        program: "agent",
        status: "completed",
        structured: { result: "worker is done.", usage: { steps: 2, calls: 1 } },
      })
      expect(child.calls.map(({ address, depth }) => [address, depth])).toEqual([
        ["model/local/scripted", undefined],
        ["tools.ledger.org.main.items.get", undefined],
        ["model/local/scripted", undefined],
      ])
      expect((await client.executions.get(executionId)).calls.flatMap((one) => one.runId ?? [])).toEqual([runId])
      expect((await client.executions.list({ parentId: executionId })).items).toMatchObject([{ executionId: runId, parentId: executionId }])
      expect((await client.executions.list()).items.map((one) => one.executionId)).not.toContain(runId)
      expect((await client.executions.list({ parentId: "any" })).items.map((one) => one.executionId)).toContain(runId)
    }
    expect(JSON.parse((await first.client.executions.result(runId)).text)).toBe("worker is done.")
    await expect(first.client.executions.list({ parentId: "exe_none" })).rejects.toMatchObject({ code: "not_found" })
  })

  test("code that calls an agent starts a run as well", async () => {
    script({})
    const { structured, executionId } = await first.client.run('return await tools.agents.worker({ text: "Go" }).unwrap()')
    const { run_id: runId } = (structured as { result: Answer }).result // of code that completed
    expect(await first.client.executions.get(runId)).toMatchObject({ parentId: executionId, status: "completed" })
  })

  test("its words are streamed at the child, and at the root with the path", async () => {
    const released = Promise.withResolvers<void>()
    const speaks = Promise.withResolvers<void>()
    const hold = ({ part }: { part: string }): Promise<void> | undefined =>
      part === "text" ? (speaks.resolve(), released.promise) : undefined
    script({ lead: [toWorker], worker: [() => ({ text: "Slowly said.", hold })] })
    const { runId: root } = await first.client.agents.run("lead", { text: "Go", wait: false })
    await speaks.promise
    const child = await childOf(root)
    const streams = await Promise.all([followEvents(first, root), followEvents(first, child), followEvents(second, child)])
    released.resolve()
    const [atRoot, atChild, elsewhere] = await Promise.all(streams.map(all))
    const words = (events: readonly ExecutionEvent[] = []) => events.flatMap((event) => (event.type === "text" ? [event] : []))
    const said = (events: ReturnType<typeof words>) => events.map(({ text }) => text).join("")
    const below = words(atRoot).filter(({ path }) => path !== undefined)
    expect(below[0]).toMatchObject({ path: ["agents.org.main.worker"], runId: child })
    expect(said(below)).toBe("Slowly said.")
    expect(said(words(atRoot).filter(({ path }) => path === undefined))).toBe("lead is done.")
    expect(said(words(atChild))).toBe("Slowly said.")
    // There its words come with its whole answer, before what follows from them.
    expect(words(elsewhere).map(({ text }) => text)).toEqual(["Slowly said."])
    for (const events of [atChild, elsewhere])
      expect(events?.at(-1)).toMatchObject({ type: "end", reply: { executionId: child, status: "completed" } })
  })

  test("its approvals appear at the root with the path; an answer there resumes the child, and then those above it", async () => {
    script({ chief: [calls("agents__lead")], lead: [toWorker], worker: [calls(create, { name: `${kind}_approved` })] })
    const paused = await first.client.agents.run("chief", { text: "Go" })
    const path = ["agents.org.main.lead", "agents.org.main.worker"]
    expect(paused).toMatchObject({ status: "paused", structured: { interactions: [{ path, args: { name: `${kind}_approved` } }] } })
    const [asked] = (await second.client.approvals.list()).items
    expect(asked).toMatchObject({ executionId: paused.executionId, path })
    const lead = await childOf(paused.executionId)
    const worker = await childOf(lead)
    for (const id of [lead, worker])
      expect(await second.client.executions.get(id)).toMatchObject({
        rootId: paused.executionId,
        status: "paused",
        structured: { interactions: [{ approvalId: asked?.approvalId }] },
      })
    await second.client.approvals.answer(asked?.approvalId ?? "", { action: "accept" })
    // Another node reads the row of an end a moment after its reply.
    for (const id of [worker, lead, paused.executionId])
      await expect.poll(async () => (await first.client.executions.get(id)).status).toBe("completed")
    expect(ledger.entries.filter(({ name }) => name === `${kind}_approved`)).toHaveLength(1)
  })

  test("it is resumed by its own id too", async () => {
    script({ lead: [toWorker], worker: [calls(create, { name: `${kind}_own` })] })
    const { executionId } = await first.client.agents.run("lead", { text: "Go" })
    const child = await childOf(executionId)
    const reply = await second.client.resume(child, { action: "accept" })
    expect(reply).toMatchObject({ executionId: child, status: "completed", structured: { result: "worker is done." } })
    await expect.poll(async () => (await first.client.executions.get(executionId)).status).toBe("completed")
  })

  test("its calls and tokens count for those above it while it runs", async () => {
    await agent("few_calls", ["agents.worker"], { limits: { calls: 3 } })
    const before = ledger.entries.length
    const busy = Array.from({ length: 6 }, (_, at) => calls(get, { name: `item${at}` }))
    script({ few_calls: [toWorker], worker: busy })
    const run = await first.client.agents.run("few_calls", { text: "Go" })
    expect(run.status).toBe("completed")
    // One of the three is the call of the agent itself.
    expect(ledger.entries.length - before).toBe(2)

    await agent("few_tokens", ["agents.worker"], { limits: { tokens: 1000 } })
    const dear = busy.map((turn) => ({ ...turn, usage: { input: 400, output: 10 } }))
    const asked = script({ few_tokens: [{ ...toWorker, usage: { input: 100, output: 10 } }], worker: dear })
    const spent = await first.client.agents.run("few_tokens", { text: "Go" })
    expect(spent).toMatchObject({ status: "failed", structured: { error: { code: "limit_reached" } } })
    expect(asked).toEqual(["few_tokens", "worker", "worker", "worker"])
    expect(await first.client.executions.get(await childOf(spent.executionId))).toMatchObject({
      status: "failed",
      structured: { error: { code: "limit_reached", message: expect.stringContaining("that called this one") } },
    })
  })

  test("a timeout is an answer, and cancels the run with those below it", async () => {
    const { client } = first
    const tool = await client.registry.create({
      slug: "late",
      name: "late",
      description: "Asks the lead",
      schema: { input: { type: "object", properties: { text: { type: "string" } } } },
      implementationType: "agent_call",
      implementationConfig: { target_agent_slug: "lead", timeout_s: 0.5 },
    })
    await client.registry.publish(tool.id)
    script({ lead: [toWorker], worker: [{ fail: "hang" }] })
    const { structured, executionId } = await client.run('return await tools.registry.late({ text: "Go" }).unwrap()')
    const error = { code: "timeout", message: "The run took longer than its wall time allows" }
    expect(structured).toMatchObject({ result: { status: "timeout", error } })
    const lead = await childOf(executionId)
    expect((structured as { result: Answer }).result.run_id).toBe(lead) // of code that completed
    expect(await client.executions.get(lead)).toMatchObject({ status: "cancelled", structured: { error: { code: "timeout" } } })
    expect(await client.executions.get(await childOf(lead))).toMatchObject({ status: "cancelled" })
  })

  test("cancelling the root cancels all below it, and what they ask of a model", async () => {
    const asks = Promise.withResolvers<AbortSignal>()
    const hangs = ({ gone }: ModelRequest): ModelTurn => (asks.resolve(gone), { fail: "hang" })
    script({ chief: [calls("agents__lead")], lead: [toWorker], worker: [hangs] })
    const { runId: root } = await first.client.agents.run("chief", { text: "Go", wait: false })
    const gone = await asks.promise
    const lead = await childOf(root)
    const worker = await childOf(lead)
    const ends = [lead, worker].map((id) => ended(id))
    expect(await second.client.executions.cancel(root)).toMatchObject({ status: "cancelled" })
    expect(await Promise.all(ends)).toEqual(["cancelled", "cancelled"])
    if (!gone.aborted) await new Promise((resolve) => gone.addEventListener("abort", resolve))
  })

  test.each(["first", "second"] as const)(
    "a child that runs is cancelled alone, on the %s node: its caller hears of it and goes on",
    async (at) => {
      const asks = Promise.withResolvers<void>()
      const hangs = (): ModelTurn => (asks.resolve(), { fail: "hang" })
      script({ lead: [toWorker], worker: [hangs] })
      const { runId: root } = await first.client.agents.run("lead", { text: "Go", wait: false })
      await asks.promise
      const child = await childOf(root)
      const over = ended(root)
      expect(await (at === "first" ? first : second).client.executions.cancel(child)).toMatchObject({
        executionId: child,
        status: "cancelled",
      })
      expect(await over).toBe("completed")
      expect(await answersIn(root)).toMatchObject([{ run_id: child, status: "cancelled" }])
      expect(await second.client.executions.get(child)).toMatchObject({ status: "cancelled" })
    },
  )

  test("a child that waits is cancelled alone too, and nobody is asked any more", async () => {
    script({ lead: [toWorker], worker: [calls(create, { name: "never" })] })
    const { executionId } = await first.client.agents.run("lead", { text: "Go" })
    const child = await childOf(executionId)
    expect(await second.client.executions.cancel(child)).toMatchObject({ status: "cancelled" })
    await expect.poll(async () => (await first.client.executions.get(executionId)).status).toBe("completed")
    expect(await answersIn(executionId)).toMatchObject([{ run_id: child, status: "cancelled" }])
    expect((await first.client.approvals.list()).items).toEqual([])
  })

  test("kill -9 in the middle of a child: the other node goes on with the same run, and repeats nothing that was done", async () => {
    const dies = Promise.withResolvers<void>()
    let isDead = false
    const asked = script({
      lead: [toWorker],
      worker: [
        calls(create, { name: `${kind}_once` }),
        () => (isDead ? calls(get, { name: "after" }) : (dies.resolve(), { fail: "hang" })),
      ],
    })
    await first.client.policies.create({ owner: "org", pattern: "ledger.org.main.items.create", action: "allow" })
    const { runId: root } = await first.client.agents.run("lead", { text: "Go", wait: false })
    await dies.promise
    const child = await childOf(root)
    expect(await second.client.executions.get(child)).toMatchObject({ status: "running", parentId: root })
    isDead = true
    await first.kill("SIGKILL")
    expect(await ended(root, second)).toBe("completed")
    expect(await second.client.executions.get(child)).toMatchObject({ status: "completed", structured: { result: "worker is done." } })
    expect((await second.client.executions.list({ parentId: root })).items).toHaveLength(1)
    expect(ledger.entries.filter(({ name }) => name === `${kind}_once`)).toHaveLength(1)
    expect(asked).toEqual(["lead", "worker", "worker", "worker", "worker", "lead"])
  })
})
