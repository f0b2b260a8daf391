// `npm test`: runs every check in order, shows what failed, and ends with the line `N passed, N failed`.
//
// `npm run test:load` (`--load`) does the same beside three busy loops. Paths of test files run only those.
import { spawn } from "node:child_process"
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { startBusyLoops } from "./busy-loops.ts"
import { countTests } from "./test-count.ts"

const scratch = mkdtempSync(join(tmpdir(), "executor-test-"))
const report = join(scratch, "vitest.json")
const only = process.argv.slice(2).filter((argument) => argument !== "--load")
const loops = process.argv.includes("--load") ? startBusyLoops(3) : []

const steps: readonly { name: string; command: readonly string[] }[] = [
  { name: "build", command: ["tsc", "-p", "tsconfig.build.json"] },
  { name: "console", command: ["vite", "build", "web", "--logLevel", "warn"] },
  { name: "types", command: ["tsc", "-p", "."] },
  { name: "types of the console", command: ["tsc", "-p", "web"] },
  { name: "lint", command: ["oxlint", "--type-aware"] },
  { name: "format", command: ["oxfmt", "--check"] },
  { name: "unused code", command: ["knip"] },
]

const total = { passed: 0, failed: 0 }
for (const step of only.length > 0 ? [] : steps) {
  const isGood = await run(step.command)
  process.stdout.write(`${isGood ? "✓" : "✗"} ${step.name}\n`)
  total[isGood ? "passed" : "failed"] += 1
}
const isGood = await run(["vitest", "run", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`, ...only])
const files =
  only.length > 0
    ? []
    : globSync(["src/**/*.test.ts", "test/**/*.test.ts", "web/src/**/*.test.ts"]).map((file) => join(process.cwd(), file))
const counted = countTests(existsSync(report) ? readFileSync(report, "utf8") : null, files, isGood)
rmSync(scratch, { recursive: true, force: true })
for (const loop of loops) loop.kill("SIGKILL")
for (const name of counted.notRun) process.stdout.write(`✗ did not run: ${name}\n`)
const failed = total.failed + counted.failed
process.stdout.write(`${total.passed + counted.passed} passed, ${failed} failed\n`)
process.exit(failed === 0 ? 0 : 1)

function run([command = "", ...args]: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      stdio: ["ignore", "inherit", "inherit"],
      env: { ...process.env, NO_COLOR: "1", ...(only.length > 0 ? {} : { EXECUTOR_TEST_BUILT: "1" }) },
    })
    child.on("error", (error) => {
      process.stderr.write(`${command}: ${error.message}\n`)
      resolve(false)
    })
    child.on("exit", (code) => resolve(code === 0))
  })
}
