// What a run leaves behind when its process dies.
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { localHuman } from "../../src/core/principal.ts"
import { openSqliteStores } from "../../src/store/sqlite.ts"
import { startLedger } from "../servers/ledger.ts"
import { startProduct } from "./product.ts"

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
