// Server-sent events on their own: refusals, heartbeats, pace, failures, and who stops whom.
import { expect, test } from "vitest"
import { openEventStream } from "./event-stream.ts"
import type { StreamedEvent } from "./routes/route.ts"

const fast = { openMs: 5, heartbeatMs: 5 }
const failure = (error: unknown): unknown => ({ error: String(error) })
const never = new Promise<never>(() => {})

async function* sequence(...steps: (StreamedEvent | Error | Promise<never>)[]): AsyncGenerator<StreamedEvent> {
  for (const step of steps) {
    if (step instanceof Error) throw step
    yield await step
  }
}

const read = async (stream: ReadableStream<Uint8Array>): Promise<string> => new Response(stream).text()

test("events with their type as name, until there are no more", async () => {
  const stream = await openEventStream(sequence({ type: "log" }, { type: "end" }), new AbortController(), failure)
  expect(await read(stream)).toBe(': open\n\nevent: log\ndata: {"type":"log"}\n\nevent: end\ndata: {"type":"end"}\n\n')
})

test("line breaks in the data do not break the event", async () => {
  const event = { type: "log", text: "a\n\nevent: end\r\ndata: {}\u2028" }
  const text = await read(await openEventStream(sequence(event), new AbortController(), failure))
  const lines = text.split(/\r\n|\r|\n/)
  expect(lines.filter((line) => line.startsWith("event:"))).toEqual(["event: log"])
  expect(JSON.parse(lines.find((line) => line.startsWith("data:"))?.slice(5) ?? "")).toEqual(event)
})

test("a refusal comes before the stream", async () => {
  await expect(openEventStream(sequence(new Error("not yours")), new AbortController(), failure)).rejects.toThrow("not yours")
})

test("a failure after the beginning is the last event", async () => {
  const stream = await openEventStream(sequence({ type: "log" }, new Error("broken")), new AbortController(), failure)
  expect((await read(stream)).split("\n\n").slice(1)).toEqual([
    'event: log\ndata: {"type":"log"}',
    'event: error\ndata: {"error":"Error: broken"}',
    "",
  ])
})

test("silence is filled with comments, and the event that was waited for is not lost", async () => {
  const late = Promise.withResolvers<StreamedEvent>()
  async function* events(): AsyncGenerator<StreamedEvent> {
    yield await late.promise
  }
  const reader = (await openEventStream(events(), new AbortController(), failure, fast)).getReader()
  const next = async () => new TextDecoder().decode((await reader.read()).value)
  expect([await next(), await next(), await next()]).toEqual([": open\n\n", ": still here\n\n", ": still here\n\n"])
  late.resolve({ type: "end" })
  let text = await next()
  while (text.startsWith(":")) text = await next()
  expect(text).toBe('event: end\ndata: {"type":"end"}\n\n')
  expect((await reader.read()).done).toBe(true)
})

test("events are taken at the pace of the reader", async () => {
  let made = 0
  async function* endless(): AsyncGenerator<StreamedEvent> {
    for (;;) yield { type: `n${made++}` }
  }
  const stop = new AbortController()
  const reader = (await openEventStream(endless(), stop, failure)).getReader()
  for (let n = 0; n < 10; n++) await reader.read()
  expect(made).toBeLessThan(15)
  await reader.cancel()
  expect(stop.signal.aborted).toBe(true)
})

test("whoever stops reading stops the events", async () => {
  const stop = new AbortController()
  const stream = await openEventStream(sequence({ type: "log" }, never), stop, failure)
  await stream.cancel()
  expect(stop.signal.aborted).toBe(true)
})

test("stopping ends the stream, whatever the events wait for", async () => {
  const stop = new AbortController()
  const stream = await openEventStream(sequence({ type: "log" }, never), stop, failure)
  const text = read(stream)
  stop.abort()
  expect(await text).toContain(": open")
})

test("a failure that nobody waits for any more does no harm", async () => {
  const late = Promise.withResolvers<never>()
  const asked = Promise.withResolvers<void>()
  async function* events(): AsyncGenerator<StreamedEvent> {
    yield { type: "log" }
    asked.resolve()
    yield await late.promise
  }
  const reader = (await openEventStream(events(), new AbortController(), failure)).getReader()
  for (let n = 0; n < 2; n++) await reader.read()
  const last = reader.read()
  await asked.promise
  await reader.cancel()
  late.reject(new Error("too late"))
  expect((await last).done).toBe(true)
  await new Promise((resolve) => setTimeout(resolve))
})
