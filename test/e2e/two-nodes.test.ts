// Two servers on one PostgreSQL: what one paused the other resumes, and what one died in the other recovers.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import type { ExecutionEvent } from "../../src/core/execution.ts"
import { startLedger } from "../servers/ledger.ts"
import type { Ledger } from "../servers/ledger.ts"
import { sharedPostgres } from "../servers/postgres.ts"
import { followEvents } from "./follow-events.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"

let ledger: Ledger
let first: Product
let second: Product
const dataDirs = [mkdtempSync(join(tmpdir(), "executor-node-")), mkdtempSync(join(tmpdir(), "executor-node-"))]

beforeAll(async () => {
  ledger = await startLedger()
  const env = {
    EXECUTOR_DATABASE_URL: await (await sharedPostgres()).createDatabase(),
    EXECUTOR_SECRET_KEY: "one key for both of the nodes",
    EXECUTOR_LIMITS: JSON.stringify({ leaseMs: 3000 }),
  }
  first = await startProduct({ dataDir: dataDirs[0] ?? "", env })
  second = await startProduct({ dataDir: dataDirs[1] ?? "", env })
  await first.client.integrations.add({ slug: "ledger", kind: "openapi", config: { spec: ledger.document } })
  await first.client.connections.create({ integration: "ledger" })
})
afterAll(async () => {
  await Promise.all([first.kill("SIGKILL"), second.kill("SIGTERM")])
  await ledger.close()
  for (const dataDir of dataDirs) rmSync(dataDir, { recursive: true })
})

const writes = (): string[] => ledger.entries.filter((entry) => entry.method === "POST").map((entry) => entry.name)

test("what one node paused, the other resumes, and both tell the same", async () => {
  const paused = await first.client.run(`return (await tools.ledger.items.create({ name: "shared" })).data.name`)
  expect(paused.status).toBe("paused")
  const replies = await Promise.all([
    second.client.resume(paused.executionId, { action: "accept" }),
    first.client.resume(paused.executionId, { action: "accept" }),
  ])
  for (const reply of replies) expect(reply).toMatchObject({ status: "completed", structured: { result: "shared" } })
  expect(writes()).toEqual(["shared"])
})

test("a rule made on one node binds on the other at the next call", async () => {
  const rule = await first.client.policies.create({ owner: "org", pattern: "ledger.**", action: "block" })
  await expect
    .poll(async () => (await second.client.run(`return (await tools.ledger.items.get({ name: "x" })).error?.code`)).structured)
    .toMatchObject({ result: "tool_blocked" })
  await first.client.policies.remove(rule.id)
})

test("what one node died in, the other recovers: the write under way is uncertain, and never repeated", async () => {
  const code = `
    const read = await tools.ledger.items.get({ name: "before" }).unwrap()
    const made = await tools.ledger.items.create({ name: "dying", delay: 60000 })
    return [read.name, made.ok ? "done" : made.error.code]`
  const lost = first.client.run(code, { autoApprove: true }).catch(() => null)
  await expect.poll(() => writes().includes("dying")).toBe(true)
  const find = async () => (await second.client.executions.list({ limit: 1 })).items[0]
  const following = await followEvents(second, (await find())?.executionId ?? "")
  await first.kill("SIGKILL")
  await lost
  await expect.poll(async () => (await find())?.status).toBe("completed")
  const view = await second.client.executions.get((await find())?.executionId ?? "")
  expect(view.structured).toMatchObject({ result: ["before", "outcome_unknown"] })
  expect(writes().filter((name) => name === "dying")).toEqual(["dying"])
  // Whoever followed it on the node that took it over was told what happened there.
  const followed: ExecutionEvent[] = []
  for await (const event of following) followed.push(event)
  expect(followed).toMatchObject([
    { type: "call", call: { args: { name: "dying" }, status: "done", error: { code: "outcome_unknown" } } },
    { type: "end", reply: { status: "completed" } },
  ])
})
