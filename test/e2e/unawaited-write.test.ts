// What a run leaves behind when it is taken away, or when its process dies.
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { localHuman } from "../../src/core/principal.ts"
import { openSqliteStores } from "../../src/store/sqlite.ts"
import { startLedger } from "../servers/ledger.ts"
import { startProduct } from "./product.ts"

test("another node takes the execution between two calls: the write behind it never starts", async () => {
  const ledger = await startLedger()
  const product = await startProduct({ env: { EXECUTOR_LIMITS: JSON.stringify({ leaseMs: 3000 }) } })
  const stores = await openSqliteStores({ path: join(product.dataDir, "executor.db") })
  onTestFinished(async () => {
    await stores.executions.close()
    await stores.store.close()
    await product.kill("SIGKILL")
    await product.stop()
    await ledger.close()
  })
  await product.client.integrations.add({ slug: "ledger", kind: "openapi", config: { spec: ledger.document } })
  await product.client.connections.create({ integration: "ledger" })
  await product.client.policies.create({ owner: "org", pattern: "ledger.**", action: "allow" })
  const code = `await tools.ledger.items.get({ name: "slow", delay: 60_000 }); return (await tools.ledger.items.create({ name: "late" })).ok`
  // Its answer would come when the other node has brought it to its end, which it never does here.
  product.client.run(code).catch(() => {})

  await expect.poll(() => ledger.underWay()).toContain("slow")
  await expect.poll(async () => (await product.client.executions.list({ status: "running" })).items).toHaveLength(1)
  const [running] = (await product.client.executions.list({ status: "running" })).items
  const who = { tenant: localHuman.tenant, user: null, tokenId: null }
  const row = await stores.executions.executions.get(who, running?.executionId ?? "")
  if (row === null) throw new Error("It is not stored")
  const until = new Date(Date.now() + 60_000).toISOString()
  expect(await stores.executions.executions.claim(row, { owner: "another node", until })).toBe(true)

  // At its next renewal the product learns of it, and breaks the request off.
  await expect.poll(() => ledger.underWay()).toEqual([])
  expect(ledger.entries.map((entry) => entry.name)).toEqual(["slow"])
})

test("a read that was broken off because the run was taken is read again", async () => {
  const ledger = await startLedger()
  const product = await startProduct({ env: { EXECUTOR_LIMITS: JSON.stringify({ leaseMs: 900 }) } })
  const stores = await openSqliteStores({ path: join(product.dataDir, "executor.db") })
  onTestFinished(async () => {
    await stores.executions.close()
    await stores.store.close()
    await product.stop()
    await ledger.close()
  })
  await product.client.integrations.add({ slug: "ledger", kind: "openapi", config: { spec: ledger.document } })
  await product.client.connections.create({ integration: "ledger" })
  const running = product.client.run(`return (await tools.ledger.items.get({ name: "slow", delay: 60_000 })).ok`)
  await expect.poll(() => ledger.underWay()).toContain("slow")
  await expect.poll(async () => (await product.client.executions.list({ status: "running" })).items).toHaveLength(1)
  const [one] = (await product.client.executions.list({ status: "running" })).items
  const row = await stores.executions.executions.get({ tenant: localHuman.tenant, user: null, tokenId: null }, one?.executionId ?? "")
  if (row === null) throw new Error("It is not stored")
  // A node that took it and died at once: the product finds it again.
  await stores.executions.executions.claim(row, { owner: "another node", until: new Date(0).toISOString() })
  await expect.poll(() => ledger.entries.map((entry) => entry.name)).toEqual(["slow", "slow"])
  ledger.release("slow")
  expect((await running).structured).toMatchObject({ status: "completed", result: true })
  expect(ledger.entries).toHaveLength(2)
})

test("a write that code did not wait for is uncertain once its process has died", async () => {
  const ledger = await startLedger()
  const env = { EXECUTOR_LIMITS: JSON.stringify({ callTimeoutMs: 30_000 }) }
  const before = await startProduct({ env })
  await before.client.integrations.add({ slug: "ledger", kind: "openapi", config: { spec: ledger.document } })
  await before.client.connections.create({ integration: "ledger" })
  await before.client.policies.create({ owner: "org", pattern: "ledger.**", action: "allow" })
  const running = before.client.run(
    `const made = tools.ledger.items.create({ name: "left", delay: 60_000 })
    await Promise.race([made, tools.ledger.items.get({ name: "until", delay: 60_000 })])
    return "gone"`,
  )
  await expect.poll(() => ledger.underWay()).toEqual(expect.arrayContaining(["left", "until"]))
  ledger.release("until")
  const { executionId } = await running
  // Its end is recorded a moment after it was answered.
  const stores = await openSqliteStores({ path: join(before.dataDir, "executor.db") })
  const who = { tenant: localHuman.tenant, user: null, tokenId: null }
  await expect.poll(async () => (await stores.executions.executions.get(who, executionId))?.status).toBe("completed")
  await stores.executions.close()
  await stores.store.close()
  await before.kill("SIGKILL")
  expect(ledger.entries.map((entry) => entry.name).toSorted()).toEqual(["left", "until"])
  const after = await startProduct({ dataDir: before.dataDir, env: { EXECUTOR_LIMITS: JSON.stringify({ callTimeoutMs: 1000 }) } })
  onTestFinished(async () => {
    await after.stop()
    await ledger.close()
  })
  await expect
    .poll(async () => (await after.client.executions.get(executionId)).calls)
    .toContainEqual(expect.objectContaining({ status: "done", error: expect.objectContaining({ code: "outcome_unknown" }) }))
})
