// A server that is told to stop answers whoever waits, and what it ran goes on as soon as the next one is there.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { startLedger } from "../servers/ledger.ts"
import type { Ledger } from "../servers/ledger.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"

let ledger: Ledger
let server: Product
const dataDir = mkdtempSync(join(tmpdir(), "executor-shutdown-"))
// A lease that nobody lets go of would outlast the test.
const env = { EXECUTOR_LIMITS: JSON.stringify({ leaseMs: 600_000, shutdownGraceMs: 6000 }) }

beforeAll(async () => {
  ledger = await startLedger()
  server = await startProduct({ dataDir, env })
  await server.client.integrations.add({ slug: "ledger", kind: "openapi", config: { spec: ledger.document } })
  await server.client.connections.create({ integration: "ledger" })
})
afterAll(async () => {
  await server.stop()
  await ledger.close()
  rmSync(dataDir, { recursive: true, force: true })
})

const names = (): string[] => ledger.entries.map(({ name }) => name)

test("who waits is told that the execution is kept, and the next server goes on with it at once", async () => {
  const code = `
    const made = await tools.ledger.items.create({ name: "under way", delay: 4000 })
    await tools.ledger.items.get({ name: "after", delay: 3000 })
    return made.ok`
  const waiting = server.request("POST", "/executions", { code, autoApprove: true })
  await expect.poll(names).toContain("under way")
  await server.kill("SIGTERM")
  const { status, body } = await waiting
  expect(status).toBe(500)
  const { message } = (body as { error: { message: string } }).error // an error's body
  expect(message).toMatch(/^The server is stopping\. Execution exe_\S+ is kept and continues when a server starts$/)

  server = await startProduct({ dataDir, env })
  const id = message.match(/exe_\S+/)?.[0] ?? ""
  await expect.poll(async () => (await server.client.executions.get(id)).status).toBe("completed")
  // The write was under way when the code was ended, and was still waited for.
  expect((await server.client.executions.get(id)).structured).toMatchObject({ result: true })
  expect(names().filter((name) => name === "under way")).toHaveLength(1)
})
