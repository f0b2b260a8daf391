// A token that is revoked leaves nothing behind that acts in its name, wherever and whenever its executions run.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { startLedger } from "../servers/ledger.ts"
import type { Ledger } from "../servers/ledger.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"

let ledger: Ledger
let first: Product
let second: Product
const dataDir = mkdtempSync(join(tmpdir(), "executor-revoke-"))

beforeAll(async () => {
  ledger = await startLedger()
  const env = { EXECUTOR_LIMITS: JSON.stringify({ leaseMs: 600_000 }) }
  first = await startProduct({ dataDir, env })
  second = await startProduct({ dataDir, env })
  await first.client.integrations.add({ slug: "ledger", kind: "openapi", config: { spec: ledger.document } })
  await first.client.connections.create({ integration: "ledger" })
})
afterAll(async () => {
  await second.kill("SIGTERM")
  await first.stop()
  await ledger.close()
  rmSync(dataDir, { recursive: true, force: true })
})

const writes = (prefix: string): string[] =>
  ledger.entries.flatMap(({ method, name }) => (method === "POST" && name.startsWith(prefix) ? [name] : []))

const newAgent = (name: string): Promise<{ id: string; token: string }> => first.client.tokens.create({ name, kind: "agent" })

/** Whoever reads it later must not look for a human who cancelled it. */
const revoked = {
  status: "cancelled",
  structured: { error: { code: "cancelled", message: expect.stringMatching(/its token was revoked/) } },
}

test("what is not stored yet is cancelled too", async () => {
  await first.client.policies.create({ owner: "org", pattern: "ledger.**", action: "allow" })
  const agent = await newAgent("early")
  const code = `await tools.ledger.items.get({ name: "early", delay: 60_000 }); return await tools.ledger.items.create({ name: "early" })`
  const running = first.request("POST", "/executions", { code }, agent.token)
  await expect.poll(() => ledger.underWay(), { interval: 1 }).toContain("early")
  await first.client.tokens.remove(agent.id)
  expect((await running).body).toMatchObject(revoked)
  expect(writes("early")).toEqual([])
})

test("a node that did not hear of the revocation itself calls nothing more for that token", async () => {
  const agent = await newAgent("elsewhere")
  const code = `
    for (let index = 0; ; index++) {
      await tools.ledger.items.create({ name: "elsewhere" + index })
      await new Promise((next) => setTimeout(next, 50))
    }`
  const running = first.request("POST", "/executions", { code }, agent.token)
  await expect.poll(() => writes("elsewhere").length).toBeGreaterThan(1)
  await second.client.tokens.remove(agent.id)
  const before = writes("elsewhere").length
  expect((await running).body).toMatchObject(revoked)
  // One may have been under way.
  expect(writes("elsewhere").length).toBeLessThanOrEqual(before + 1)
})
