// Parses a long JSON text in steps, so that the work can be cut into slices.
//
// First the text is scanned for lists and objects that are long themselves. Then each of those is put together from
// its parts: neighbours that are short are parsed by the engine at once, in groups; what is long is entered.
import { inSlices } from "./time-slices.ts"

/** The text is no JSON, or nested deeper than is allowed. */
export class JsonError extends Error {
  readonly reason: "syntax" | "depth"
  constructor(reason: "syntax" | "depth") {
    super(reason === "syntax" ? "The text is not valid JSON" : "The JSON is nested too deeply")
    this.reason = reason
  }
}

export type ParseOptions = {
  readonly depthMax: number
  readonly signal?: AbortSignal
  /** How the parts are parsed; throws what is no JSON. */
  readonly parse?: (text: string) => unknown
}

/** What the engine parses at once: about a millisecond of work. */
const groupCharsMax = 64 * 1024
const charsPerStep = 256 * 1024

export const isLongJson = (text: string): boolean => text.length > 4 * groupCharsMax

export const parseLongJson = (text: string, { depthMax, signal, parse = JSON.parse }: ParseOptions): Promise<unknown> =>
  inSlices(parseInSteps(text, depthMax, strictly(parse)), signal)

/** Where the long lists and objects begin and end. */
type Spans = ReadonlyMap<number, number>
type Parse = (text: string) => unknown

function* parseInSteps(text: string, depthMax: number, parse: Parse): Generator<void, unknown> {
  const spans = yield* findLong(text, depthMax)
  const start = text.search(/[^ \t\n\r]/)
  const end = spans.get(start)
  if (end === undefined) return parse(text)
  if (!isBlank(text, end + 1, text.length)) throw new JsonError("syntax")
  return yield* readLong(text, start, end, spans, parse)
}

function* findLong(text: string, depthMax: number): Generator<void, Spans> {
  const spans = new Map<number, number>()
  const open: number[] = []
  let stepAt = charsPerStep
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === quote) at = endOfString(text, at)
    else if (isOpening(code)) {
      if (open.push(at) > depthMax) throw new JsonError("depth")
    } else if (isClosing(code)) {
      const start = open.pop()
      if (start === undefined) throw new JsonError("syntax")
      if (at - start > groupCharsMax) spans.set(start, at)
    }
    if (at < stepAt) continue
    stepAt = at + charsPerStep
    yield
  }
  if (open.length > 0) throw new JsonError("syntax")
  return spans
}

/** The list or object between `start` and `end`. */
function* readLong(text: string, start: number, end: number, spans: Spans, parse: Parse): Generator<void, unknown> {
  const isList = text.charCodeAt(start) === openList
  if (text.charCodeAt(end) !== (isList ? closeList : closeObject)) throw new JsonError("syntax")
  const into: Collected = isList ? { list: [] } : { object: {} }
  /** Where the group that waits to be parsed begins, and where its last part does. */
  let group = start + 1
  let part = group
  let child: readonly [number, number] | null = null
  for (let at = group; at <= end; at += 1) {
    const code = text.charCodeAt(at)
    if (code === quote) at = endOfString(text, at)
    else if (isOpening(code)) {
      const childEnd = spans.get(at)
      if (childEnd !== undefined) child = [at, childEnd]
      at = childEnd ?? endOfShort(text, at)
    } else if (code === comma || at === end) {
      const isDue = child !== null || at === end || at - group > groupCharsMax
      const groupEnd = child === null ? at : part - 1
      // Nothing at all may only stand between the two brackets of what is empty.
      if (isDue && groupEnd >= group && !(at === end && group === start + 1 && isBlank(text, group, groupEnd)))
        collect(into, text.slice(group, groupEnd), parse)
      if (child !== null) {
        if (!isBlank(text, child[1] + 1, at)) throw new JsonError("syntax")
        place(into, text.slice(part, child[0]), yield* readLong(text, child[0], child[1], spans, parse))
      }
      if (isDue) group = at + 1
      part = at + 1
      child = null
      if (isDue) yield
    }
  }
  return "list" in into ? into.list : into.object
}

type Collected = { readonly list: unknown[] } | { readonly object: Record<string, unknown> }

/** Adds the values, or keys and values, that the text has between its commas. */
function collect(into: Collected, text: string, parse: Parse): void {
  if (isBlank(text, 0, text.length)) throw new JsonError("syntax")
  if ("list" in into) for (const item of parse(`[${text}]`) as unknown[]) into.list.push(item)
  else for (const [key, value] of Object.entries(parse(`{${text}}`) as object)) define(into.object, key, value)
}

/** `before`: what stands before the value, which is nothing or its key. */
function place(into: Collected, before: string, value: unknown): void {
  if ("list" in into) {
    if (!isBlank(before, 0, before.length)) throw new JsonError("syntax")
    into.list.push(value)
    return
  }
  const [key, ...others] = Object.keys(strictly(JSON.parse)(`{${before}0}`) as object)
  if (key === undefined || others.length > 0) throw new JsonError("syntax")
  define(into.object, key, value)
}

/** As the engine does: `__proto__` is a key like any other. */
function define(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key === "__proto__") Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true })
  else object[key] = value
}

const strictly =
  (parse: Parse): Parse =>
  (text) => {
    try {
      return parse(text)
    } catch {
      throw new JsonError("syntax")
    }
  }

const quote = 0x22
const comma = 0x2c
const openList = 0x5b
const closeList = 0x5d
const closeObject = 0x7d
const isOpening = (code: number): boolean => code === openList || code === 0x7b
const isClosing = (code: number): boolean => code === closeList || code === closeObject

/** The last character of the string that begins here. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = 0
    while (text.charAt(end - 1 - escapes) === "\\") escapes += 1
    if (escapes % 2 === 0) return end
  }
  throw new JsonError("syntax")
}

/** The last character of the short list or object that begins here. */
function endOfShort(text: string, start: number): number {
  let depth = 0
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === quote) at = endOfString(text, at)
    else if (isOpening(code)) depth += 1
    else if (isClosing(code)) depth -= 1
    if (depth === 0) return at
  }
  throw new JsonError("syntax")
}

function isBlank(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) if (!" \t\n\r".includes(text.charAt(at))) return false
  return true
}
