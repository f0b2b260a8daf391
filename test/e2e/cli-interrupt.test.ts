// Ctrl-C stops the execution that a command waits for: on the server, and in the command's own process.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { openCli } from "./cli-run.ts"
import type { Cli, CliRun } from "./cli-run.ts"
import { startProduct } from "./product.ts"

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
