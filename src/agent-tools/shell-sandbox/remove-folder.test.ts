// Folders that a command closed to its own user are removed all the same.
import { chmodSync, existsSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { removeFolder } from "./remove-folder.ts"

test.runIf(process.platform === "linux")("read-only and closed folders are removed, and nothing that links in them lead to", () => {
  // Root removes everything, so that root becomes somebody else for a moment.
  const isRoot = process.geteuid?.() === 0
  if (isRoot) process.seteuid?.(65_534)
  try {
    const folder = mkdtempSync(join(tmpdir(), "executor-remove-"))
    const other = mkdtempSync(join(tmpdir(), "executor-remove-"))
    writeFileSync(join(other, "kept"), "")
    mkdirSync(join(folder, "closed/read-only"), { recursive: true })
    writeFileSync(join(folder, "closed/read-only/file"), "")
    symlinkSync(other, join(folder, "closed/link"))
    chmodSync(join(folder, "closed/read-only"), 0o500)
    chmodSync(join(folder, "closed"), 0o000)
    removeFolder(folder)
    expect(existsSync(folder)).toBe(false)
    expect(existsSync(join(other, "kept"))).toBe(true)
    removeFolder(other)
    removeFolder(join(folder, "that is gone"))
  } finally {
    if (isRoot) process.seteuid?.(0)
  }
})
