// Finds the files that people mean, and reads them as documents.
import { readdir, readFile, stat } from "node:fs/promises"
import { extname, join, sep } from "node:path"
import type { DocumentAdd } from "../../../core/retrieval/document.ts"
import { UsageError } from "../usage-error.ts"

const markdown = new Set([".md", ".mdx", ".markdown"])
const html = new Set([".html", ".htm", ".xhtml"])
/** What is taken of a folder; a file that is named is taken whatever it is called. */
const others = new Set([".txt", ".text", ".rst", ".adoc", ".org", ".tex", ".csv", ".tsv", ".log"])
const isDocument = (path: string): boolean => [markdown, html, others].some((set) => set.has(extname(path).toLowerCase()))

/** In the order of their names. Folders are walked; hidden ones and `node_modules` are left out. */
export async function findFiles(paths: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const path of paths) {
    const stats = await stat(path).catch(() => null)
    if (stats === null) throw new UsageError(`There is no file or folder '${path}'`)
    if (stats.isDirectory()) await walk(path, found)
    else found.push(path)
  }
  return [...new Set(found)]
}

async function walk(folder: string, found: string[]): Promise<void> {
  const entries = (await readdir(folder, { withFileTypes: true })).toSorted((a, b) => (a.name < b.name ? -1 : 1))
  for (const entry of entries) {
    if (entry.name.startsWith(".") || entry.name === "node_modules") continue
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await walk(path, found)
    else if (entry.isFile() && isDocument(path)) found.push(path)
  }
}

export async function readDocumentFile(path: string): Promise<DocumentAdd> {
  const text = decode(await readFile(path))
  if (text === null) throw new UsageError("it is not text in UTF-8; convert it to text, Markdown or HTML first")
  const extension = extname(path).toLowerCase()
  return { source: sourceOf(path), ...(markdown.has(extension) ? { markdown: text } : html.has(extension) ? { html: text } : { text }) }
}

/** The same path gives the same document on every system. */
const sourceOf = (path: string): string =>
  path
    .split(sep)
    .join("/")
    .replace(/^(?:\.\/)+/, "")

function decode(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes)
    return text.includes("\0") ? null : text
  } catch {
    return null
  }
}
