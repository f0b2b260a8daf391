// Runs of agents survive kill -9 at random points: no stored answer is asked for again, no write happens twice, and every call is answered once.
//
// Two servers share one database, and one of them is killed in every round. The model and the API live here: what they
// were asked is the truth that the runs are held against.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest"
import type { Client } from "../../src/surfaces/client/index.ts"
import { addLedger, create, get, remove } from "../e2e/agent-maker.ts"
import { startProduct } from "../e2e/product.ts"
import type { Product } from "../e2e/product.ts"
import { openRows } from "../servers/database-rows.ts"
import type { DatabaseRows } from "../servers/database-rows.ts"
import { startLedger } from "../servers/ledger.ts"
import type { Ledger } from "../servers/ledger.ts"
import type { ModelRequest, ModelServer } from "../servers/model.ts"
import { startModelServer } from "../servers/model.ts"
import { sharedPostgres } from "../servers/postgres.ts"

const isFull = process.env["EXECUTOR_CHAOS_FULL"] !== undefined
const rounds = isFull ? 100 : 10
const runsPerRound = 3

type Call = { readonly name: string; readonly arguments: { readonly name: string; readonly delay: number } }
const call = (name: string, item: string, delay: number): Call => ({ name, arguments: { name: item, delay } })

/** What the model says at each step of the run with this id; then it is done. */
const answersOf = (id: string): readonly (readonly Call[])[] => [
  ["r0", "r1", "r2"].map((part, at) => call(get, `${id}-${part}`, 4 * at)),
  [call(create, `${id}-a`, 40), call(get, `${id}-r3`, 3), call(get, `${id}-r4`, 0), call(create, `${id}-b`, 30)],
  [call(remove, `${id}-c`, 40), call(remove, `${id}-d`, 30), call(get, `${id}-r5`, 0)],
  [call(create, `${id}-e`, 20)],
]

type Asked = { readonly id: string; readonly step: number; readonly number: number }
/** What happened, as the model and the API saw it. */
type Seen = { readonly asked: Asked[]; readonly wrong: string[]; events: number }

let ledger: Ledger
let model: ModelServer
const seen: Seen = { asked: [], wrong: [], events: 0 }

beforeAll(async () => {
  ledger = await startLedger()
  model = await startModelServer((request) => {
    const id = request.userText
    const step = checkAnswered(id, request)
    seen.asked.push({ id, step, number: request.number })
    seen.events += 1
    const calls = answersOf(id)[step - 1]
    const hold = (): undefined => void (seen.events += 1)
    if (calls === undefined) return { text: `${id} is done.`, hold }
    return { text: "I go on.", calls: calls.map((one, place) => ({ ...one, id: `call_${step}_${place}` })), hold }
  })
})
afterAll(async () => {
  await model.close()
  await ledger.close()
})

type Message = { readonly role: string; readonly tool_calls?: readonly { readonly id: string }[]; readonly tool_call_id?: string }

/** Which step it is; every call of the steps before must be answered once, in order. */
function checkAnswered(id: string, { body }: ModelRequest): number {
  const messages = (body["messages"] as Message[]).filter(({ role }) => role === "assistant" || role === "tool") // as the API has them
  const expected = answersOf(id)
    .slice(0, messages.filter(({ role }) => role === "assistant").length)
    .flatMap((calls, at) => {
      const ids = calls.map((_, place) => `call_${at + 1}_${place}`)
      return [`asks ${ids.join()}`, ...ids]
    })
  const told = messages.map((message) =>
    message.role === "tool" ? message.tool_call_id : `asks ${message.tool_calls?.map((one) => one.id).join()}`,
  )
  if (told.join(" ") !== expected.join(" ")) seen.wrong.push(`${id}: ${told.join(" ")}`)
  return messages.filter(({ role }) => role === "assistant").length + 1
}

