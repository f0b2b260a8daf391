// What `npm pack` gives works when it is installed elsewhere.
import { execFile } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, expect, test } from "vitest"
import { installPacked } from "./packed.ts"

const root = join(import.meta.dirname, "..", "..")
const scratch = mkdtempSync(join(tmpdir(), "executor-package-"))
const home = join(scratch, "home")
const bin = join(scratch, "elsewhere", "node_modules", ".bin", "executor")
const run = promisify(execFile)
let files: readonly string[] = []

beforeAll(async () => {
  const installed = join(scratch, "elsewhere", "node_modules", "executor")
  for (const folder of [home, join(bin, "..")]) mkdirSync(folder, { recursive: true })
  ;({ files } = await installPacked(scratch, installed))
  symlinkSync(join(installed, "bin", "executor.js"), bin)
})
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

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

test("it leaves the clone's own Node.js out, keeps other optional dependencies, and the clone gets its manifest back", async () => {
  const packed = readFileSync(join(scratch, "elsewhere", "node_modules", "executor", "package.json"), "utf8")
  expect(packed).not.toContain("node-linux")
  // Without it, commands of agents have no sandbox where bubblewrap is missing.
  expect(JSON.parse(packed)).toMatchObject({ optionalDependencies: { koffi: expect.any(String) } })
  await run(process.execPath, [join(scratch, "stage", "scripts", "pack-manifest.ts"), "restore"])
  expect(readFileSync(join(scratch, "stage", "package.json"), "utf8")).toBe(readFileSync(join(root, "package.json"), "utf8"))
})

test("its binary says its version and calls a tool", async () => {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string } // our own manifest
  expect((await executor("--version")).stdout).toBe(`${version}\n`)
  expect((await executor("--help")).stdout).toContain("Usage: executor")
  expect(JSON.parse((await executor("call", "executor.coreTools.integrations.list")).stdout)).toEqual({ items: [], nextCursor: null })
})
