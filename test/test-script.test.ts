// Tests `npm test` itself: what did not run counts as failed, and the load beside it ends with it.
import { execFile, spawn } from "node:child_process"
import { join } from "node:path"
import { expect, test } from "vitest"
import { countTests } from "../scripts/test-count.ts"
import { becomes, processesWith } from "./servers/processes.ts"

const root = join(import.meta.dirname, "..")

test("a process that crashes fails every test of its file that did not run", async () => {
  const { code, stdout } = await runScript("--root", "test/fixtures/crashing")
  expect(stdout).toContain("crashing/before.case.ts\n")
  expect(stdout).toContain("crashing/amid.case.ts: comes after the crash\n")
  // Of amid.case.ts none has reported, of before.case.ts the file itself, and of whole.case.ts one passed and one failed.
  expect(stdout.trimEnd().split("\n").at(-1)).toBe("1 passed, 5 failed")
  expect(code).toBe(1)
})

test("a run without a report, a missing file and a bad end are failures", () => {
  const report = JSON.stringify({ testResults: [{ name: "/a.test.ts", assertionResults: [{ fullName: "a", status: "passed" }] }] })
  expect(countTests(null, [], true)).toMatchObject({ passed: 0, failed: 1 })
  expect(countTests(report, ["/a.test.ts", "/b.test.ts"], true)).toEqual({ passed: 1, failed: 1, notRun: ["/b.test.ts"] })
  expect(countTests(report, ["/a.test.ts"], false)).toMatchObject({ passed: 1, failed: 1 })
  expect(countTests(report, ["/a.test.ts"], true)).toEqual({ passed: 1, failed: 0, notRun: [] })
})

test("busy loops end when the process that started them is killed", async () => {
  const code = `const { startBusyLoops } = await import("./scripts/busy-loops.ts"); startBusyLoops(2); setInterval(() => {}, 1000)`
  const parent = spawn(process.execPath, ["--input-type=module", "-e", code], { cwd: root, stdio: "inherit" })
  const loops = () => processesWith(`process.argv[1])); ${parent.pid}`).length
  expect(await becomes(() => loops() === 2)).toBe(true)
  parent.kill("SIGKILL")
  expect(await becomes(() => loops() === 0)).toBe(true)
})

function runScript(...args: readonly string[]): Promise<{ code: number; stdout: string }> {
  return new Promise((resolve) => {
    const env = { ...process.env, PATH: `${join(root, "node_modules/.bin")}:${process.env["PATH"]}` }
    const child = execFile(process.execPath, ["scripts/test.ts", ...args], { cwd: root, env }, (_error, stdout) =>
      resolve({ code: child.exitCode ?? -1, stdout }),
    )
  })
}
