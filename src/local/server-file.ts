// The file through which the command line finds the running server of a data directory.
//
// Several servers may run on one directory. The newest is found; when it ends, the one before it is again.
import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"

export type ServerEntry = {
  /** For programs on this machine. */
  readonly origin: string
  readonly pid: number
  /** Where people go, if that is another address. */
  readonly publicUrl?: string
}

export type ListedServer = {
  /** Servers that were running on this directory already, newest first. */
  readonly others: readonly ServerEntry[]
  remove(): void
}

const serverFilePath = (dataDir: string): string => join(dataDir, "server.json")

export function addToServerFile(dataDir: string, url: string, publicUrl = url): ListedServer {
  const own: ServerEntry = { origin: `${url}/api`, pid: process.pid, ...(publicUrl === url ? {} : { publicUrl }) }
  const isOther = (note: ServerEntry): boolean => note.origin !== own.origin
  const others = readLiving(dataDir).filter(isOther)
  writeServerFile(dataDir, [own, ...others])
  return { others, remove: () => writeServerFile(dataDir, readLiving(dataDir).filter(isOther)) }
}

/** Null where there is none, or none that a server of this user can have written and left standing. */
export const readServerFile = (dataDir: string): ServerEntry | null => readLiving(dataDir)[0] ?? null

/** The newest stands in the open, and the others beside it. */
function writeServerFile(dataDir: string, [newest, ...others]: readonly ServerEntry[]): void {
  const path = serverFilePath(dataDir)
  if (newest === undefined) return rmSync(path, { force: true })
  writeFileSync(path, `${JSON.stringify({ ...newest, ...(others.length === 0 ? {} : { others }) })}\n`, { mode: 0o600 })
}

function readLiving(dataDir: string): ServerEntry[] {
  try {
    const newest: unknown = JSON.parse(readFileSync(serverFilePath(dataDir), "utf8"))
    const { others } = newest as { others?: unknown } // what is no object throws, or has none
    return [newest, ...(Array.isArray(others) ? (others as unknown[]) : [])].flatMap(parseEntry).filter(({ pid }) => isAlive(pid))
  } catch {
    return []
  }
}

function parseEntry(value: unknown): ServerEntry[] {
  if (typeof value !== "object" || value === null) return []
  const { origin, pid, publicUrl } = value as Record<string, unknown> // checked below
  if (typeof origin !== "string" || typeof pid !== "number" || !Number.isInteger(pid) || pid <= 0) return []
  return [{ origin, pid, ...(typeof publicUrl === "string" ? { publicUrl } : {}) }]
}

/** A port of a server that died may belong to anybody by now, and must not be sent this user's token. */
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
