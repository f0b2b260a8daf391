// Holds the pages of waiting executions on disk, in a file that has no name: nobody can open it, and it goes with its thread.
//
// The file is unlinked as soon as it is open, so that the system removes it however the process ends. It holds what
// executions had in memory, which is what the journal beside it holds as well: mode 0600, and no encryption of its own.
import { ftruncateSync, openSync, readSync, readdirSync, rmSync, writeSync } from "node:fs"
import { randomBytes } from "node:crypto"
import { join } from "node:path"
import { makeDirectory } from "../../../io/directory-make.ts"
import type { PageStore } from "./page-store.ts"
import { pageBytes } from "./page-store.ts"

/** Pages that go to, or come from, neighbouring places are written and read together. */
const chunkPages = 64
const extension = ".pages"

/** A process that was killed between making its file and unlinking it left an empty one. */
export function removeLeftPages(directory: string): void {
  try {
    for (const name of readdirSync(directory)) if (name.endsWith(extension)) rmSync(join(directory, name), { force: true })
  } catch {
    // There is nothing yet, or it cannot be read; whoever needs the file is told.
  }
}

export function createPageFile(directory: string): PageStore {
  const chunk = Buffer.alloc(chunkPages * pageBytes)
  /** What the chunk holds: pages to be written, or a copy of pages that were read. */
  let held = { state: "clean" as "clean" | "unwritten", first: 0, count: 0 }
  let file: number | null = null
  /** In the order in which they were given up: pages of one execution stay neighbours. */
  let free: number[] = []
  let freeFrom = 0
  let pagesMade = 0
  let pagesHeld = 0

  function open(): number {
    if (file !== null) return file
    makeDirectory(directory)
    const path = join(directory, `${randomBytes(8).toString("hex")}${extension}`)
    file = openSync(path, "wx+", 0o600)
    rmSync(path, { force: true })
    return file
  }

  function flush(): void {
    if (held.state === "clean") return
    const { first, count } = held
    held = { state: "clean", first: 0, count: 0 }
    const length = count * pageBytes
    for (let done = 0; done < length;) done += writeSync(open(), chunk, done, length - done, first * pageBytes + done)
  }

  function flushBefore(page: number): void {
    try {
      flush()
    } catch (error) {
      drop(page)
      throw error
    }
    held = { state: "unwritten", first: page, count: 0 }
  }

  function allocate(): number {
    if (freeFrom === free.length) return pagesMade++
    const page = free[freeFrom++] ?? 0
    if (freeFrom > free.length / 2) {
      free = free.slice(freeFrom)
      freeFrom = 0
    }
    return page
  }

  function read(first: number): void {
    flush()
    const length = Math.min(chunkPages, pagesMade - first) * pageBytes
    held = { state: "clean", first: 0, count: 0 }
    let done = 0
    while (done < length) {
      const more = readSync(open(), chunk, done, length - done, first * pageBytes + done)
      if (more === 0) break
      done += more
    }
    held = { state: "clean", first, count: Math.floor(done / pageBytes) }
  }

  function drop(page: number): void {
    free.push(page)
    pagesHeld -= 1
    if (pagesHeld > 0) return
    held = { state: "clean", first: 0, count: 0 }
    free = []
    freeFrom = 0
    pagesMade = 0
    if (file !== null) ftruncateSync(file, 0)
  }

  const isHeld = (page: number): boolean => page >= held.first && page < held.first + held.count

  return {
    get pagesHeld() {
      return pagesHeld
    },
    put(source, start) {
      if (held.count === chunkPages) flush()
      const page = allocate()
      pagesHeld += 1
      if (held.state === "clean") held = { state: "unwritten", first: page, count: 0 }
      else if (page !== held.first + held.count) flushBefore(page)
      source.copy(chunk, held.count * pageBytes, start, start + pageBytes)
      held.count += 1
      return page
    },
    flush,
    copyTo(page, target, start) {
      if (!isHeld(page)) read(page)
      if (!isHeld(page)) throw new Error("A page that was never written.")
      const offset = (page - held.first) * pageBytes
      chunk.copy(target, start, offset, offset + pageBytes)
    },
    drop,
  }
}
