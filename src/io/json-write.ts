// Writes a large value as JSON in pieces, so that the work can be cut into slices.
//
// What is small is written by the engine at once, in groups. Joined, the pieces are what `JSON.stringify` gives, but
// for a character of two units that lies on the border of two pieces, which is written as two escapes.
import { createTimeSlices } from "./time-slices.ts"

/** What is written at once: a few milliseconds of work. Values count, and characters by the dozen. */
const weightMax = 80_000
const groupWeightMax = 20_000
const charsPerWeight = 16
const textCharsMax = 256 * 1024

/** Whether writing it at once would be felt. */
export const isLargeJson = (value: unknown): boolean => weigh(value, weightMax) < 0

/** As `JSON.stringify`, in slices that leave the event loop free where the value is large. */
export async function writeJsonText(value: unknown): Promise<string> {
  if (!isLargeJson(value)) return JSON.stringify(value)
  const slices = createTimeSlices()
  const pieces: string[] = []
  for (const piece of writeJson(value)) {
    pieces.push(piece)
    if (slices.isOver()) await slices.next()
  }
  return pieces.join("")
}

/** Of values that are JSON: what has no such form is left out as the engine does. */
export function* writeJson(value: unknown): Generator<string> {
  if (typeof value === "string" && value.length > textCharsMax) yield* writeText(value)
  else if (typeof value !== "object" || value === null || "toJSON" in value || weigh(value, groupWeightMax) >= 0)
    yield JSON.stringify(value) ?? "null"
  else if (Array.isArray(value)) yield* writeItems(value)
  else yield* writeFields(value)
}

function* writeText(text: string): Generator<string> {
  yield '"'
  for (let at = 0; at < text.length; at += textCharsMax) yield JSON.stringify(text.slice(at, at + textCharsMax)).slice(1, -1)
  yield '"'
}

/** Neighbours that are small together are written together. */
function* writeItems(items: readonly unknown[]): Generator<string> {
  let separator = "["
  let start = 0
  let left = groupWeightMax
  for (let at = 0; at <= items.length; at += 1) {
    const rest = at === items.length ? -1 : weigh(items[at], left)
    if (rest >= 0) {
      left = rest
      continue
    }
    if (at > start) {
      yield separator + JSON.stringify(items.slice(start, at)).slice(1, -1)
      separator = ","
    }
    start = at
    left = at === items.length ? 0 : weigh(items[at], groupWeightMax)
    if (at === items.length || left >= 0) continue
    yield separator
    yield* writeJson(items[at])
    separator = ","
    start = at + 1
    left = groupWeightMax
  }
  yield separator === "[" ? "[]" : "]"
}

function* writeFields(fields: object): Generator<string> {
  let separator = "{"
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined || typeof value === "function" || typeof value === "symbol") continue
    yield `${separator}${JSON.stringify(name)}:`
    yield* writeJson(value)
    separator = ","
  }
  yield separator === "{" ? "{}" : "}"
}

/** What is left of a budget after the value, or less than nothing; it looks no further than that. */
function weigh(value: unknown, budget: number): number {
  if (typeof value === "string") return budget - 1 - value.length / charsPerWeight
  if (typeof value !== "object" || value === null) return budget - 1
  let left = budget - 1
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length && left >= 0; at += 1) left = weigh(value[at], left)
    return left
  }
  for (const name in value) {
    left = weigh((value as Record<string, unknown>)[name], left - name.length / charsPerWeight) // its own key
    if (left < 0) return left
  }
  return left
}
