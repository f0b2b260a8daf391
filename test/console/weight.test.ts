// What a browser loads of the console, packed: the first page, and what each further page adds.
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { beforeAll, expect, test } from "vitest"
import { buildConsole } from "./console.ts"

type Chunk = {
  readonly file: string
  readonly src?: string
  readonly isEntry?: boolean
  readonly isDynamicEntry?: boolean
  readonly imports?: readonly string[]
  readonly css?: readonly string[]
  readonly assets?: readonly string[]
}

const web = join(import.meta.dirname, "..", "..", "dist", "web")
const kilobyte = 1024
const firstLoadMax = 220 * kilobyte
const pageMax = 40 * kilobyte

/** Loaded after their pages are drawn: the editor and what it knows of TypeScript. */
const lazyParts = /\/(?:editor|typescript|types-worker|worker)[^/]*\.tsx?$/

let manifest: Readonly<Record<string, Chunk>>
beforeAll(() => {
  buildConsole()
  manifest = JSON.parse(readFileSync(join(web, ".vite", "manifest.json"), "utf8")) as typeof manifest // Vite's
})

/** The files that are loaded for a chunk, with all that it imports. */
function filesOf(name: string, seen: Set<string> = new Set(), files: Set<string> = new Set()): Set<string> {
  const chunk = manifest[name]
  if (chunk === undefined || seen.has(name)) return files
  seen.add(name)
  for (const file of [chunk.file, ...(chunk.css ?? []), ...(chunk.assets ?? [])]) files.add(file)
  for (const one of chunk.imports ?? []) filesOf(one, seen, files)
  return files
}

const sizes = new Map<string, number>()
const sizeOf = (files: Iterable<string>): number =>
  [...files].reduce((sum, file) => {
    // A font is packed already.
    const bytes = readFileSync(join(web, file))
    const size = sizes.get(file) ?? (file.endsWith(".woff2") ? bytes.length : gzipSync(bytes).length)
    sizes.set(file, size)
    return sum + size
  }, 0)

const entryName = (): string => Object.entries(manifest).find(([, { isEntry }]) => isEntry === true)?.[0] ?? ""
/** The entry chooses between the console and the pages of signing in. */
const start = "src/app/start.tsx"
const home = "src/pages/home/page.tsx"
const firstFiles = (): Set<string> => new Set([...filesOf(entryName()), ...filesOf(start), ...filesOf(home)])

test("the first page weighs at most 220 KB, with its styles and its font", () => {
  expect(manifest[start]?.isDynamicEntry).toBe(true)
  const files = firstFiles()
  expect([...files].some((file) => file.endsWith(".css"))).toBe(true)
  expect([...files].some((file) => file.endsWith(".woff2"))).toBe(true)
  expect(sizeOf(files) / kilobyte).toBeLessThanOrEqual(firstLoadMax / kilobyte)
  expect(existsSync(join(web, "index.html"))).toBe(true)
})

test("each further page adds at most 40 KB", () => {
  const first = firstFiles()
  const pages = Object.entries(manifest).filter(([name, chunk]) => chunk.isDynamicEntry === true && !lazyParts.test(name))
  expect(pages.length).toBeGreaterThan(9)
  const added = pages.map(([name]) => ({
    name,
    kilobytes: Math.ceil(sizeOf([...filesOf(name)].filter((file) => !first.has(file))) / kilobyte),
  }))
  expect(added.filter(({ kilobytes }) => kilobytes > pageMax / kilobyte)).toEqual([])
})
