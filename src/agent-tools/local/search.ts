// The tool `search`: lines of files in the workspace that match a pattern.
import { basename, dirname, posix, relative, sep } from "node:path"
import { defaultLimits } from "../../core/limits.ts"
import { safeLine } from "../../core/text/safe.ts"
import { FunctionCallError } from "../function-call-error.ts"
import type { ToolHandler, ToolInvocation, ToolOutput, ToolSpec } from "../tool.ts"
import { argumentFields } from "./argument-fields.ts"
import { notRegular } from "./held-folder.ts"
import { searchLiterally } from "./search-literal.ts"
import { findRipgrep, searchWithRipgrep } from "./search-ripgrep.ts"
import { locate, refused } from "./workspace.ts"
import type { Workspace } from "./workspace.ts"

const limitDefault = 100
const limitMax = 2000

export const searchSpec: ToolSpec = {
  type: "function",
  name: "search",
  description:
    'Searches the files of the workspace with ripgrep and returns matching lines as "file:line:text", sorted by file. Hidden files and those in .gitignore are left out.',
  parameters: {
    type: "object",
    properties: {
      pattern: { type: "string", description: "A regular expression in Rust's syntax." },
      include: { type: "string", description: 'Only files that match this glob, such as "*.rs" or "*.{ts,tsx}".' },
      path: { type: "string", description: "The file or folder to search in. Defaults to the whole workspace." },
      limit: { type: "integer", description: `The maximum number of lines. Defaults to ${limitDefault}, at most ${limitMax}.` },
    },
    required: ["pattern"],
    additionalProperties: false,
  },
}

/** What is searched for, and where. */
export type SearchRequest = {
  readonly pattern: string
  readonly include: string | null
  /** The real path of the folder to start in. */
  readonly folder: string
  /** A file in it, if only that one is meant. */
  readonly file: string | null
  /** So many lines are wanted. */
  readonly limit: number
}

export type Match = { /** Relative to the folder, with slashes. */ readonly path: string; readonly line: number; readonly text: string }

export type SearchFound = {
  readonly matches: readonly Match[]
  /** Why there may be more. */
  readonly incomplete: string | null
}

export type SearchOptions = {
  /** The path of ripgrep's program. By default the one that comes with the package; `null` searches without it. */
  readonly ripgrep?: string | null
}

export class SearchHandler implements ToolHandler {
  readonly kind = "function"
  readonly #workspace: Workspace
  readonly #options: SearchOptions

  constructor(workspace: Workspace, options: SearchOptions = {}) {
    this.#workspace = workspace
    this.#options = options
  }

  async isMutating(): Promise<boolean> {
    return false
  }

  async handle(invocation: ToolInvocation): Promise<ToolOutput> {
    const request = await readRequest(invocation, this.#workspace)
    const ripgrep = this.#options.ripgrep === undefined ? await findRipgrep() : this.#options.ripgrep
    const found =
      ripgrep === null
        ? await searchLiterally(this.#workspace, request, invocation.signal)
        : await searchWithRipgrep(ripgrep, this.#workspace, request, invocation.signal)
    const prefix = relative(this.#workspace.root, request.folder).replaceAll(sep, "/")
    const notes = [
      ...notesOn(found, request.limit),
      ...(ripgrep === null
        ? ["[ripgrep is missing on this machine: the pattern was searched as plain text, and .gitignore was not read]"]
        : []),
    ]
    if (found.matches.length === 0) return { type: "function", content: ["No matches found.", ...notes].join("\n"), success: false }
    const lines = found.matches
      .toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line))
      .slice(0, request.limit)
      .map(({ path, line, text }) => `${safeLine(posix.join(prefix, path))}:${line}:${text}`)
    return { type: "function", content: [...lines, ...notes].join("\n"), success: true }
  }
}

async function readRequest(invocation: ToolInvocation, workspace: Workspace): Promise<SearchRequest> {
  const fields = argumentFields(invocation)
  const pattern = fields.text("pattern")
  const limit = fields.optionalInteger("limit") ?? limitDefault
  if (pattern.trim() === "") throw FunctionCallError.respondToModel("pattern must not be empty")
  if (pattern.length > defaultLimits.agentSearchPatternCharsMax) {
    throw FunctionCallError.respondToModel(`pattern must have at most ${defaultLimits.agentSearchPatternCharsMax} characters`)
  }
  if (pattern.includes("\0")) throw FunctionCallError.respondToModel("pattern cannot contain a NUL character")
  if (limit < 1) throw FunctionCallError.respondToModel("limit must be greater than zero")
  const include = fields.optionalText("include")
  if (include?.includes("\0")) throw FunctionCallError.respondToModel("include cannot contain a NUL character")
  const place = await locate(workspace, fields.optionalText("path") ?? ".")
  const { stats, path, shown } = place
  if (stats === null) throw refused(shown, "there is no such file or folder")
  const wanted = { pattern, include, limit: Math.min(limit, limitMax) }
  if (stats.isDirectory()) return { ...wanted, folder: path, file: null }
  if (!stats.isFile()) throw notRegular(shown)
  return { ...wanted, folder: dirname(path), file: basename(path) }
}

function notesOn({ matches, incomplete }: SearchFound, limit: number): readonly string[] {
  if (incomplete !== null) return [`[${incomplete}; narrow the pattern, path or include]`]
  return matches.length > limit ? [`[only the first ${limit} matches are shown; narrow the search, or raise limit up to ${limitMax}]`] : []
}
