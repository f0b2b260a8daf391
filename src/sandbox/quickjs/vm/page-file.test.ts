// Tests that pages on disk are kept apart, that the file has no name, and that a failure leaves nothing half done.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { createPageFile, removeLeftPages } from "./page-file.ts"
import { pageBytes } from "./page-store.ts"

const directory = mkdtempSync(join(tmpdir(), "executor-pages-"))
afterAll(() => rmSync(directory, { recursive: true }))

const pageOf = (byte: number): Buffer => Buffer.alloc(pageBytes, byte)

test("thousands of pages are kept apart, in any order of coming and going, in a file without a name", () => {
  const file = createPageFile(join(directory, "made"))
  const kept = new Map<number, number>()
  const target = Buffer.alloc(pageBytes * 2)
  for (let step = 0; step < 3000; step++) {
    const byte = step % 251
    const page = file.put(Buffer.concat([pageOf(99), pageOf(byte)]), pageBytes)
    expect(kept.has(page)).toBe(false)
    kept.set(page, byte)
    const [victim, victimByte] = [...kept].slice((step * 7) % kept.size)[0] ?? [0, 0]
    if (step % 5 === 0) {
      file.copyTo(victim, target, pageBytes)
      expect(target.subarray(pageBytes).equals(pageOf(victimByte))).toBe(true)
    }
    if (step % 3 !== 0) continue
    file.drop(victim)
    kept.delete(victim)
  }
  file.flush()
  expect(readdirSync(join(directory, "made"))).toEqual([])
  expect(file.pagesHeld).toBe(kept.size)
  for (const [page, byte] of kept) {
    file.copyTo(page, target, pageBytes)
    expect(target.subarray(pageBytes).equals(pageOf(byte))).toBe(true)
  }
  for (const page of kept.keys()) file.drop(page)
  expect(file.pagesHeld).toBe(0)
  expect(file.put(pageOf(1), 0)).toBe(0)
})

test("where the disk refuses, the caller is told, and can drop what it put", () => {
  const blocked = join(directory, "a-file")
  writeFileSync(blocked, "")
  const file = createPageFile(blocked)
  const pages = Array.from({ length: 10 }, () => file.put(pageOf(1), 0))
  expect(() => file.flush()).toThrow(/ENOTDIR|EEXIST/)
  for (const page of pages) file.drop(page)
  expect(file.pagesHeld).toBe(0)
})

test("what a killed process left is removed at the next start", () => {
  writeFileSync(join(directory, "0123456789abcdef.pages"), "")
  writeFileSync(join(directory, "other"), "")
  removeLeftPages(directory)
  expect(readdirSync(directory)).not.toContain("0123456789abcdef.pages")
  expect(readdirSync(directory)).toContain("other")
  expect(() => removeLeftPages(join(directory, "missing"))).not.toThrow()
})
