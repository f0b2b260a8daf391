// Answers that are sequences: lines of JSON, JSON text sequences and server-sent events, collected into arrays.
import type { Limits } from "../../../core/limits.ts"
import type { StreamReading } from "../../../io/network/outbound.ts"
import type { ContentKind } from "../../media-type.ts"
import { contentKind, essenceOf } from "../../media-type.ts"
import { parseLoose } from "../../response-text.ts"

export type ServerEvent = { readonly event: string; readonly data: unknown; readonly id?: string }

type SequenceKind = Extract<ContentKind, "json_lines" | "json_seq" | "events">

export const isSequence = (kind: ContentKind): kind is SequenceKind => kind === "json_lines" || kind === "json_seq" || kind === "events"

const newline = 0x0a
const carriageReturn = 0x0d
const recordSeparator = 0x1e

/** Stops reading when there are as many items as will be delivered. */
export function sequenceReading(limits: Limits): StreamReading {
  let kind: ContentKind = "binary"
  let items = 0
  let lineLength = 0
  const count = (byte: number): void => {
    if (kind === "json_seq") items += byte === recordSeparator ? 1 : 0
    else if (byte === newline) {
      // A blank line ends an event, and is nothing in lines of JSON.
      if ((lineLength === 0) === (kind === "events")) items += 1
      lineLength = 0
    } else if (byte !== carriageReturn) lineLength += 1
  }
  return {
    appliesTo(contentType) {
      kind = contentKind(essenceOf(contentType))
      return isSequence(kind)
    },
    idleMs: limits.streamIdleMs,
    isEnough(chunk) {
      for (const byte of chunk) count(byte)
      // One more record separator begins the item after the last one that is wanted.
      return items >= limits.streamItemsMax + (kind === "json_seq" ? 1 : 0)
    },
  }
}

/** In steps. `isComplete`: the text was not cut, so that its last item is whole. */
export function* parseSequence(kind: SequenceKind, text: string, isComplete: boolean, itemsMax: number): Generator<void, unknown[]> {
  if (kind === "events") return yield* parseEvents(text, isComplete, itemsMax)
  const lines = text.split(kind === "json_seq" ? "\u001e" : "\n")
  const whole = isComplete ? lines : lines.slice(0, -1)
  const items: unknown[] = []
  for (const line of whole) {
    if (items.length === itemsMax) break
    const json = line.trim()
    if (json !== "") items.push(parseLoose(json))
    yield
  }
  return items
}

function* parseEvents(text: string, isComplete: boolean, itemsMax: number): Generator<void, ServerEvent[]> {
  const blocks = text.replace(/\r\n?/g, "\n").split(/\n\n+/)
  const whole = isComplete ? blocks : blocks.slice(0, -1)
  const events: ServerEvent[] = []
  for (const block of whole) {
    if (events.length === itemsMax) break
    const event = yield* parseEvent(block)
    if (event !== null) events.push(event)
    yield
  }
  return events
}

const linesPerStep = 1000

/** As the HTML standard reads an event: comments and unknown fields are ignored, and without data there is no event. */
function* parseEvent(block: string): Generator<void, ServerEvent | null> {
  const fields = { event: "message", id: "" }
  const lines: string[] = []
  let steps = 0
  for (const line of block.split("\n")) {
    steps += 1
    if (steps % linesPerStep === 0) yield
    const colon = line.indexOf(":")
    const field = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? "" : line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1)
    if (field === "data") lines.push(value)
    else if (field === "event" || field === "id") fields[field] = value
  }
  if (lines.length === 0) return null
  const data = parseLoose(lines.join("\n"))
  return fields.id === "" ? { event: fields.event, data } : { event: fields.event, data, id: fields.id }
}
