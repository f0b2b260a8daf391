// Finds the destructuring that failed: the engine records no position for one, and reports the nearest that it has.
//
// What the engine reports is the last position in the order of its own code. There the pattern comes before the value
// that it takes apart, so that the pattern to be found is the next one behind the reported position, in the same
// function. Every name that is read has a position; when none lies between two patterns, either may have failed, and
// no position is told: a wrong line is worse than none.
import type { CodeTokens } from "./code-tokens.ts"

/** What was to be taken apart: by its fields, or item by item. */
export type DestructuredKind = "fields" | "items"

/** How many functions were being called, which tells a function that is called from one that is only written there. */
export type FailedFrames = { readonly depth: number }

/** The offset of the pattern that failed, of what the engine reported when that is right, or null when neither is known. */
export function failedPattern(code: CodeTokens, reportedAt: number, kind: DestructuredKind, frames: FailedFrames): number | null {
  const from = patternAround(
    code,
    code.tokens.findLastIndex((token) => token.start <= reportedAt),
  )
  const inner = functionAt(code, reportedAt, from)
  if (inner.is === "surely") return patternFrom(code, inner.start, inner, kind)
  const home = homeOf(code, Math.max(0, from))
  const outer = patternFrom(code, afterUpdate(code, from), home, kind)
  const spread = spreadAround(code, from, kind)
  if (spread !== null) return outer === null || isSameLine(code, spread, outer) ? spread : null
  if (inner.is === "no") return outer
  const called = patternFrom(code, inner.start, inner, kind)
  if (called === null || outer === null) return called ?? outer
  if (frames.depth === 1 && !callsLater.has(code.tokens[from]?.text ?? "")) return outer
  return frames.depth > 1 && home.start <= wrapperTokens ? called : null
}

/** What calls its function when nothing else runs, so that the depth tells nothing. */
const callsLater = new Set(["then", "catch", "finally", "setTimeout", "setInterval", "queueMicrotask"])
/** The function around all of the code begins with the first tokens of its wrapper. */
const wrapperTokens = 4

type Range = { readonly start: number; readonly end: number }

const isSameLine = (code: CodeTokens, left: number, right: number): boolean => {
  const between = code.tokens.filter((token) => token.start >= Math.min(left, right) && token.start <= Math.max(left, right))
  return !between.some((token) => token.startsLine && token.start > Math.min(left, right))
}

const homeOf = (code: CodeTokens, index: number): Range =>
  code.functions.find((range) => range.start <= index && index < range.end) ?? { start: 0, end: code.tokens.length }

/** Whether the reported position is where a function begins, as it is for a function that has done nothing yet. */
function functionAt(code: CodeTokens, reportedAt: number, from: number): Range & { readonly is: "surely" | "maybe" | "no" } {
  const { tokens } = code
  const isBetween = (tokens[from]?.end ?? 0) <= reportedAt
  const first = isBetween ? from + 1 : from
  for (const range of code.functions) {
    const head = headOf(code, range.start)
    if (range.start > 0 && head === first) return { ...range, is: "surely" }
    if (head === from + 2 && tokens[from + 1]?.text === "(") return { ...range, is: "maybe" }
  }
  return { start: 0, end: 0, is: "no" }
}

/** The first token of a function whose parameters begin here: its name, `function` or `async` come before. */
function headOf(code: CodeTokens, start: number): number {
  let head = start
  while (head > 0 && isPartOfHead(code.tokens[head - 1]?.text ?? "", code.tokens[start]?.text === "(", head === start)) head -= 1
  return head
}

