// Runs of agents survive kill -9 at random points: no stored answer is asked for twice, no write happens twice, every call is answered once.
//
// The model is scripted by the conversation alone, so that it would answer the same again: a run that forgot something
// shows in the ledger and in the requests. On PostgreSQL two nodes share the runs, and the one that started them dies.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import type { ExecutionView } from "../../src/core/execution.ts"
import { addLedger, create, get } from "../e2e/agent-maker.ts"
import { startProduct } from "../e2e/product.ts"
import type { Product } from "../e2e/product.ts"
import { startLedger } from "../servers/ledger.ts"
import type { Ledger } from "../servers/ledger.ts"
import { startModelServer } from "../servers/model.ts"
import type { ModelRequest, ModelServer } from "../servers/model.ts"
import { sharedPostgres } from "../servers/postgres.ts"

const rounds = process.env["EXECUTOR_CHAOS_FULL"] === undefined ? 5 : 50
const perRound = 4
let ledger: Ledger
let model: ModelServer
/** Stored answers that were asked for again: calls of theirs had been made. */
const forgotten: string[] = []
const repeated: string[] = []

beforeAll(async () => {
  ledger = await startLedger()
  model = await startModelServer(answer)
})
afterAll(async () => {
  await model.close()
  await ledger.close()
})

/** Two reads at once, two writes that ask, one write, then the answer. */
const steps: readonly (readonly (readonly [tool: string, part: string])[])[] = [
  [
    [get, "r1"],
    [get, "r2"],
  ],
  [
    [create, "a"],
    [create, "b"],
  ],
  [[create, "c"]],
]

function answer(request: ModelRequest) {
  const id = request.userText
  const ids = request.outputs.map(({ callId }) => callId)
  if (new Set(ids).size !== ids.length) repeated.push(`${id}: ${ids.join(", ")}`)
  let answered = 0
  for (const calls of steps) {
    if (answered === ids.length) {
      const names = calls.map(([, part]) => `${id}-${part}`)
      if (ledger.entries.some(({ name }) => names.includes(name))) forgotten.push(names.join(", "))
      return { calls: calls.map(([name, part]) => ({ name, arguments: { name: `${id}-${part}`, delay: 10 } })) }
    }
    answered += calls.length
  }
  return { text: request.outputs.map(({ text }) => (text.startsWith("{") ? "done" : text.split(":", 1)[0])).join(" ") }
}

test.each(["sqlite", "postgresql"] as const)(
  `${rounds} rounds on %s`,
  async (kind) => {
    const databaseUrl = kind === "sqlite" ? null : await (await sharedPostgres()).createDatabase()
    const env = {
      EXECUTOR_LIMITS: JSON.stringify({ leaseMs: 600 }),
      ...(databaseUrl === null ? {} : { EXECUTOR_DATABASE_URL: databaseUrl, EXECUTOR_SECRET_KEY: "a key for the chaos test only" }),
    }
    const dirs = Array.from({ length: kind === "sqlite" ? 1 : 2 }, () => mkdtempSync(join(tmpdir(), "executor-chaos-")))
    const nodes: Product[] = []
    for (const dataDir of dirs) nodes.push(await startProduct({ dataDir, env }))
    await prepare(nodes[0] as Product)
    for (let round = 0; round < rounds; round += 1) {
      const at = round % nodes.length
      const node = nodes[at] as Product
      const prefix = `${kind}${round}x`
      const started = Array.from({ length: perRound }, (_, i) => start(node, `${prefix}${i}`))
      await untilSeen(prefix, 2 + ((round * 7) % 16))
      await node.kill("SIGKILL")
      await Promise.all(started)
      nodes[at] = await startProduct({ dataDir: dirs[at] as string, env })
      await answerAll(nodes[at])
    }
    const views = await untilAllEnd(nodes[0] as Product)
    expect(views.length).toBeGreaterThan(0)
    check(views, kind)
    for (const node of nodes) await node.kill("SIGTERM")
    for (const dataDir of dirs) rmSync(dataDir, { recursive: true })
  },
  1_800_000,
)

async function prepare(product: Product): Promise<void> {
  const { client } = product
  await client.models.providers.create({ id: "local", kind: "openai_compatible", baseUrl: model.baseUrl })
  await addLedger(product, ledger)
  const made = await client.agents.create({
    slug: "keeper",
    name: "Keeper",
    instructions: "Keep the ledger.",
    model: { provider: "local", name: "scripted" },
    tools: ["ledger.**"],
    executionMode: "parallel_safe",
  })
  await client.agents.publish(made.id)
}

/** Answers its questions as long as the server lives. */
async function start({ client }: Product, id: string): Promise<void> {
  try {
    let reply: { readonly status: string; readonly executionId: string } = await client.agents.run("keeper", { text: id })
    while (reply.status === "paused") reply = await client.resume(reply.executionId, { action: "accept" })
  } catch {
    // The server is gone.
  }
}

/** In the middle of the round's work, however fast the machine is: each run makes five calls. */
async function untilSeen(prefix: string, calls: number): Promise<void> {
  const deadline = Date.now() + 20_000
  while (ledger.entries.filter(({ name }) => name.startsWith(prefix)).length < calls && Date.now() < deadline)
    await new Promise((resolve) => setTimeout(resolve, 3))
}

async function answerAll({ client }: Product): Promise<void> {
  for (;;) {
    const { items } = await client.approvals.list({ limit: 100 })
    if (items.length === 0) return
    await Promise.all(items.map((one) => client.approvals.answer(one.approvalId, { action: "accept" }).catch(() => {})))
  }
}

async function untilAllEnd(product: Product): Promise<ExecutionView[]> {
  const deadline = Date.now() + 120_000
  for (;;) {
    await answerAll(product)
    const { items } = await product.client.executions.list({ limit: 1000 })
    if (items.every(({ status }) => status === "completed" || status === "failed"))
      return Promise.all(items.map((item) => product.client.executions.get(item.executionId)))
    if (Date.now() > deadline) throw new Error(`Still not settled: ${JSON.stringify(items.map((item) => item.status))}`)
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

/** What each run says of its writes agrees with what the upstream saw. */
function check(views: readonly ExecutionView[], kind: string): void {
  expect({ forgotten, repeated }).toEqual({ forgotten: [], repeated: [] })
  const happened = new Map<string, number>()
  for (const { method, name } of ledger.entries) if (method === "POST") happened.set(name, (happened.get(name) ?? 0) + 1)
  for (const [name, count] of happened) expect({ name, count }).toEqual({ name, count: 1 })
  for (const view of views) {
    const { input } = JSON.parse(view.code) as { input: { text: string } }
    expect(input.text.startsWith(kind)).toBe(true)
    expect(view).toMatchObject({ status: "completed", structured: { usage: { steps: 4, calls: 5 } } })
    const said = String((view.structured as { result: unknown }).result).split(" ")
    expect(said).toHaveLength(5)
    for (const [index, part] of ["a", "b", "c"].entries()) {
      expect(["done", "outcome_unknown"]).toContain(said[2 + index])
      if (said[2 + index] === "done") expect({ part, happened: happened.get(`${input.text}-${part}`) }).toEqual({ part, happened: 1 })
    }
  }
}
