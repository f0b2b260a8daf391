// `npm test`: runs every check in order, shows what failed, and ends with the line `N passed, N failed`.
import { spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

type Count = { passed: number; failed: number }

const scratch = mkdtempSync(join(tmpdir(), "executor-test-"))
const report = join(scratch, "vitest.json")
const only = process.argv.slice(2)

const steps: readonly { name: string; command: readonly string[] }[] = [
  { name: "build", command: ["tsc", "-p", "tsconfig.build.json"] },
  { name: "types", command: ["tsc", "-p", "."] },
  { name: "lint", command: ["oxlint", "--type-aware"] },
  { name: "format", command: ["oxfmt", "--check"] },
  { name: "unused code", command: ["knip"] },
]

const total: Count = { passed: 0, failed: 0 }
for (const step of only.length > 0 ? [] : steps) {
  const isGood = await run(step.command)
  process.stdout.write(`${isGood ? "✓" : "✗"} ${step.name}\n`)
  total[isGood ? "passed" : "failed"] += 1
}
const ran = await run(["vitest", "run", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`, ...only])
const counted = countTests(ran)
rmSync(scratch, { recursive: true, force: true })
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

/** A run that ended badly without a failed test (a crash, a file that does not load) counts as one failure. */
function countTests(isGood: boolean): Count {
  try {
    const result = JSON.parse(readFileSync(report, "utf8")) as { numPassedTests: number; numFailedTests: number } // Vitest's own report
    return { passed: result.numPassedTests, failed: Math.max(result.numFailedTests, isGood ? 0 : 1) }
  } catch {
    return { passed: 0, failed: 1 }
  }
}
