// The note by which the command line finds the running server of a data directory.
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"

export type ServerNote = { readonly origin: string; readonly pid: number }

const notePath = (dataDir: string): string => join(dataDir, "server.json")

export function noteServer(dataDir: string, url: string): { remove(): void } {
  const path = notePath(dataDir)
  const note: ServerNote = { origin: `${url}/api`, pid: process.pid }
  const text = `${JSON.stringify(note)}\n`
  writeFileSync(path, text, { mode: 0o600 })
  // A server that was started later on the same directory has left its own note, which must stay.
  return { remove: () => (existsSync(path) && readFileSync(path, "utf8") === text ? rmSync(path, { force: true }) : undefined) }
}

/** Null where there is none, or one that no server of this user can have written and left standing. */
export function readServerNote(dataDir: string): ServerNote | null {
  const note = parseNote(dataDir)
  return note !== null && isAlive(note.pid) ? note : null
}

function parseNote(dataDir: string): ServerNote | null {
  try {
    const { origin, pid } = JSON.parse(readFileSync(notePath(dataDir), "utf8")) as Record<string, unknown> // checked below
    return typeof origin === "string" && typeof pid === "number" && Number.isInteger(pid) && pid > 0 ? { origin, pid } : null
  } catch {
    return null
  }
}

/** A port of a server that died may belong to anybody by now, and must not be sent this user's token. */
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
