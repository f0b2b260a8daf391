// Ctrl-C stops what a command waits for, and what is left behind is said; a program that never answers is given up in time.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { openCli } from "./cli-run.ts"
import type { Cli, CliRun } from "./cli-run.ts"
import { hasTerminal, openTerminal } from "./cli-terminal.ts"
import { startProduct } from "./product.ts"

const mute = [process.execPath, join(import.meta.dirname, "..", "servers", "mcp-stubborn.ts"), "mute"]

const code = "await new Promise((done) => setTimeout(done, 60_000)); return 1"

/** Starts commands in the background, and interrupts the last of them when all say that they run. */
const interrupt = (cli: Cli, dataDir: string, count = 1): Promise<CliRun> =>
  cli.type(`cd '${dataDir}'
    for n in $(seq ${count}); do executor run - <<< '${code}' 2> err$n & pids[n]=$!; done
    for n in $(seq ${count}); do until grep -q Running err$n; do sleep 0.1; done; done
    kill -INT \${pids[${count}]}; wait \${pids[${count}]}; ended=$?
    cat err${count}; kill \${pids[@]} 2> /dev/null; exit $ended`)

test("on the server", async () => {
  const product = await startProduct()
  onTestFinished(() => product.stop())
  const run = await interrupt(openCli(product.dataDir), product.dataDir)
  expect(run).toMatchObject({ code: 1, stdout: expect.stringContaining("Stopping the execution") })
  expect((await product.client.executions.list()).items).toMatchObject([{ status: "cancelled" }])
})

test("of two with the same code none is guessed", async () => {
  const product = await startProduct()
  onTestFinished(() => product.stop())
  const run = await interrupt(openCli(product.dataDir), product.dataDir, 2)
  expect(run).toMatchObject({ code: 130, stdout: expect.stringContaining("executor executions cancel <id>") })
  const { items } = await product.client.executions.list()
  expect(items).toMatchObject([{ status: "running" }, { status: "running" }])
  for (const { executionId } of items) await product.client.executions.cancel(executionId)
})

test("in its own process", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "executor-interrupt-"))
  onTestFinished(() => rmSync(dataDir, { recursive: true }))
  const cli = openCli(dataDir)
  expect((await interrupt(cli, dataDir)).code).toBe(1)
  expect(await cli.json(["executions", "list"])).toMatchObject({ items: [{ status: "cancelled" }] })
})

test.skipIf(!hasTerminal)("of a program that is being connected: progress is shown, and what is left is said", async () => {
  const product = await startProduct()
  onTestFinished(() => product.stop())
  const cli = openCli(product.dataDir)
  const terminal = openTerminal(product.dataDir, ["integrations", "add", "--slug", "dead", "--", ...mute])
  await terminal.until("Connecting dead ")
  terminal.type("\u0003")
  expect(await terminal.ended).toBe(130)
  expect(terminal.shown()).toMatch(
    /Interrupted\. dead was added, but it is not connected yet\.\nTo try again, run: {2}\S*executor connections refresh dead\nTo remove it, run: {2}\S*executor integrations remove dead\n/,
  )
  expect(await cli.run(["integrations", "remove", "dead", "--yes"])).toMatchObject({ code: 0, stdout: "Removed dead\n" })
})

test("a program that never answers is given up after the start limit, and it is said how to give it longer", async () => {
  const product = await startProduct({ env: { EXECUTOR_LIMITS: JSON.stringify({ mcpServerStartMs: 2000 }) } })
  onTestFinished(() => product.stop())
  const cli = openCli(product.dataDir)
  const run = await cli.run(["integrations", "add", "--slug", "dead", "--", ...mute])
  expect(run).toMatchObject({ code: 1, stderr: expect.stringContaining("connections refresh dead") })
  const [, command] = /If it needs longer to start, run: \.(\/executor integrations update <slug> --config '[^']*')/.exec(run.stdout) ?? []
  expect(command).toBeDefined()
  const raised = await cli.type((command ?? "").replace("/executor", "executor").replace("<slug>", "dead"))
  expect(raised).toMatchObject({ code: 0, stderr: "" })
  expect(await cli.json(["integrations", "show", "dead"])).toMatchObject({ config: { timeoutSeconds: 60 } })
})
