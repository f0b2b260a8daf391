// The built files of the console, as Vite's manifest has them, and what they weigh packed.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"

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
export const kilobyte = 1024
export const firstLoadMax = 220 * kilobyte
export const pageMax = 40 * kilobyte

/** Loaded after their pages are drawn: the editor and what it knows of TypeScript. */
export const lazyParts = /\/(?:editor|typescript|types-worker|worker)[^/]*\.tsx?$/

/** The entry chooses between the console and the pages of signing in. */
export const start = "src/app/start.tsx"
export const home = "src/pages/home/page.tsx"

export type BuiltFiles = {
  readonly manifest: Readonly<Record<string, Chunk>>
  /** The files that are loaded for a chunk, with all that it imports. */
  of(name: string): Set<string>
  /** Of the entry and the first page. */
  first(): Set<string>
  sizeOf(files: Iterable<string>): number
}

/** Once it is built. */
export function readBuiltFiles(): BuiltFiles {
  const manifest = JSON.parse(readFileSync(join(web, ".vite", "manifest.json"), "utf8")) as BuiltFiles["manifest"] // Vite's
  const sizes = new Map<string, number>()
  function collect(name: string, seen: Set<string>, files: Set<string>): Set<string> {
    const chunk = manifest[name]
    if (chunk === undefined || seen.has(name)) return files
    seen.add(name)
    for (const file of [chunk.file, ...(chunk.css ?? []), ...(chunk.assets ?? [])]) files.add(file)
    for (const one of chunk.imports ?? []) collect(one, seen, files)
    return files
  }
  const of = (name: string): Set<string> => collect(name, new Set(), new Set())
  const entry = Object.entries(manifest).find(([, { isEntry }]) => isEntry === true)?.[0] ?? ""
  return {
    manifest,
    of,
    first: () => new Set([entry, start, home].flatMap((name) => [...of(name)])),
    sizeOf: (files) =>
      [...files].reduce((sum, file) => {
        // A font is packed already.
        const bytes = readFileSync(join(web, file))
        const size = sizes.get(file) ?? (file.endsWith(".woff2") ? bytes.length : gzipSync(bytes).length)
        sizes.set(file, size)
        return sum + size
      }, 0),
  }
}
