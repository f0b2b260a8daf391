// The event stream of the whole server, on two nodes of one database: who is told what, and how a reader goes on.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { createClient } from "../../src/surfaces/client/index.ts"
import type { Client, ExecutionReply, LiveEvent } from "../../src/surfaces/client/index.ts"
import { startLedger } from "../servers/ledger.ts"
import type { Ledger } from "../servers/ledger.ts"
import { sharedPostgres } from "../servers/postgres.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"

const databases = {
  "one PostgreSQL": async (dataDirs: readonly string[]) => {
    const url = await (await sharedPostgres()).createDatabase()
    const env = { EXECUTOR_DATABASE_URL: url, EXECUTOR_SECRET_KEY: "one key for both of the nodes" }
    return dataDirs.map((dataDir) => ({ dataDir, env }))
  },
  "one SQLite file": async ([dataDir = ""]: readonly string[]) => [1, 2].map(() => ({ dataDir })),
}

describe.each(Object.entries(databases))("two servers on %s", (_name, optionsFor) => {
  let ledger: Ledger
  let here: Product
  let other: Product
  let member: Client
  let agent: Client
  const dataDirs = [1, 2].map(() => mkdtempSync(join(tmpdir(), "executor-events-")))
  const followed: Followed[] = []
  const follow = async (client: Client, after?: string): Promise<Followed> => {
    const following = await openFollowed(client, after)
    followed.push(following)
    return following
  }

  beforeAll(async () => {
    ledger = await startLedger()
    const nodes = await optionsFor(dataDirs)
    here = await startProduct(nodes[0])
    other = await startProduct(nodes[1])
    await here.client.integrations.add({ slug: "ledger", kind: "openapi", config: { spec: ledger.document } })
    await here.client.connections.create({ integration: "ledger" })
    const own = await here.client.tokens.create({ name: "agent", kind: "agent" })
    agent = createClient({ origin: `${here.url}/api`, token: own.token })
    const service = await here.client.users.create({ id: "robot", name: "Robot", roles: ["member"], service: true })
    const robot = await here.client.tokens.create({ name: "robot", kind: "agent", user: service.id })
    member = createClient({ origin: `${here.url}/api`, token: robot.token })
  })
  afterAll(async () => {
    followed.forEach(({ stop }) => stop())
    await Promise.all([here.kill("SIGTERM"), other.kill("SIGTERM")])
    await ledger.close()
    for (const dataDir of dataDirs) rmSync(dataDir, { recursive: true })
  })

  test("what happens on one node is told on both: executions, approvals, and administration", async () => {
    const [near, far] = [await follow(here.client), await follow(other.client)]
    const paused = await here.client.run(`return (await tools.ledger.items.create({ name: "live" })).data.name`)
    const approvalId = approvalOf(paused)
    for (const reader of [near, far]) {
      await reader.until({ type: "execution.started", executionId: paused.executionId })
      await reader.until({ type: "approval.opened", approvalId, executionId: paused.executionId })
    }
    await other.client.approvals.answer(approvalId, { action: "accept" })
    for (const reader of [near, far]) {
      await reader.until({ type: "approval.answered", approvalId })
      await reader.until({ type: "execution.ended", executionId: paused.executionId, status: "completed" })
    }
    const rule = await other.client.policies.create({ owner: "org", pattern: "ledger.nothing", action: "block" })
    for (const reader of [near, far]) await reader.until({ type: "policies.changed", action: "policy.create" })
    await here.client.policies.remove(rule.id)
    await here.client.connections.refresh({ integration: "ledger", owner: "org", name: "main" })
    for (const reader of [near, far])
      await reader.until({ type: "catalog.changed", action: "connection.refresh", subject: "ledger.org.main" })
  })

  test("an agent is told of its own executions, and of nobody else's, nor of what is administered", async () => {
    const [own, robot, admin] = [await follow(agent), await follow(member), await follow(here.client)]
    await here.client.run("return 1")
    const paused = await agent.run(`return (await tools.ledger.items.create({ name: "own" })).ok`)
    await here.client.policies.create({ owner: "org", pattern: "ledger.secret", action: "block" })
    const last = await member.run(`return (await tools.ledger.items.create({ name: "last" })).ok`)
    await admin.until({ type: "approval.opened", executionId: last.executionId })
    await own.until({ type: "approval.opened", executionId: paused.executionId })
    await robot.until({ type: "approval.opened", executionId: last.executionId })
    const executionsOf = ({ events }: Followed): (string | null | undefined)[] => [
      ...new Set(events.flatMap((event) => ("executionId" in event ? [event.executionId] : []))),
    ]
    expect(executionsOf(own)).toEqual([paused.executionId])
    expect(executionsOf(robot)).toEqual([last.executionId])
    expect([...own.events, ...robot.events].filter(({ type }) => type === "policies.changed")).toEqual([])
    await Promise.all([paused, last].map(({ executionId }) => here.client.executions.cancel(executionId)))
  })

  test("a reader that was away goes on where it was, on either node where the order is the same", async () => {
    const [first, beside] = [await follow(here.client), await follow(other.client)]
    const mark = await here.client.policies.create({ owner: "org", pattern: "ledger.mark", action: "block" })
    const seen = await first.until({ type: "policies.changed", action: "policy.create" })
    await beside.until({ id: seen.id })
    first.stop()
    const away = await here.client.run("return 2")
    await here.client.policies.remove(mark.id)
    const back = await follow(here.client, seen.id)
    expect(back.events[0]).toEqual({ id: seen.id, type: "ready" })
    await back.until({ type: "execution.ended", executionId: away.executionId })
    await back.until({ type: "policies.changed", action: "policy.remove" })
    const elsewhere = await follow(other.client, seen.id)
    expect(elsewhere.events[0]?.type).toBe("ready")
    await elsewhere.until({ type: "execution.ended", executionId: away.executionId })
  })

  test("whoever names an event that nobody knows is told to read everything again", async () => {
    const lost = await follow(here.client, "evt_unknown")
    expect(lost.events[0]?.type).toBe("reset")
    const tooLong = await fetch(`${here.url}/api/events`, {
      headers: { authorization: `Bearer ${here.token}`, "last-event-id": "x".repeat(5000) },
    })
    expect([tooLong.status, await tooLong.json()]).toMatchObject([400, { error: { code: "invalid_request" } }])
  })
})

const approvalOf = ({ structured }: ExecutionReply): string =>
  structured.status === "waiting_for_interaction" ? (structured.interactions[0]?.approvalId ?? "") : ""

type Followed = {
  readonly events: LiveEvent[]
  /** The first event that has these fields, also of those before. */
  until(fields: Record<string, unknown>): Promise<LiveEvent>
  stop(): void
}

/** Once the first event was read. */
async function openFollowed(client: Client, after?: string): Promise<Followed> {
  const abort = new AbortController()
  const events: LiveEvent[] = []
  const waiting = new Set<() => void>()
  const begun = Promise.withResolvers<void>()
  const reading = (async () => {
    for await (const event of client.events.follow({ signal: abort.signal, ...(after === undefined ? {} : { after }) })) {
      events.push(event)
      begun.resolve()
      waiting.forEach((look) => look())
    }
  })()
  reading.catch(begun.reject)
  await begun.promise
  return {
    events,
    until: (fields) =>
      new Promise((resolve) => {
        const look = (): void => {
          const found = events.find((event) => Object.entries(fields).every(([name, value]) => Reflect.get(event, name) === value))
          if (found !== undefined && waiting.delete(look)) resolve(found)
        }
        waiting.add(look)
        look()
      }),
    stop: () => abort.abort(),
  }
}
