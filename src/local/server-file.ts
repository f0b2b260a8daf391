// The file through which the command line finds the running server of a data directory.
//
// Several servers may run on one directory. The newest is found; when it ends, the one before it is again.
import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"

export type ServerNote = { readonly origin: string; readonly pid: number }

export type NotedServer = {
  /** Servers that were running on this directory already, newest first. */
  readonly others: readonly ServerNote[]
  remove(): void
}

const notePath = (dataDir: string): string => join(dataDir, "server.json")

export function noteServer(dataDir: string, url: string): NotedServer {
  const own: ServerNote = { origin: `${url}/api`, pid: process.pid }
  const isOther = (note: ServerNote): boolean => note.origin !== own.origin
  const others = readLiving(dataDir).filter(isOther)
  writeNotes(dataDir, [own, ...others])
  return { others, remove: () => writeNotes(dataDir, readLiving(dataDir).filter(isOther)) }
}

/** Null where there is none, or none that a server of this user can have written and left standing. */
export const readServerNote = (dataDir: string): ServerNote | null => readLiving(dataDir)[0] ?? null

/** The newest stands in the open, and the others beside it. */
function writeNotes(dataDir: string, [newest, ...others]: readonly ServerNote[]): void {
  const path = notePath(dataDir)
  if (newest === undefined) return rmSync(path, { force: true })
  writeFileSync(path, `${JSON.stringify({ ...newest, ...(others.length === 0 ? {} : { others }) })}\n`, { mode: 0o600 })
}

function readLiving(dataDir: string): ServerNote[] {
  try {
    const newest: unknown = JSON.parse(readFileSync(notePath(dataDir), "utf8"))
    const { others } = newest as { others?: unknown } // what is no object throws, or has none
    return [newest, ...(Array.isArray(others) ? (others as unknown[]) : [])].flatMap(parseNote).filter(({ pid }) => isAlive(pid))
  } catch {
    return []
  }
}

function parseNote(value: unknown): ServerNote[] {
  if (typeof value !== "object" || value === null) return []
  const { origin, pid } = value as Record<string, unknown> // checked below
  return typeof origin === "string" && typeof pid === "number" && Number.isInteger(pid) && pid > 0 ? [{ origin, pid }] : []
}

/** A port of a server that died may belong to anybody by now, and must not be sent this user's token. */
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
