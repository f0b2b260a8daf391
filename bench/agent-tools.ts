// Runs the benchmarks of the agent tool system one after the other: every file `agent-tools-*.ts` beside this one.
//
// Each is a program that prints a table, with a baseline measured in the same run and the ratio to it.
import { spawnSync } from "node:child_process"
import { readdirSync } from "node:fs"
import { join } from "node:path"

const files = readdirSync(import.meta.dirname).filter((name) => /^agent-tools-[\w-]+\.ts$/.test(name))
let failed = 0
for (const name of files) {
  process.stdout.write(`\n${name}\n`)
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, name)], { stdio: "inherit" })
  if (status !== 0) failed += 1
}
process.exitCode = failed
