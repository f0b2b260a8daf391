// A run of an agent that waits for a human keeps nothing in the memory of the node that ran it.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { queryObjects } from "node:v8"
import { afterAll, expect, test } from "vitest"
import { createExecutor } from "../../src/preset/local.ts"
import { startLedger } from "../servers/ledger.ts"
import { startModelServer } from "../servers/model.ts"
import { remove } from "./agent-maker.ts"

const runs = 40
const model = await startModelServer((request) => {
  // What the model was asked is this test's memory, not the product's.
  model.requests.length = 0
  return request.outputs.length > 0 ? { text: "Done." } : { calls: [{ name: remove, arguments: { name: "paper" } }] }
})
const ledger = await startLedger()
const dataDir = mkdtempSync(join(tmpdir(), "executor-memory-"))
const executor = await createExecutor({ dataDir })
afterAll(async () => {
  await executor.close()
  await model.close()
  await ledger.close()
  rmSync(dataDir, { recursive: true })
})

/** Whatever keeps a run, or waits for something of it, has one of these. */
const timer = setTimeout(() => {}, 0)
const kinds = { AbortController, AbortSignal, Promise, Map, Set, WeakRef, Timeout: timer.constructor as new () => unknown }
type Counts = Record<keyof typeof kinds, number>

/** What is garbage is collected first. */
const counts = (): Counts =>
  Object.fromEntries(Object.entries(kinds).map(([name, kind]) => [name, queryObjects(kind, { format: "count" })])) as Counts // one for each

test(`${runs} runs that wait leave nothing behind but rows`, async () => {
  await executor.integrations.add({ slug: "ledger", kind: "openapi", config: { spec: ledger.document } })
  await executor.connections.create({ integration: "ledger" })
  await executor.models.providers.create({ id: "local", kind: "openai_compatible", baseUrl: model.baseUrl })
  const { id } = await executor.agents.create({
    slug: "keeper",
    name: "Keeper",
    instructions: "Keep the ledger.",
    model: { provider: "local", name: "scripted" },
    tools: ["ledger.**"],
  })
  await executor.agents.publish(id)
  const waiting = { first: "" }
  const pause = async (): Promise<void> => {
    for (let n = 0; n < runs; n += 1) {
      const { status, runId } = await executor.agents.run("keeper", { text: "Remove it." })
      expect(status).toBe("paused")
      waiting.first ||= runId
    }
  }
  await pause()
  const before = counts()
  await pause()
  const after = counts()
  for (const kind of Object.keys(kinds) as (keyof Counts)[])
    expect(after[kind] - before[kind], `${kind}s that ${runs} runs left`).toBeLessThan(runs / 2)
  expect(await executor.resume(waiting.first, { action: "accept" })).toMatchObject({ status: "completed" })
})
