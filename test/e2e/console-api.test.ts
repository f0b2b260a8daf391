// What the console reads of executions and policies: timelines, filters, tests of rules on past calls, and who may read them.
import { afterAll, beforeAll, expect, test } from "vitest"
import { createClient } from "../../src/surfaces/client/index.ts"
import type { Client } from "../../src/surfaces/client/index.ts"
import { startLedger } from "../servers/ledger.ts"
import type { Ledger } from "../servers/ledger.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"

let ledger: Ledger
let product: Product
let robot: Client

beforeAll(async () => {
  ledger = await startLedger()
  product = await startProduct()
  await product.client.integrations.add({ slug: "ledger", kind: "openapi", config: { spec: ledger.document } })
  await product.client.connections.create({ integration: "ledger" })
  await product.client.users.create({ id: "robot", name: "Robot", roles: ["member"], service: true })
  const { token } = await product.client.tokens.create({ name: "robot", kind: "agent", user: "robot" })
  robot = createClient({ origin: `${product.url}/api`, token })
})
afterAll(async () => {
  await product.stop()
  await ledger.close()
})

const code = `// marker of the timeline
const read = await tools.ledger.items.get({ name: "first" })

const made = await tools.ledger.items.create({ name: "second" })
return [read.ok, made.ok]`

test("the calls of an execution have their lines, times, waits and answers, and those before a pause are replayed", async () => {
  const paused = await product.client.run(code)
  expect(paused.status).toBe("paused")
  const waiting = (await product.client.executions.calls(paused.executionId)).items
  expect(waiting).toMatchObject([
    { path: "ledger.items.get", line: 2, effect: "read", status: "done", answer: { ok: true } },
    { path: "ledger.items.create", line: 4, effect: "write", status: "waiting", endedAt: null, wait: { to: null } },
  ])
  const done = await product.client.resume(paused.executionId, { action: "accept" })
  expect(done.status).toBe("completed")
  const { items } = await product.client.executions.calls(paused.executionId)
  const [read, write] = items
  expect(read).toMatchObject({ line: 2, replayed: true, decision: "allow" })
  expect(write).toMatchObject({ line: 4, status: "done", decision: "require_approval", answer: { ok: true, data: { name: "second" } } })
  expect(write?.replayed).toBeUndefined()
  expect(Date.parse(write?.wait?.to ?? "")).toBeGreaterThanOrEqual(Date.parse(write?.wait?.from ?? ""))
  expect(Date.parse(write?.endedAt ?? "")).toBeGreaterThanOrEqual(Date.parse(write?.startedAt ?? ""))
  const first = await product.client.executions.calls(paused.executionId, { limit: 1 })
  const second = await product.client.executions.calls(paused.executionId, { limit: 1, cursor: first.nextCursor ?? "" })
  expect([first.items[0]?.key, second.items[0]?.key, second.nextCursor]).toEqual([read?.key, write?.key, null])
  await expect(robot.executions.calls(paused.executionId)).rejects.toMatchObject({ code: "not_found" })
})

test("the list of executions is filtered by tool, text and time", async () => {
  const plain = await product.client.run("return 'a plain one'")
  const ids = async (filter: Parameters<Client["executions"]["list"]>[0]): Promise<string[]> =>
    (await product.client.executions.list(filter)).items.map(({ executionId }) => executionId)
  const all = await ids({})
  expect(all).toContain(plain.executionId)
  const callers = await ids({ tool: "ledger.org.main.items.create" })
  expect(callers.length).toBe(1)
  expect(await ids({ tool: "tools.ledger.org.main.items.create" })).toEqual(callers)
  expect(await ids({ query: "MARKER of the timeline" })).toEqual(callers)
  expect(await ids({ query: plain.executionId })).toEqual([plain.executionId])
  expect(await ids({ query: "%" })).toEqual([])
  const { createdAt } = await product.client.executions.get(plain.executionId)
  expect(await ids({ since: createdAt })).toEqual([plain.executionId])
  expect(await ids({ until: createdAt })).toEqual(all.filter((id) => id !== plain.executionId))
  expect((await product.request("GET", "/executions?since=yesterday")).status).toBe(400)
})

test("rules are tested on past calls: counts, changes and rows, of recorded arguments", async () => {
  const before = await product.client.policies.backtest({ rules: [] })
  expect(before).toMatchObject({ blocked: 0, changed: {} })
  expect(before.calls).toBe(before.allowed + before.asked)
  const result = await product.client.policies.backtest({
    rules: [
      {
        id: "pol_changed",
        owner: "org",
        pattern: "ledger.items.create",
        action: "allow",
        when: [{ arg: "name", op: "eq", value: "second" }],
      },
      { owner: "org", pattern: "ledger.items.get", action: "block", when: [{ arg: "name", op: "eq", value: "first" }] },
    ],
    changedOnly: true,
  })
  expect(result).toMatchObject({ calls: before.calls, blocked: 1, changed: { "ask→allow": 1, "allow→block": 1 } })
  expect(result.rows).toMatchObject([
    { path: "ledger.org.main.items.create", was: "require_approval", would: "allow", rule: "pol_changed" },
    { path: "ledger.org.main.items.get", was: "allow", would: "block", rule: "rules[1]" },
  ])
  const page = await product.client.policies.backtest({ rules: [], limit: 1 })
  expect(page.rows).toHaveLength(1)
  const next = await product.client.policies.backtest({ rules: [], limit: 1, cursor: page.nextCursor ?? "" })
  expect(next.rows[0]?.callKey).not.toBe(page.rows[0]?.callKey)
  expect(await product.client.policies.list()).toEqual([])
  await expect(robot.policies.backtest({ rules: [] })).rejects.toMatchObject({ code: "forbidden" })
})

test("patterns say how many tools they match now", async () => {
  const [short, all, none] = await product.client.policies.matches(["ledger.items.create", "ledger.**", "nothing.here"])
  expect(short).toMatchObject({ count: 1, tools: ["ledger.org.main.items.create"] })
  expect(all?.count).toBeGreaterThan(1)
  expect(none).toMatchObject({ count: 0, tools: [] })
  const many = Array.from({ length: 101 }, () => "ledger.**")
  await expect(product.client.policies.matches(many)).rejects.toMatchObject({ code: "invalid_request" })
  await expect(robot.policies.matches(["ledger.**"])).rejects.toMatchObject({ code: "forbidden" })
})
