// What `npm pack` gives works when it is installed elsewhere.
import { execFile } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, expect, test } from "vitest"

const root = join(import.meta.dirname, "..", "..")
const scratch = mkdtempSync(join(tmpdir(), "executor-package-"))
const home = join(scratch, "home")
const bin = join(scratch, "elsewhere", "node_modules", ".bin", "executor")
const run = promisify(execFile)
let files: string[] = []

beforeAll(async () => {
  const stage = join(scratch, "stage")
  const installed = join(scratch, "elsewhere", "node_modules", "executor")
  for (const folder of [stage, installed, home, join(bin, "..")]) mkdirSync(folder, { recursive: true })
  await build(join(stage, "dist"))
  for (const name of ["package.json", "bin", "README.md", "LICENSE", "scripts"])
    cpSync(join(root, name), join(stage, name), { recursive: true })
  // What `prepack` does is done here, away from the build and the manifest that other tests use.
  await run(process.execPath, [join(stage, "scripts", "pack-manifest.ts"), "strip"])
  const { stdout } = await run("npm", ["pack", "--ignore-scripts", "--json"], { cwd: stage, env: { ...process.env, HOME: home } })
  const [packed] = JSON.parse(stdout) as [{ filename: string; files: { path: string }[] }] // npm's own report
  files = packed.files.map((one) => one.path)
  await run("tar", ["-xzf", join(stage, packed.filename), "--strip-components=1", "-C", installed])
  symlinkSync(join(root, "node_modules"), join(installed, "node_modules"))
  symlinkSync(join(installed, "bin", "executor.js"), bin)
})
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

async function build(outDir: string): Promise<void> {
  if (process.env["EXECUTOR_TEST_BUILT"] !== undefined) return cpSync(join(root, "dist"), outDir, { recursive: true })
  const tsc = join(root, "node_modules", ".bin", "tsc")
  const args = ["-p", join(root, "tsconfig.build.json"), "--outDir", outDir, "--tsBuildInfoFile", join(scratch, "tsbuildinfo")]
  // Types are another check's business: what was written counts here.
  await run(tsc, args).catch(() => {})
}

const executor = (...args: string[]) =>
  run(process.execPath, [bin, ...args], {
    cwd: home,
    env: { PATH: process.env["PATH"], HOME: home, EXECUTOR_DATA_DIR: join(home, "data") },
  })

test("it holds what runs, and nothing else", () => {
  expect(files).toEqual(
    expect.arrayContaining(["package.json", "bin/executor.js", "dist/index.js", "dist/index.d.ts", "dist/surfaces/cli/main.js"]),
  )
  expect(files.filter((path) => !/^(package\.json|README\.md|LICENSE|bin\/|dist\/)/.test(path))).toEqual([])
  expect(files.filter((path) => /(\.test\.|(^|\/)testing|tsbuildinfo)/.test(path))).toEqual([])
})

test("it leaves the clone's own Node.js out, and the clone gets its manifest back", async () => {
  const packed = readFileSync(join(scratch, "elsewhere", "node_modules", "executor", "package.json"), "utf8")
  expect(packed).not.toContain("node-linux")
  await run(process.execPath, [join(scratch, "stage", "scripts", "pack-manifest.ts"), "restore"])
  expect(readFileSync(join(scratch, "stage", "package.json"), "utf8")).toBe(readFileSync(join(root, "package.json"), "utf8"))
})

test("its binary says its version and calls a tool", async () => {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string } // our own manifest
  expect((await executor("--version")).stdout).toBe(`${version}\n`)
  expect((await executor("--help")).stdout).toContain("Usage: executor")
  expect(JSON.parse((await executor("call", "executor.coreTools.integrations.list")).stdout)).toEqual({ items: [], nextCursor: null })
})
