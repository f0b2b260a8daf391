// Two servers on one database: what is done on one to an execution that runs on the other.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { ExecutionEvent } from "../../src/core/execution.ts"
import { startLedger } from "../servers/ledger.ts"
import type { Ledger } from "../servers/ledger.ts"
import { sharedPostgres } from "../servers/postgres.ts"
import { followEvents } from "./follow-events.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"

/** Leases are so long that nothing here can be the work of their renewal. */
const limits = { EXECUTOR_LIMITS: JSON.stringify({ leaseMs: 120_000 }) }
/** A renewal would take forty seconds; what is left beside the look itself is the pace of a busy machine. */
const soonMs = 20_000

const databases = {
  "one PostgreSQL": async (dataDirs: readonly string[]) => {
    const url = await (await sharedPostgres()).createDatabase()
    const env = { ...limits, EXECUTOR_DATABASE_URL: url, EXECUTOR_SECRET_KEY: "one key for both of the nodes" }
    return dataDirs.map((dataDir) => ({ dataDir, env }))
  },
  "one SQLite file": async ([dataDir = ""]: readonly string[]) => [1, 2].map(() => ({ dataDir, env: limits })),
}

describe.each(Object.entries(databases))("two servers on %s", (_name, optionsFor) => {
  let ledger: Ledger
  let runner: Product
  let other: Product
  const dataDirs = [1, 2].map(() => mkdtempSync(join(tmpdir(), "executor-node-")))

  beforeAll(async () => {
    ledger = await startLedger()
    const [first, second] = await optionsFor(dataDirs)
    runner = await startProduct(first)
    other = await startProduct(second)
    await runner.client.integrations.add({ slug: "ledger", kind: "openapi", config: { spec: ledger.document } })
    await runner.client.connections.create({ integration: "ledger" })
    await runner.client.policies.create({ owner: "org", pattern: "ledger.org.main.items.remove", action: "allow" })
  })
  afterAll(async () => {
    await Promise.all([runner.kill("SIGTERM"), other.kill("SIGTERM")])
    await ledger.close()
    for (const dataDir of dataDirs) rmSync(dataDir, { recursive: true })
  })

  /** Its id, once the other server can see it. */
  async function start(code: string) {
    const reply = runner.client.run(code)
    const find = async () => (await other.client.executions.list({ status: "running" })).items[0]?.executionId
    await expect.poll(find).toBeDefined()
    return { id: (await find()) ?? "", reply }
  }
  const msUntil = async (isTrue: () => boolean): Promise<number> => {
    const sinceMs = performance.now()
    await expect.poll(isTrue, { interval: 2 }).toBe(true)
    return performance.now() - sinceMs
  }

  test("what one cancels stops on the other at once: its code, and the request that it waits for", async () => {
    const { id, reply } = await start(`
      for (let n = 0; n < 5; n += 1) await tools.ledger.items.get({ name: "early" + n, delay: 50 })
      await tools.ledger.items.get({ name: "open", delay: 30_000 })
      return (await tools.ledger.items.get({ name: "late" })).ok`)
    await expect.poll(() => ledger.underWay()).toContain("open")
    expect((await other.client.executions.cancel(id)).status).toBe("cancelled")
    const ms = await msUntil(() => ledger.underWay().length === 0)
    expect(ms).toBeLessThan(soonMs)
    expect((await reply).status).toBe("cancelled")
    expect(ledger.entries.map((entry) => entry.name)).not.toContain("late")
  })

  test("what a human answers on one reaches the code that goes on on the other", async () => {
    const { id, reply } = await start(`
      let made
      tools.ledger.items.create({ name: "asked" }).then((result) => (made = result.ok))
      while (made === undefined) await new Promise((next) => setTimeout(next, 50))
      return made`)
    const find = async () => (await other.client.approvals.list()).items.find((approval) => approval.executionId === id)
    await expect.poll(find).toBeDefined()
    const sinceMs = performance.now()
    await other.client.approvals.answer((await find())?.approvalId ?? "", { action: "accept" })
    expect((await reply).structured).toMatchObject({ status: "completed", result: true })
    expect(performance.now() - sinceMs).toBeLessThan(soonMs)
    expect(ledger.entries.filter((entry) => entry.name === "asked")).toHaveLength(1)
  })

  test("an answer that comes while the code pauses is acted upon once, and whoever waits learns the same end", async () => {
    for (let n = 0; n < 12; n += 1) {
      const name = `pausing${n}`
      // Its row is stored with the question; it pauses within the next moments.
      const reply = runner.client.run(`
        const made = tools.ledger.items.create({ name: "${name}" })
        await new Promise((next) => setTimeout(next, ${n * 4}))
        return (await made).data.name`)
      const find = async () => (await other.client.approvals.list()).items.find(({ args }) => JSON.stringify(args).includes(`"${name}"`))
      await expect.poll(find, { interval: 1 }).toBeDefined()
      const answered = await other.client.approvals.answer((await find())?.approvalId ?? "", { action: "accept" })
      expect(answered.structured).toMatchObject({ status: "completed", result: name })
      const first = await reply
      // Whoever ran it has answered with the pause, or with the end if it heard of the answer before.
      expect([first.status, first.executionId]).toEqual([expect.stringMatching(/^(?:paused|completed)$/), answered.executionId])
      expect(ledger.entries.filter((entry) => entry.name === name)).toHaveLength(1)
    }
  })

  test("one tells the calls of what runs on the other as they are recorded, and then its pause and its end", async () => {
    const { id, reply } = await start(`
      await tools.ledger.items.get({ name: "before", delay: 60_000 })
      await Promise.all([tools.ledger.items.get({ name: "slow", delay: 60_000 }), tools.ledger.items.get({ name: "quick" })])
      return (await tools.ledger.items.create({ name: "told" })).ok`)
    const following = await followEvents(other, id)
    ledger.release("before")
    const events: ExecutionEvent[] = []
    for await (const event of following) {
      // As it happens, not all at its end: the slow one is answered once the quick one was sent.
      if (events.push(event) === 2) ledger.release("slow")
    }
    const paused = await reply
    const told = (name: string, status: string) => ({ type: "call", call: { args: { name }, status } })
    expect(events).toMatchObject([
      told("before", "done"),
      told("quick", "done"),
      told("slow", "done"),
      told("told", "waiting"),
      { type: "pause", reply: { status: "paused", executionId: id } },
    ])

    // Taken up on the other one, and followed where it ran before.
    const ended = other.client.resume(paused.executionId, { action: "accept" })
    expect((await ended).structured).toMatchObject({ status: "completed", result: true })
    const last: ExecutionEvent[] = []
    for await (const event of runner.client.executions.events(id)) last.push(event)
    expect(last).toEqual([{ type: "end", reply: await ended }])
  })

  test("a write is told when it starts and when it is done; whoever leaves is told nothing more", async () => {
    const { id, reply } = await start(`
      await tools.ledger.items.get({ name: "first", delay: 60_000 })
      await tools.ledger.items.remove({ name: "written", delay: 60_000 })
      return 1`)
    const left: ExecutionEvent[] = []
    const [early, whole] = [await followEvents(other, id), await followEvents(other, id)]
    ledger.release("first")
    const leaving = (async () => {
      for await (const event of early) {
        left.push(event)
        if (left.length === 2) return
      }
    })()
    const events: ExecutionEvent[] = []
    for await (const event of whole) {
      if (events.push(event) < 2) continue
      await leaving
      ledger.release("written")
    }
    const states = (all: readonly ExecutionEvent[]) => all.map((event) => (event.type === "call" ? event.call.status : event.type))
    expect(states(left)).toEqual(["done", "started"])
    expect(states(events)).toEqual(["done", "started", "done", "end"])
    expect(events.at(-1)).toEqual({ type: "end", reply: await reply })
  })
})
