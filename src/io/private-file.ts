// Small files that only their owner may read, created once even if many processes start at the same time.
import { randomBytes } from "node:crypto"
import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs"

/** The file's content, made with mode 0600 where it is missing. `link` fails for the second of two that make it at once, which then reads the first one's. */
export function readOrCreate(path: string, make: () => string): string {
  const existing = readIfThere(path)
  if (existing !== null) return existing
  const draft = `${path}.${process.pid}.${randomBytes(4).toString("hex")}`
  writeFileSync(draft, make(), { mode: 0o600, flush: true })
  try {
    linkSync(draft, path)
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error
  } finally {
    rmSync(draft, { force: true })
  }
  return readFileSync(path, "utf8")
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, "utf8")
  } catch (error) {
    if (hasCode(error, "ENOENT")) return null
    throw error
  }
}

const hasCode = (error: unknown, code: string): boolean => error instanceof Error && "code" in error && error.code === code
