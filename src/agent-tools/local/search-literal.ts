// Searches for plain text without ripgrep, file by file.
import type { Dirent } from "node:fs"
import { lstat, readdir } from "node:fs/promises"
import { join, matchesGlob, posix } from "node:path"
import { defaultLimits } from "../../core/limits.ts"
import { FunctionCallError } from "../function-call-error.ts"
import { readWhole } from "./file-content.ts"
import type { Match, SearchFound, SearchRequest } from "./search.ts"
import { isWithin, shownPath } from "./workspace.ts"
import type { Workspace } from "./workspace.ts"

const lineCharsMax = 500

export async function searchLiterally(workspace: Workspace, request: SearchRequest, signal: AbortSignal): Promise<SearchFound> {
  const matches: Match[] = []
  // Without a slash, a glob means files in every folder.
  const include = request.include?.includes("/") === false ? `**/${request.include}` : request.include
  let files = 0
  for await (const path of request.file === null ? filesIn(workspace, request.folder, "", signal) : [request.file]) {
    if (include !== null && !matchesGlob(path, include)) continue
    files += 1
    if (files > defaultLimits.agentSearchFallbackFilesMax) return { matches, incomplete: `stopped after ${files - 1} files` }
    matches.push(...matchesIn(path, await textOf(workspace, join(request.folder, path)), request))
    if (matches.length > request.limit) return { matches, incomplete: null }
  }
  return { matches, incomplete: null }
}

/** In order, without links, hidden files and installed packages. */
async function* filesIn(workspace: Workspace, folder: string, prefix: string, signal: AbortSignal): AsyncGenerator<string> {
  const entries: Dirent[] = await readdir(folder, { withFileTypes: true }).catch(() => [])
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (signal.aborted) throw FunctionCallError.respondToModel("aborted")
    const path = join(folder, entry.name)
    if (entry.name.startsWith(".") || entry.name === "node_modules") continue
    if (workspace.hidden.some((hidden) => isWithin(hidden, path))) continue
    if (entry.isDirectory()) yield* filesIn(workspace, path, posix.join(prefix, entry.name), signal)
    if (entry.isFile()) yield posix.join(prefix, entry.name)
  }
}

/** Empty for files that are gone, cannot be read, or are not text. */
async function textOf(workspace: Workspace, path: string): Promise<string> {
  try {
    const place = { path, shown: shownPath(workspace, path), stats: await lstat(path, { bigint: true }), isLink: false }
    const bytes = await readWhole(workspace, place, defaultLimits.agentFileBytesMax)
    return bytes === null || bytes.includes(0) ? "" : bytes.toString("utf8")
  } catch {
    return ""
  }
}

function matchesIn(path: string, text: string, { pattern, limit }: SearchRequest): readonly Match[] {
  if (!text.includes(pattern)) return []
  const matches: Match[] = []
  for (const [index, line] of text.split("\n").entries()) {
    if (line.includes(pattern)) matches.push({ path, line: index + 1, text: line.replace(/\r$/, "").slice(0, lineCharsMax) })
    if (matches.length > limit) break
  }
  return matches
}
