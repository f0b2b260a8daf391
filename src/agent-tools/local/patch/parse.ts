// Reads a patch in the format that Codex's models write: files to add, delete, update and move.
//
// Models are not exact at the edges, so spaces around marker lines, a here-document around the patch, and empty lines
// between files are accepted. Everything else that is not a patch is refused with the line that is wrong.
import { defaultLimits } from "../../../core/limits.ts"
import { safeLine } from "../../../core/text/safe.ts"
import { FunctionCallError } from "../../function-call-error.ts"

export type FilePatch =
  | { readonly type: "add"; readonly path: string; readonly content: string }
  | { readonly type: "delete"; readonly path: string }
  | { readonly type: "update"; readonly path: string; readonly movedTo: string | null; readonly hunks: readonly Hunk[] }

export type Hunk = {
  /** Lines that come before the change, each after the one before it: a class, then its method. */
  readonly contexts: readonly string[]
  readonly lines: readonly HunkLine[]
  /** Whether the change is at the end of the file. */
  readonly atEnd: boolean
}

export type HunkLine = { readonly mark: " " | "+" | "-"; readonly text: string }

const begin = "*** Begin Patch"
const end = "*** End Patch"
const endOfFile = "*** End of File"
const header = /^\*\*\* (Add|Delete|Update) File: *(.+)$/
const moveHeader = /^\*\*\* Move to: *(.+)$/
/** Some models write the header of a unified diff. Its line numbers are guesses, its text after them a context. */
const unifiedRange = /^-\d+(?:,\d+)? \+\d+(?:,\d+)? @@ ?/

export function parsePatch(input: string): readonly FilePatch[] {
  const reader = createReader(bodyLines(input))
  const files: FilePatch[] = []
  for (let line = reader.next(); line !== undefined; line = reader.next()) {
    if (line.trim() === "") continue
    files.push(readFile(line.trim(), reader))
    if (files.length > defaultLimits.agentPatchFilesMax) {
      throw invalid(`a patch changes at most ${defaultLimits.agentPatchFilesMax} files; send several patches`)
    }
  }
  return files
}

/** Stands on a line of the patch, for what is read next and for errors. */
type Reader = { next(): string | undefined; peek(): string | undefined; lineNumber(): number }

function createReader(lines: readonly string[]): Reader {
  let at = 0
  return { next: () => lines[at++], peek: () => lines[at], lineNumber: () => at + 1 }
}

/** The lines between the first and the last, without carriage returns. */
function bodyLines(input: string): readonly string[] {
  const lines = withoutHereDocument(
    input
      .trim()
      .split("\n")
      .map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line)),
  )
  if (lines[0]?.trim() !== begin) throw invalid(`The first line of the patch must be '${begin}'`)
  if (lines.length < 2 || lines.at(-1)?.trim() !== end) throw invalid(`The last line of the patch must be '${end}'`)
  return lines.slice(1, -1)
}

function withoutHereDocument(lines: readonly string[]): readonly string[] {
  const word = /^(?:apply_patch\s+)?<<-?\s*(["']?)(\w+)\1$/.exec(lines[0]?.trim() ?? "")?.[2]
  return word !== undefined && lines.at(-1)?.trim() === word ? lines.slice(1, -1) : lines
}

function readFile(line: string, reader: Reader): FilePatch {
  const [, action, path] = header.exec(line) ?? []
  if (path === undefined) throw invalidHeader(line, reader)
  if (action === "Delete") return { type: "delete", path }
  if (action === "Add") return { type: "add", path, content: readAdded(reader) }
  const movedTo = moveHeader.exec(reader.peek()?.trim() ?? "")?.[1] ?? null
  if (movedTo !== null) reader.next()
  const hunks = readHunks(reader)
  if (hunks.length === 0 && movedTo === null) throw invalidAt(reader, `Update file hunk for path '${safeLine(path)}' is empty`)
  return { type: "update", path, movedTo, hunks }
}

function readAdded(reader: Reader): string {
  let content = ""
  while (reader.peek()?.startsWith("+")) content += `${reader.next()?.slice(1)}\n`
  return content
}

function readHunks(reader: Reader): readonly Hunk[] {
  const hunks: Hunk[] = []
  for (let line = reader.peek(); line !== undefined && !line.startsWith("***"); line = reader.peek()) {
    if (line.trim() === "" && hunks.length > 0) reader.next()
    else hunks.push(readHunk(reader, hunks.length))
  }
  return hunks
}

function readHunk(reader: Reader, earlier: number): Hunk {
  const contexts = readContexts(reader)
  if (contexts === null && earlier > 0) {
    throw invalidAt(reader, `Expected update hunk to start with a @@ context marker, got: '${shortLine(reader.peek())}'`)
  }
  const lines = readHunkLines(reader)
  if (lines.length === 0) throw invalidAt(reader, noLinesText(reader.peek()))
  const atEnd = reader.peek()?.trimEnd() === endOfFile
  if (atEnd) reader.next()
  return { contexts: contexts ?? [], lines, atEnd }
}

/** `null` if there is no marker at all. */
function readContexts(reader: Reader): readonly string[] | null {
  const contexts: string[] = []
  let markers = 0
  for (let line = reader.peek(); line !== undefined && /^@@(?: |$)/.test(line); line = reader.peek(), markers += 1) {
    const context = line.slice(3).replace(unifiedRange, "")
    if (context.trim() !== "") contexts.push(context)
    reader.next()
  }
  return markers === 0 ? null : contexts
}

function readHunkLines(reader: Reader): readonly HunkLine[] {
  const lines: HunkLine[] = []
  // Empty lines are lines of the file whose space a model left out, unless nothing but the next marker follows.
  let emptyLines = 0
  for (let line = reader.peek(); line !== undefined; line = reader.peek()) {
    const mark = line[0]
    if (mark !== undefined && mark !== " " && mark !== "+" && mark !== "-") break
    if (mark === undefined) {
      emptyLines += 1
    } else {
      for (; emptyLines > 0; emptyLines -= 1) lines.push({ mark: " ", text: "" })
      lines.push({ mark, text: line.slice(1) })
    }
    reader.next()
  }
  return lines
}

const noLinesText = (line: string | undefined): string =>
  line === undefined || line.startsWith("***")
    ? "Update hunk does not contain any lines"
    : `Unexpected line found in update hunk: '${shortLine(line)}'. Every line should start with ' ' (context line), '+' (added line), or '-' (removed line)`

const shortLine = (line = ""): string => safeLine(line.length > 200 ? `${line.slice(0, 200)}…` : line)

const invalid = (reason: string): FunctionCallError =>
  FunctionCallError.respondToModel(`apply_patch verification failed: invalid patch: ${reason}`)

const invalidAt = (reader: Reader, reason: string): FunctionCallError =>
  FunctionCallError.respondToModel(`apply_patch verification failed: invalid hunk at line ${reader.lineNumber() + 1}, ${reason}`)

function invalidHeader(line: string, reader: Reader): FunctionCallError {
  const wanted = "Valid hunk headers: '*** Add File: {path}', '*** Delete File: {path}', '*** Update File: {path}'"
  const hint = /^[+ -]/.test(line) ? ". Every line of a new file starts with '+'" : ""
  return FunctionCallError.respondToModel(
    `apply_patch verification failed: invalid hunk at line ${reader.lineNumber()}, '${shortLine(line)}' is not a valid hunk header. ${wanted}${hint}`,
  )
}
