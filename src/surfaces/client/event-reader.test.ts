// Server-sent events in every way that a network may cut them.
import * as fc from "fast-check"
import { expect, test } from "vitest"
import type { ServerEvent } from "./event-reader.ts"
import { readEvents } from "./event-reader.ts"

const bodyOf = (chunks: readonly Uint8Array[], onCancel: () => void = () => {}): ReadableStream<Uint8Array> => {
  let next = 0
  return new ReadableStream({
    pull(controller) {
      const chunk = chunks[next++]
      if (chunk === undefined) controller.close()
      else controller.enqueue(chunk)
    },
    cancel: onCancel,
  })
}

async function collect(chunks: readonly Uint8Array[]): Promise<ServerEvent[]> {
  const events: ServerEvent[] = []
  for await (const event of readEvents(bodyOf(chunks))) events.push(event)
  return events
}

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

test.each([
  ["event: end\ndata: {}\n\n", [{ name: "end", data: "{}" }]],
  ["data: a\n\n", [{ name: "message", data: "a" }]],
  ["data:a\ndata: b\ndata\n\n", [{ name: "message", data: "a\nb\n" }]],
  [": comment\n\n: another\n\ndata: x\n\n", [{ name: "message", data: "x" }]],
  ["event: lost\n\ndata: x\n\n", [{ name: "message", data: "x" }]],
  ["id: 7\nretry: 5\nnonsense\ndata: x\n\n", [{ name: "message", data: "x" }]],
  [
    "event: a\r\ndata: 1\r\n\r\nevent: b\rdata: 2\r\rdata: 3\n\n",
    ["a1", "b2", "message3"].map((text) => ({ name: text.slice(0, -1), data: text.slice(-1) })),
  ],
  ["data: unfinished\n", []],
  ["", []],
])("%j", async (text, events) => {
  expect(await collect([encode(text)])).toEqual(events)
})

test("cuts anywhere, also inside a character or a line break, change nothing", async () => {
  const line = fc.string({ unit: fc.constantFrom("a", ":", " ", "é", "日", "😀", "\u2028", "\0"), maxLength: 20 })
  const event = fc.record({ name: fc.constantFrom("call", "log", "end"), data: line })
  const lineBreak = fc.constantFrom("\n", "\r\n", "\r")
  await fc.assert(
    fc.asyncProperty(fc.array(event, { maxLength: 5 }), lineBreak, fc.array(fc.nat(200), { maxLength: 8 }), async (events, end, cuts) => {
      // A carriage return at the very end may be half of a line break, so a comment follows.
      const text = `${events.map(({ name, data }) => `event: ${name}${end}data: ${data}${end}${end}`).join("")}: end\n`
      const bytes = encode(text)
      const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length]
      const chunks = places.slice(1).map((place, index) => bytes.slice(places[index], place))
      expect(await collect(chunks)).toEqual(events)
    }),
  )
})

test("whoever stops reading closes the body", async () => {
  let isCancelled = false
  const body = bodyOf([encode("data: 1\n\n"), encode("data: 2\n\n"), encode("data: 3\n\n")], () => {
    isCancelled = true
  })
  for await (const event of readEvents(body)) if (event.data === "1") break
  expect(isCancelled).toBe(true)
})

test("a body that breaks off is told", async () => {
  const body = new ReadableStream<Uint8Array>({ start: (controller) => controller.error(new Error("cut")) })
  await expect(readEvents(body).next()).rejects.toThrow("cut")
})
