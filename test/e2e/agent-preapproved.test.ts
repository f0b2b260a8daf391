// Whoever approves the calls of their code beforehand does not approve what agents make of it: those calls ask, and nothing is written.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { createExecutor } from "../../src/preset/local.ts"
import type { Executor } from "../../src/preset/local.ts"
import { create, startAgents } from "./agent-maker.ts"
import type { AgentBench } from "./agent-maker.ts"
import { openCli } from "./cli-run.ts"
import type { Cli } from "./cli-run.ts"

let bench: AgentBench
let cli: Cli
let executor: Executor
const dataDir = mkdtempSync(join(tmpdir(), "executor-preapproved-"))
beforeAll(async () => {
  bench = await startAgents()
  await bench.agent("keeper")
  cli = openCli(bench.product.dataDir)
  executor = await createExecutor({ dataDir })
  await executor.integrations.add({ slug: "ledger", kind: "openapi", config: { spec: bench.ledger.document } })
  await executor.connections.create({ integration: "ledger" })
  await executor.models.providers.create({ id: "local", kind: "openai_compatible", baseUrl: bench.model.baseUrl })
  const model = { provider: "local", name: "scripted" }
  const { id } = await executor.agents.create({ slug: "keeper", name: "Keeper", instructions: "Keep it.", model, tools: ["ledger.**"] })
  await executor.agents.publish(id)
})
afterAll(async () => {
  await executor.close()
  await bench.stop()
  rmSync(dataDir, { recursive: true })
})

const writes = (name: string): void =>
  bench.model.script(({ outputs }) =>
    outputs.length === 0 ? { calls: [{ name: create, arguments: { name } }] } : { text: `Told: ${outputs[0]?.text ?? ""}` },
  )
const written = (name: string): number => bench.ledger.entries.filter((entry) => entry.name === name && entry.method === "POST").length

/** What waits on the server, by what it would write. */
const waiting = async (name: string) =>
  (await bench.product.client.approvals.list()).items.filter(({ args }) => (args as { readonly name?: unknown }).name === name)

test("executor run --yes", async () => {
  writes("by_run")
  const code = `await tools.ledger.items.create({ name: "own" }); return await tools.agents.keeper({ text: "Write it." })`
  const { code: exit, stderr } = await cli.run(["run", "--yes", "-"], { stdin: code })
  expect({ exit, stderr }).toMatchObject({ exit: 3 })
  // What the code itself calls is approved.
  expect([written("own"), written("by_run")]).toEqual([1, 0])
  expect(await waiting("by_run")).toMatchObject([{ address: "tools.ledger.org.main.items.create", path: ["agents.keeper"] }])
})

test("executor call --yes", async () => {
  writes("by_call")
  expect((await cli.run(["call", "agents.keeper", "text=Write it.", "--yes"])).code).toBe(3)
  expect(written("by_call")).toBe(0)
  expect(await waiting("by_call")).toHaveLength(1)
})

test('execute with approve: "auto", over HTTP and in a process', async () => {
  for (const [name, api] of [
    ["over_http", bench.product.client],
    ["in_process", executor],
  ] as const) {
    writes(name)
    expect(await api.execute("ledger.items.create", { name: `${name}_own` }, { approve: "auto" })).toMatchObject({ ok: true })
    expect(JSON.stringify(await api.execute("agents.keeper", { text: "Write it." }, { approve: "auto" }))).toContain("approval_required")
    expect([written(`${name}_own`), written(name)]).toEqual([1, 0])
  }
})