const isPartOfHead = (text: string, hasParentheses: boolean, isNext: boolean): boolean =>
  text === "async" ||
  text === "function" ||
  text === "*" ||
  (isNext && hasParentheses && /^[\w$#]+$/.test(text) && !/^(?:return|await)$/.test(text))

/** The part of a `for` that counts comes behind the body in the order of the engine. */
function afterUpdate(code: CodeTokens, from: number): number {
  const { tokens, partners } = code
  let semicolons = 0
  for (let index = from - 1; index >= 0; index--) {
    const text = tokens[index]?.text
    const opener = partners.get(index)
    if (text === ";") semicolons += 1
    else if (opener !== undefined && opener < index) index = opener
    else if (opener !== undefined) {
      if (text !== "(" || tokens[index - 1]?.text !== "for" || semicolons < 2) return from
      const body = opener + 1
      if (tokens[body]?.text === "{") return partners.get(body) ?? from
      const next = tokens.findIndex((token, at) => at > body && token.startsLine)
      return next < 0 ? tokens.length : next
    }
  }
  return from
}

/** The next pattern of a function, when it is the only one that can be meant. */
function patternFrom(code: CodeTokens, from: number, home: Range, kind: DestructuredKind): number | null {
  const { tokens, functions, partners } = code
  // Those inside come first, so that the widest that begins at a token stays.
  const nested = new Map(functions.filter((range) => range.start !== home.start).map((range) => [range.start, range.end]))
  let found: number | null = null
  for (let index = from; index < home.end && index >= 0; index++) {
    const nestedEnd = nested.get(index)
    if (nestedEnd !== undefined) {
      index = nestedEnd - 1
      continue
    }
    const token = tokens[index]
    if (!token) return found
    if (found !== null && token.isRead) return found
    const end = patternEnd(code, index, home)
    if (end === null) continue
    if (holds(code, index, end, kind)) {
      if (found !== null && !isSameLine(code, found, token.start)) return null
      found ??= token.start
    }
    index = partners.get(index) ?? index
  }
  return found
}

/** Where a pattern that begins here ends, or null when this is no pattern. */
function patternEnd(code: CodeTokens, index: number, home: Range): number | null {
  const { tokens, partners } = code
  const text = tokens[index]?.text
  const end = partners.get(index)
  if ((text !== "{" && text !== "[") || end === undefined) return null
  const before = tokens[index - 1]?.text ?? ""
  if (/^(?:const|let|var)$/.test(before) || tokens[end + 1]?.text === "=") return end
  const isCaught = before === "(" && tokens[index - 2]?.text === "catch"
  const isParameter = index > home.start && index < (partners.get(home.start) ?? 0) && /^(?:\(|,|\.\.\.)$/.test(before)
  return isCaught || isParameter ? end : null
}

/** A default inside a pattern has a position: then it is the pattern around it. */
function patternAround(code: CodeTokens, from: number): number {
  const home = homeOf(code, from)
  const isAround = (_token: unknown, index: number): boolean =>
    index > home.start && index < from && (code.partners.get(index) ?? 0) > from && patternEnd(code, index, home) !== null
  const around = code.tokens.findIndex(isAround)
  return around < 0 ? from : around
}

/** Whether a pattern, or one inside of it, is of this kind. */
const holds = (code: CodeTokens, start: number, end: number, kind: DestructuredKind): boolean =>
  code.tokens.slice(start, end).some((token) => token.text === (kind === "fields" ? "{" : "["))

/** The spread or the `for … of` that the reported position is in: there the list comes before the pattern. */
function spreadAround(code: CodeTokens, from: number, kind: DestructuredKind): number | null {
  const { tokens, partners } = code
  for (let index = from; index >= 0; index--) {
    const text = tokens[index]?.text
    const opener = partners.get(index)
    if (index < from && opener !== undefined && opener < index) index = opener
    else if (text === "..." && kind === "items") return tokens[index]?.start ?? null
    else if (text === "of") return kind === "items" ? (tokens[index]?.start ?? null) : patternBefore(code, index)
    else if (text === ";" || text === "{" || text === "=>" || text === "=") return null
  }
  return null
}

function patternBefore(code: CodeTokens, index: number): number | null {
  const opener = code.partners.get(index - 1)
  return opener !== undefined && holds(code, opener, index, "fields") ? (code.tokens[opener]?.start ?? null) : null
}
