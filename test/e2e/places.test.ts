// Two processes on one PostgreSQL: the calls of a concurrency group on both of them, and what a process that is killed held.
import { spawn } from "node:child_process"
import type { ChildProcess } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { Client } from "pg"
import { afterAll, beforeAll, expect, test } from "vitest"
import type { NodeRequest } from "../../src/engine/testing/node-program.ts"
import { putLimitedTools } from "../../src/engine/testing/limited-source.ts"
import { openPostgresStore } from "../../src/store/postgres.ts"
import type { Store } from "../../src/store/store.ts"
import { startLedger } from "../servers/ledger.ts"
import type { Ledger } from "../servers/ledger.ts"
import { sharedPostgres } from "../servers/postgres.ts"

const program = fileURLToPath(new URL("../../src/engine/testing/node-program.ts", import.meta.url))
const leaseMs = 3000

let ledger: Ledger
let databaseUrl: string
let store: Store
let client: Client
const children: ChildProcess[] = []

beforeAll(async () => {
  ledger = await startLedger()
  databaseUrl = await (await sharedPostgres()).createDatabase()
  store = await openPostgresStore({ url: databaseUrl })
  client = new Client({ connectionString: databaseUrl })
  await client.connect()
})
afterAll(async () => {
  for (const child of children) child.kill("SIGKILL")
  await client.end()
  await store.close()
  await ledger.close()
})

async function startNode() {
  const child = spawn(process.execPath, [program, databaseUrl, ledger.url, String(leaseMs)], { stdio: ["pipe", "pipe", "inherit"] })
  children.push(child)
  const replies: string[] = []
  const lines = createInterface(child.stdout)
  await once(lines, "line")
  lines.on("line", (line) => void replies.push(line))
  return {
    replies,
    kill: () => child.kill("SIGKILL"),
    run(request: NodeRequest): void {
      child.stdin.write(`${JSON.stringify(request)}\n`)
    },
  }
}

async function newTenant(name: string, max: number): Promise<string> {
  await store.tenants.ensure({ tenant: name, id: "alice", name: "Alice", roles: ["member"] })
  await putLimitedTools(store, { tenant: name, user: "alice" }, [
    { name: "call", execution: { concurrency_group: "crm", max_concurrency: max } },
  ])
  return name
}

const callOf = (name: string): string => `return (await tools.shop.call({ name: "${name}" })).data?.name`
const haveRows = (table: string, tenant: string, count: number) =>
  expect
    .poll(async () => (await client.query(`select 1 from ${table} where tenant_id = $1`, [tenant])).rowCount, { timeout: 30_000 })
    .toBe(count)
/** So many calls of the tenant run or wait. */
const havePlaces = (tenant: string, count: number) => haveRows("call_places", tenant, count)
const areUnderWay = (...names: string[]) => expect.poll(() => ledger.underWay(), { timeout: 30_000 }).toEqual(names)

test("calls of one group on two nodes run in their order, never more at a time than the group allows", async () => {
  const tenant = await newTenant("order", 2)
  const [one, two] = [await startNode(), await startNode()]
  const names = ["a", "b", "c", "d", "e", "f"]
  for (const [index, name] of names.entries()) {
    const node = index % 2 === 0 ? one : two
    node.run({ tenant, code: callOf(name) })
    await havePlaces(tenant, index + 1)
  }
  for (let index = 0; index < names.length; index += 1) {
    await areUnderWay(...names.slice(index, index + 2))
    ledger.release(names[index] ?? "")
  }
  await havePlaces(tenant, 0)
  await expect.poll(() => [one.replies.length, two.replies.length], { timeout: 30_000 }).toEqual([3, 3])
  for (const reply of [...one.replies, ...two.replies]) expect(JSON.parse(reply)).toMatchObject({ status: "completed" })
  expect(ledger.entries.map(({ name }) => name)).toEqual(names)
})

test("a node that is killed frees its places: who waits on another node runs, and what it left is repeated behind them", async () => {
  const tenant = await newTenant("killed", 1)
  const [one, two] = [await startNode(), await startNode()]
  one.run({ tenant, code: callOf("held") })
  await areUnderWay("held")
  one.run({ tenant, code: callOf("queued") })
  await havePlaces(tenant, 2)
  two.run({ tenant, code: callOf("next") })
  await havePlaces(tenant, 3)
  // What is not stored yet when its node dies is gone with it.
  await haveRows("executions", tenant, 3)
  one.kill()
  await areUnderWay("next")
  ledger.release("next")
  await expect.poll(() => two.replies.length, { timeout: 30_000 }).toBe(1)
  // Both executions of the dead node go on elsewhere, still one at a time.
  const left = new Set(["held", "queued"])
  while (left.size > 0) {
    const repeated = (): string[] => ledger.underWay().filter((name) => left.has(name))
    await expect.poll(repeated, { timeout: 30_000 }).toHaveLength(1)
    const [name = ""] = repeated()
    left.delete(name)
    ledger.release(name)
  }
  expect(
    ledger.entries
      .slice(-4)
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual(["held", "held", "next", "queued"])
  await havePlaces(tenant, 0)
})