test.each(["sqlite", "postgresql"] as const)(
  `${rounds} rounds on %s`,
  async (kind) => {
    const dataDirs = [1, 2].map(() => mkdtempSync(join(tmpdir(), "executor-chaos-")))
    const databaseUrl = kind === "sqlite" ? null : await (await sharedPostgres()).createDatabase()
    const env = {
      EXECUTOR_LIMITS: JSON.stringify({ leaseMs: 600 }),
      ...(databaseUrl === null ? {} : { EXECUTOR_DATABASE_URL: databaseUrl, EXECUTOR_SECRET_KEY: "a key for the chaos test only" }),
    }
    const start = (at: number): Promise<Product> => startProduct({ dataDir: dataDirs[databaseUrl === null ? 0 : at] ?? "", env })
    const nodes = [await start(0), await start(1)]
    const rows = await openRows(dataDirs[0] ?? "", databaseUrl)
    onTestFinished(async () => {
      await rows.close()
      await Promise.all(nodes.map((node) => node.kill("SIGTERM")))
      for (const dataDir of dataDirs) rmSync(dataDir, { recursive: true })
    })
    await prepare(nodes[0] as Product)
    const random = randomFrom(kind.length)
    const stored = new Map<string, number>()
    const ids = new Map<string, string>()
    for (let round = 0; round < rounds; round += 1) {
      // One of the two, anywhere; or both of them, in the middle of a write.
      const isInWrite = round % 2 === 1
      const killed = isInWrite ? [0, 1] : [random(2)]
      const until = seen.events + 1 + random(isInWrite ? 60 : 140)
      const isOver = endOf(rows)
      const stop = new AbortController()
      const working = Promise.all([
        ...Array.from({ length: runsPerRound }, (_, at) => startRun(nodes[at % 2] as Product, `${kind}-${round}-${at}`, ids)),
        ...nodes.map((node) => answerUntilGone(node.client, stop.signal)),
      ])
      await untilTrue(() => seen.events >= until, isOver)
      if (isInWrite) await untilTrue(() => ledger.underWay().some((name) => /-[a-e]$/.test(name)), isOver)
      await Promise.all(killed.map((at) => (nodes[at] as Product).kill("SIGKILL")))
      await noteStored(rows, stored)
      stop.abort()
      await working
      for (const at of killed) nodes[at] = await start(at)
    }
    const client = (nodes[0] as Product).client
    await untilAllEnd(client)
    checkQuestions(stored)
    expect(seen.wrong).toEqual([])
    const counts = await checkRuns(client, kind, ids)
    if (isFull) console.log(kind, { rounds, ...counts, storedAnswers: stored.size })
  },
  3_600_000,
)

async function prepare(node: Product): Promise<void> {
  await addLedger(node, ledger)
  await node.client.policies.create({ owner: "org", pattern: "ledger.org.main.items.remove", action: "allow" })
  await node.client.models.providers.create({ id: "local", kind: "openai_compatible", baseUrl: model.baseUrl })
  const made = await node.client.agents.create({
    slug: "keeper",
    name: "Keeper",
    instructions: "Keep the ledger.",
    model: { provider: "local", name: "scripted" },
    tools: ["ledger.**"],
    executionMode: "parallel_safe",
  })
  await node.client.agents.publish(made.id)
}

/** The same numbers in every run of the test, so that what fails fails again. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed * 7919
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

/** Its id, unless the server died before it answered. */
async function startRun(node: Product, text: string, ids: Map<string, string>): Promise<void> {
  try {
    const { runId } = await node.client.agents.run("keeper", { text, wait: false })
    ids.set(runId, text)
  } catch (error) {
    if (!isGone(error)) throw error
  }
}

const isGone = (error: unknown): boolean => /No server is responding|without JSON/.test(String(error))

/** As a human with a fast finger, on both servers at once. */
async function answerUntilGone(client: Client, stop: AbortSignal): Promise<void> {
  try {
    while (!stop.aborted) await answerAll(client)
  } catch (error) {
    if (!isGone(error)) throw error
  }
}

