// Texts and numbers that fit a schema, for the generator of arguments.
import { Buffer } from "node:buffer"
import fc from "fast-check"
import { Unfit, numbersIn, patternKeyword, textsIn } from "./arguments-schema.ts"
import type { SchemaNode } from "./arguments-schema.ts"

/** `plain`: letters and digits. `reserved`: with characters that must be encoded to arrive. */
export type Spelling = "plain" | "reserved"

type Format = (turn: number) => string

const padded = (turn: number): string => String((turn % 27) + 1).padStart(2, "0")
const hex = (turn: number): string => (turn % 0xffff).toString(16).padStart(4, "0")

const formats: Readonly<Record<string, Format>> = {
  date: (turn) => `2024-05-${padded(turn)}`,
  "date-time": (turn) => `2024-05-${padded(turn)}T10:20:30Z`,
  time: () => "10:20:30Z",
  duration: () => "P1D",
  uuid: (turn) => `0b7e1f5a-${hex(turn)}-4c3d-8e9f-0123456789ab`,
  email: (turn) => `someone${turn}@example.com`,
  "idn-email": (turn) => `someone${turn}@example.com`,
  hostname: (turn) => `host${turn}.example.com`,
  "idn-hostname": (turn) => `host${turn}.example.com`,
  ipv4: (turn) => `192.0.2.${(turn % 250) + 1}`,
  ipv6: (turn) => `2001:db8::${hex(turn)}`,
  uri: (turn) => `https://example.com/${turn}?a=b&c=d`,
  url: (turn) => `https://example.com/${turn}?a=b&c=d`,
  "uri-reference": (turn) => `/things/${turn}`,
  iri: (turn) => `https://example.com/${turn}`,
  "iri-reference": (turn) => `/things/${turn}`,
  "uri-template": () => "/things/{id}",
  "json-pointer": (turn) => `/a/${turn}`,
  "json-pointer-uri-fragment": (turn) => `#/a/${turn}`,
  "relative-json-pointer": () => "1/a",
  regex: () => "^a+$",
  byte: (turn) => Buffer.from(`bytes ${turn}`).toString("base64"),
  base64: (turn) => Buffer.from(`bytes ${turn}`).toString("base64"),
  binary: (turn) => `bytes ${turn}`,
}

export function makeText(nodes: readonly SchemaNode[], turn: number, spelling: Spelling): string {
  const min = Math.max(0, ...numbersIn(nodes, "minLength"))
  const max = Math.min(...numbersIn(nodes, "maxLength"), Number.POSITIVE_INFINITY)
  const format = textsIn(nodes, "format").find((name) => Object.hasOwn(formats, name))
  const formatted = format === undefined ? undefined : formats[format]?.(turn)
  const patterns = textsIn(nodes, patternKeyword)
  if (patterns.length > 0) return matchingText(patterns, formatted === undefined ? [] : [formatted], { min, max, turn })
  if (formatted !== undefined && formatted.length >= min && formatted.length <= max) return formatted
  return ofLength(spelling === "plain" ? `text${turn}` : `t${turn} é&=/?#+%;:@"x`, min, max)
}

const ofLength = (text: string, min: number, max: number): string => text.padEnd(min, "a").slice(0, Math.max(max, 0))

const patternTries = 200

const commonTexts = ["text", "Text", "TEXT", "abc123", "1", "12", "123", "12345", "2024-05-01"]

/** A random text of a pattern rarely has the length that is wanted, so many are tried; first of all those that read well. */
function matchingText(patterns: readonly string[], wished: readonly string[], bounds: { min: number; max: number; turn: number }): string {
  const all = patterns.map(expression)
  const [first] = all
  if (first === undefined) throw new Unfit("a pattern is missing")
  const isFit = (text: string): boolean => text.length >= bounds.min && text.length <= bounds.max && all.every((each) => each.test(text))
  const readable = [...wished, `text${bounds.turn}`, ...commonTexts].find(isFit)
  if (readable !== undefined) return readable
  // Without anchors a pattern allows text around itself, which is rarely short enough.
  const found = [new RegExp(`^(?:${first.source})$`, first.flags), first]
    .flatMap((each) => fc.sample(fc.stringMatching(each, { size: "medium" }), { numRuns: patternTries, seed: bounds.turn }))
    .filter(isFit)
    .toSorted((left, right) => left.length - right.length)[0]
  if (found === undefined) throw new Unfit(`no text was found for the pattern ${patterns.join(" and ")}`)
  return found
}

function expression(pattern: string): RegExp {
  try {
    return new RegExp(pattern, "u")
  } catch {
    try {
      return new RegExp(pattern)
    } catch {
      throw new Unfit(`the pattern ${pattern} is not one of JavaScript`)
    }
  }
}

export function makeNumber(nodes: readonly SchemaNode[], kind: "integer" | "number", turn: number): number {
  const step = numbersIn(nodes, "multipleOf")[0] ?? (kind === "integer" ? 1 : 0.5)
  const unit = kind === "integer" && !Number.isInteger(step) ? 1 : step
  const min = Math.max(...numbersIn(nodes, "minimum"), ...numbersIn(nodes, "exclusiveMinimum").map((bound) => bound + unit), -Infinity)
  const max = Math.min(...numbersIn(nodes, "maximum"), ...numbersIn(nodes, "exclusiveMaximum").map((bound) => bound - unit), Infinity)
  const wished = (turn % 9) * unit + unit
  const low = Number.isFinite(min) ? Math.ceil(min / unit) * unit : -Infinity
  const high = Number.isFinite(max) ? Math.floor(max / unit) * unit : Infinity
  const value = Math.min(Math.max(wished, low), high)
  if (value >= min && value <= max) return value
  // Between two bounds that are closer than a step any number does, unless it must be whole.
  if (kind === "number" && min <= max && numbersIn(nodes, "multipleOf").length === 0) return min
  throw new Unfit(`no ${kind} is between ${min} and ${max}`)
}
