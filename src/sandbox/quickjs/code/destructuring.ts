// Finds the destructuring that failed: the engine records no position for one, and reports the nearest that it has.
//
// What the engine reports is the last position in the order of its own code. There the pattern comes before the value
// that it takes apart, so that the pattern to be found is the next one behind the reported position, in the same
// function. Every name that is read has a position; when none lies between two patterns, either may have failed, and
// no position is told: a wrong line is worse than none.
import type { CodeTokens } from "./tokens.ts"

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
  const loop = loopAround(code, from)
  if (loop) return loopPattern(code, loop, home, kind)
  const outer = patternFrom(code, afterUpdate(code, from), home, kind)
  const spread = kind === "items" ? spreadAround(code, from) : null
  if (spread !== null) return onlyOne(code, [spread, outer])
  if (inner.is === "no") return outer
  const caller = code.tokens[from]?.text === "async" ? from - 2 : from
  if (frames.depth === 1 && !callsLater.has(code.tokens[caller]?.text ?? "")) return outer
  const called = patternFrom(code, inner.start, inner, kind)
  if (called === null || outer === null) return called ?? outer
  return frames.depth > 1 && home.start <= wrapperTokens ? called : null
}

/** Those that are there, when they are on one line. */
function onlyOne(code: CodeTokens, found: readonly (number | null)[]): number | null {
  const [first, ...others] = found.filter((offset) => offset !== null)
  return first === undefined || others.some((offset) => !isSameLine(code, first, offset)) ? null : first
}

/** What calls its function when nothing else runs, so that the depth tells nothing. */
const callsLater = new Set(["then", "catch", "finally", "setTimeout", "setInterval", "queueMicrotask"])
/** The function around all of the code begins with the first tokens of its wrapper. */
const wrapperTokens = 4

type Range = { readonly start: number; readonly end: number }

/** Of two places where tokens start. */
const isSameLine = ({ lines }: CodeTokens, left: number, right: number): boolean => lines.get(left) === lines.get(right)

const homeOf = (code: CodeTokens, index: number): Range =>
  code.functions.find((range) => range.start <= index && index < range.end) ?? { start: 0, end: code.tokens.length }

/** Whether the reported position is where a function begins, as it is for a function that has done nothing yet. */
function functionAt(code: CodeTokens, reportedAt: number, from: number): Range & { readonly is: "surely" | "maybe" | "no" } {
  const { tokens } = code
  const isBetween = (tokens[from]?.end ?? 0) <= reportedAt
  const first = isBetween ? from + 1 : from
  for (const range of code.functions) {
    const head = headOf(code, range.start)
    // The engine takes `async` for a name at first, and notes where it is in the function around as well.
    const isName = tokens[head]?.text === "async" && head === from && range.start > wrapperTokens
    if (range.start > 0 && head === first) return { ...range, is: isName ? "maybe" : "surely" }
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

/** The part of a `for` that goes on with it comes behind the body in the order of the engine. */
function afterUpdate(code: CodeTokens, from: number): number {
  const { tokens, partners } = code
  if (tokens[from]?.text === "for") return bodyEnd(code, partners.get(tokens[from + 1]?.text === "(" ? from + 1 : from + 2) ?? from)
  let semicolons = 0
  for (let index = from - 1; index >= 0; index--) {
    const text = tokens[index]?.text
    const partner = partners.get(index)
    if (text === ";") semicolons += 1
    else if (partner !== undefined && partner < index) index = partner
    else if (partner !== undefined)
      return text === "(" && tokens[index - 1]?.text === "for" && semicolons === 2 ? bodyEnd(code, partner) : from
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

/** The brackets of the `for … of` whose head the reported position is in. */
function loopAround(code: CodeTokens, from: number): Range | null {
  const isLoop = ({ text }: { text: string }, index: number): boolean => {
    const end = code.partners.get(index) ?? 0
    const isHead = text === "(" && index <= from && end >= from && /^(?:for|await)$/.test(code.tokens[index - 1]?.text ?? "")
    return isHead && code.tokens.slice(index, end).some((token) => token.text === "of")
  }
  const start = code.tokens.findLastIndex(isLoop)
  return start < 0 || homeOf(code, start) !== homeOf(code, from) ? null : { start, end: code.partners.get(start) ?? start }
}

/** The list comes before the pattern, and both before the body. */
function loopPattern(code: CodeTokens, loop: Range, home: Range, kind: DestructuredKind): number | null {
  const { tokens, partners } = code
  const opener = tokens.findIndex((token, index) => index > loop.start && (token.text === "{" || token.text === "["))
  const hasPattern = /^(?:const|let|var)$/.test(tokens[opener - 1]?.text ?? "") && holds(code, opener, partners.get(opener) ?? opener, kind)
  const head = kind === "items" || hasPattern ? (tokens[loop.start + 1]?.start ?? null) : null
  return onlyOne(code, [head, patternFrom(code, loop.end, { ...home, end: bodyEnd(code, loop.end) + 1 }, kind)])
}

/** The last token of what a loop does, when its head ends here. */
function bodyEnd(code: CodeTokens, headEnd: number): number {
  const { tokens, partners } = code
  if (tokens[headEnd + 1]?.text === "{") return partners.get(headEnd + 1) ?? headEnd
  const next = tokens.findIndex((token, index) => index > headEnd + 1 && token.startsLine)
  return next < 0 ? tokens.length : next - 1
}

/** The spread that the reported position is in. */
function spreadAround(code: CodeTokens, from: number): number | null {
  const { tokens, partners } = code
  for (let index = from; index >= 0; index--) {
    const text = tokens[index]?.text
    const opener = partners.get(index)
    if (index < from && opener !== undefined && opener < index) index = opener
    else if (text === "...") return tokens[index]?.start ?? null
    else if (text === ";" || text === "{" || text === "=>" || text === "=") return null
  }
  return null
}
