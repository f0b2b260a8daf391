// Tests how much a server can make us hold: lines over a pipe, bodies and events over HTTP.
import { expect, test } from "vitest"
import { defaultLimits } from "../../core/limits.ts"
import { boundBody, boundEvents } from "./http/body.ts"
import type { StreamEnd } from "./http/body.ts"
import { createCalls } from "./session/calls.ts"
import { createLines } from "./stdio/lines.ts"

const bytes = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(text))
const streamOf = (...pieces: string[]): ReadableStream<Uint8Array<ArrayBuffer>> =>
  new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(bytes(piece))
      controller.close()
    },
  })

const messageTurns = () => createCalls("a session", defaultLimits).messageTurns()

test("lines are whole, however they arrive", () => {
  const seen: string[] = []
  const lines = createLines(100, (line) => seen.push(line))
  for (const piece of ["on", "e\ntw", "o\n\nthr", "ee\né".repeat(1), "\n"]) expect(lines.push(Buffer.from(piece))).toBe(true)
  expect(seen).toEqual(["one", "two", "", "three", "é"])
  const split: string[] = []
  const half = createLines(100, (line) => split.push(line))
  for (const byte of Buffer.from("é\n")) half.push(Buffer.from([byte]))
  expect(split).toEqual(["é"])
})

test("a line that is too long ends it", () => {
  const seen: string[] = []
  const lines = createLines(5, (line) => seen.push(line))
  expect(lines.push(Buffer.from("12345\n"))).toBe(true)
  expect(lines.push(Buffer.from("123"))).toBe(true)
  expect(lines.push(Buffer.from("456\nok\n"))).toBe(false)
  expect(lines.push(Buffer.from("ok\n"))).toBe(false)
  expect(seen).toEqual(["12345"])
})

test("a body is bounded as a whole", async () => {
  expect(await new Response(boundBody(streamOf("12", "345"), 5, messageTurns())).text()).toBe("12345")
  await expect(new Response(boundBody(streamOf("12", "3456"), 5, messageTurns())).text()).rejects.toThrow("more than 5 bytes")
})

test("a stream of events is bounded event by event, and may go on for ever", async () => {
  const ends: StreamEnd[] = []
  const many = Array.from({ length: 100 }, () => "data: 1234\r\n\r\n")
  expect((await new Response(boundEvents(streamOf(...many), 20, messageTurns(), (end) => ends.push(end))).text()).length).toBe(1400)
  await expect(
    new Response(boundEvents(streamOf("data: 1\n\n", "data: ", "x".repeat(30)), 20, messageTurns(), (end) => ends.push(end))).text(),
  ).rejects.toThrow()
  await new Response(boundEvents(streamOf("id: 7\ndata: 1\n\n"), 100, messageTurns(), (end) => ends.push(end))).text()
  expect(ends).toMatchObject([
    { isResumable: false, failure: null },
    { isResumable: false, failure: { code: "response_too_large" } },
    { isResumable: true, failure: null },
  ])
})

test("events that come all at once are handed on in turns", async () => {
  const pieces: number[] = []
  let turns = 0
  let isOver = false
  const look = (): void => {
    turns += 1
    if (!isOver) setImmediate(look)
  }
  setImmediate(look)
  const events = boundEvents(streamOf("data: 1\n\n".repeat(1000), "data: 2\n\n: a comment\n\n"), 100, messageTurns(), () => {})
  for await (const piece of events) pieces.push(Buffer.from(piece).toString().split("\n\n").length - 1)
  isOver = true
  expect(pieces.reduce((sum, count) => sum + count)).toBe(1002)
  expect(Math.max(...pieces)).toBeLessThanOrEqual(20)
  expect(turns).toBeGreaterThanOrEqual(pieces.length)
})

test.each([
  ["bodies", (text: string) => boundBody(streamOf(JSON.stringify(text)), 1_000_000, messageTurns())],
  ["events", (text: string) => boundEvents(streamOf(`data: ${text}\n\n`), 1_000_000, messageTurns(), () => {})],
])("large %s that are there at once are handed on one in a turn", async (_, bound) => {
  let turn = 0
  let isOver = false
  const look = (): void => {
    turn += 1
    if (!isOver) setImmediate(look)
  }
  setImmediate(look)
  const seen = await Promise.all(
    Array.from({ length: 5 }, async () => {
      await new Response(bound("x".repeat(300_000))).text()
      return turn
    }),
  )
  isOver = true
  expect(new Set(seen).size).toBe(5)
})
