// Applies the hunks of one file to its text.
//
// Hunks are found one after another, from the top of the file to its end. Lines that a hunk only shows for orientation
// stay as they are in the file, even if the model remembered other spaces.
import { safeText } from "../../../core/text/safe.ts"
import { FunctionCallError } from "../../function-call-error.ts"
import { createLineSearch } from "./line-search.ts"
import type { LineSearch, Steps } from "./line-search.ts"
import type { Hunk, HunkLine } from "./parse.ts"
import { joinLines, splitLines } from "./text-lines.ts"
import type { LineBreak, TextLines } from "./text-lines.ts"

type Replacement = { readonly start: number; readonly removed: number; readonly lines: readonly Line[] }
type Line = { readonly text: string; readonly break: LineBreak }

export function applyHunks(text: string, hunks: readonly Hunk[], shown: string, steps: Steps): string {
  const file = splitLines(text)
  const search = createLineSearch(file.texts, steps)
  const replacements: Replacement[] = []
  let reached = 0
  for (const [index, hunk] of hunks.entries()) {
    const fail = (reason: string): Error => mismatch(shown, index, hunks.length, reason)
    const contextEnd = findContexts(hunk, search, reached, fail)
    const lines = hunk.lines.filter(({ mark }) => mark !== "+")
    if (lines.length === 0) {
      // An addition without surroundings belongs after its context, or at the end of the file.
      const start = contextEnd === null || hunk.atEnd ? file.texts.length : contextEnd
      replacements.push(replacementAt(start, hunk.lines, file))
      reached = contextEnd ?? reached
    } else {
      const found = findHunk(hunk, search, contextEnd, reached)
      if (found === null) throw fail(missingText(hunk, lines, search))
      replacements.push(replacementAt(found.start, found.lines, file))
      reached = found.start + (replacements.at(-1)?.removed ?? 0)
    }
  }
  return joinLines(replaced(file, replacements), file)
}

/** Where the line after the last context is; `null` if the hunk names none. */
function findContexts(hunk: Hunk, search: LineSearch, from: number, fail: (reason: string) => Error): number | null {
  let reached: number | null = null
  for (const context of hunk.contexts) {
    const found: number | null = search.find([context], reached ?? from, false)
    if (found === null) throw fail(`Failed to find context '${safeText(context.slice(0, 200))}'`)
    reached = found + 1
  }
  return reached
}

function findHunk(
  hunk: Hunk,
  search: LineSearch,
  contextEnd: number | null,
  reached: number,
): { readonly start: number; readonly lines: readonly HunkLine[] } | null {
  const from = contextEnd ?? reached
  for (const lines of [hunk.lines, withoutLastEmpty(hunk.lines)]) {
    const wanted = lines.filter(({ mark }) => mark !== "+").map(({ text }) => text)
    // Models repeat the context as the first line of the hunk.
    const start = search.find(wanted, from, hunk.atEnd) ?? (contextEnd === null ? null : search.find(wanted, contextEnd - 1, hunk.atEnd))
    if (start !== null && wanted.length > 0) return { start, lines }
  }
  return null
}

/** An empty line at the end of a hunk may stand for the line break at the end of the file, which is not a line of it. */
function withoutLastEmpty(lines: readonly HunkLine[]): readonly HunkLine[] {
  const last = lines.findLastIndex(({ mark }) => mark !== "+")
  return lines[last]?.text === "" ? lines.toSpliced(last, 1) : lines
}

function replacementAt(start: number, hunkLines: readonly HunkLine[], file: TextLines): Replacement {
  const lines: Line[] = []
  let at = start
  for (const { mark, text } of hunkLines) {
    if (mark === "+") lines.push({ text, break: file.usual })
    if (mark === " ") lines.push(lineOf(file, at))
    if (mark !== "+") at += 1
  }
  return { start, removed: at - start, lines }
}

const lineOf = (file: TextLines, at: number): Line => ({ text: file.texts[at] ?? "", break: file.breaks[at] ?? file.usual })

function replaced(file: TextLines, replacements: readonly Replacement[]): readonly Line[] {
  const lines: Line[] = []
  let at = 0
  for (const { start, removed, lines: added } of replacements.toSorted((a, b) => a.start - b.start)) {
    for (; at < start; at += 1) lines.push(lineOf(file, at))
    for (const line of added) lines.push(line)
    at = Math.max(at, start + removed)
  }
  for (; at < file.texts.length; at += 1) lines.push(lineOf(file, at))
  return lines
}

function missingText(hunk: Hunk, lines: readonly HunkLine[], search: LineSearch): string {
  const wanted = lines.map(({ text }) => text)
  const shownLines = safeText(wanted.join("\n").slice(0, 2000))
  const elsewhere = search.find(wanted, 0, false)
  const where = hunk.atEnd ? " at the end of the file" : ""
  const hint =
    elsewhere === null
      ? "Read the file again and copy the lines as they are"
      : `They are at line ${elsewhere + 1}, which is ${hunk.atEnd ? "not the end of the file" : "before the context or hunk above them"}: hunks follow the order of the file`
  return `Failed to find expected lines${where}:\n${shownLines}\n${hint}`
}

function mismatch(shown: string, index: number, total: number, reason: string): FunctionCallError {
  const which = total > 1 ? ` (hunk ${index + 1} of ${total})` : ""
  const [first = "", ...rest] = reason.split("\n")
  const end = rest.length > 0 ? ":" : ""
  return FunctionCallError.respondToModel(
    [`apply_patch verification failed: ${first.replace(/:$/, "")} in ${shown}${which}${end}`, ...rest, "Nothing was changed."].join("\n"),
  )
}
