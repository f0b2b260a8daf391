// Directories are made with those above them, and what refuses them is an error, not an endless loop.
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { makeDirectory } from "./directory-make.ts"

const root = mkdtempSync(join(tmpdir(), "executor-directory-"))
afterAll(() => rmSync(root, { recursive: true }))

test("those above it are made, and twice is once", () => {
  const path = join(root, "a", "b", "c")
  makeDirectory(path)
  makeDirectory(path)
  expect(statSync(path).mode & 0o777).toBe(0o700)
})

test("a file in the way is an error", () => {
  writeFileSync(join(root, "file"), "")
  expect(() => makeDirectory(join(root, "file"))).toThrow("EEXIST")
  expect(() => makeDirectory(join(root, "file", "below"))).toThrow(/ENOTDIR|EEXIST/)
})

test.runIf(process.platform === "linux")("a file system that has no room for it is an error", () => {
  expect(() => makeDirectory("/proc/executor/data")).toThrow("/proc/executor")
})