/** Every approval that is there can be answered. */
async function answerAll(client: Client): Promise<number> {
  const { items } = await client.approvals.list({ limit: 100 })
  await Promise.all(
    items.map(async ({ approvalId }) => {
      await client.approvals.answer(approvalId, { action: "accept" })
      seen.events += 1
    }),
  )
  if (items.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  return items.length
}

/** Whether all the work that comes from now on is done. */
function endOf(rows: DatabaseRows): () => Promise<boolean> {
  const asked = seen.asked.length
  return async () => {
    const [open] = await rows.all("select count(*) as n from executions where status in ('running', 'paused')")
    return Number(open?.["n"]) === 0 && seen.asked.length > asked
  }
}

/** In the middle of the round's work, however fast the machine is; or after all of it. */
async function untilTrue(isTrue: () => boolean, isOver: () => Promise<boolean>): Promise<void> {
  while (!isTrue() && !(await isOver())) await new Promise((resolve) => setTimeout(resolve, 2))
}

/** From now on nobody asks for these answers again: they map to the number of questions asked so far. */
async function noteStored(rows: DatabaseRows, stored: Map<string, number>): Promise<void> {
  const found = await rows.all(
    "select e.code as code, c.call_key as call_key from calls c join executions e on e.tenant_id = c.tenant_id and e.execution_id = c.execution_id where c.path = 'model/local/scripted' and c.answer is not null",
  )
  for (const row of found) {
    const { input } = JSON.parse(String(row["code"])) as { input: { text: string } } // the program of a run
    const name = `${input.text} ${String(row["call_key"])}`
    if (!stored.has(name)) stored.set(name, model.requests.length)
  }
}

/** No answer that was stored is asked for again; neither is one whose calls were made, or which was followed by another step. */
function checkQuestions(stored: ReadonlyMap<string, number>): void {
  const latest = new Map<string, number>()
  for (const { id, step, number } of seen.asked) {
    const name = `${id} m${step}`
    expect({ name, number: number <= (stored.get(name) ?? number) }).toEqual({ name, number: true })
    expect({ name, isFollowed: step < (latest.get(id) ?? 0) }).toEqual({ name, isFollowed: false })
    latest.set(id, Math.max(step, latest.get(id) ?? 0))
  }
}

async function untilAllEnd(client: Client): Promise<void> {
  await expect
    .poll(
      async () => {
        await answerAll(client)
        const { items } = await client.executions.list({ limit: 1000 })
        return items.filter(({ status }) => status !== "completed" && status !== "failed").length
      },
      { timeout: 120_000 },
    )
    .toBe(0)
}

/** What each run says of its calls agrees with what the API saw. */
async function checkRuns(client: Client, kind: string, ids: ReadonlyMap<string, string>): Promise<Record<string, number>> {
  const happened = new Map<string, number>()
  for (const { method, name } of ledger.entries) if (method !== "GET") happened.set(name, (happened.get(name) ?? 0) + 1)
  for (const [name, count] of happened) expect({ name, count }).toEqual({ name, count: 1 })
  const { items } = await client.executions.list({ limit: 1000 })
  const counts: Record<string, number> = { runs: items.length, asked: seen.asked.length }
  // Whoever was given an id finds the run.
  expect(items.map(({ executionId }) => executionId)).toEqual(expect.arrayContaining([...ids.keys()]))
  for (const { executionId } of items) {
    const { status, structured, code } = await client.executions.get(executionId)
    const id = /^Input:\n(.*)$/m.exec(code)?.[1] ?? "" // as people read it
    expect({ id, status, structured }).toMatchObject({ status: "completed", structured: { result: `${id} is done.` } })
    const { toolOutputs = [] } = structured as { toolOutputs?: { callId: string; ok: boolean; output: unknown }[] } // it has ended
    const all = answersOf(id).flatMap((calls, at) => calls.map((one, place) => ({ ...one, callId: `call_${at + 1}_${place}` })))
    expect(toolOutputs.map(({ callId }) => callId)).toEqual(all.map(({ callId }) => callId))
    for (const [at, { name, arguments: args }] of all.entries()) {
      const { ok, output } = toolOutputs[at] ?? { ok: false, output: null }
      const said = ok ? "done" : (output as { code: string }).code
      expect(name === get ? ["done"] : ["done", "outcome_unknown"]).toContain(said)
      if (ok && name !== get) expect({ item: args.name, count: happened.get(args.name) }).toEqual({ item: args.name, count: 1 })
      counts[said] = (counts[said] ?? 0) + 1
    }
    expect(id.startsWith(kind)).toBe(true)
  }
  return counts
}
