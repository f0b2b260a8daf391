// Streamed chat completions, as the servers of this world send them.
import { expect, test } from "vitest"
import type { ToolSpec } from "../tool.ts"
import { createChatStreamReader } from "./chat-stream.ts"

const specs: readonly ToolSpec[] = [{ type: "freeform", name: "note", description: "" }]
const chunk = (...tool_calls: readonly unknown[]) => ({ choices: [{ index: 0, delta: { tool_calls } }] })
const said = (content: string) => ({ choices: [{ index: 0, delta: { content } }] })
const call = (name: string, call_id: unknown, text: string) => ({ type: "function_call", name, call_id, arguments: text })

test("a call is given as soon as the next one begins, and the last one at the end", () => {
  const reader = createChatStreamReader(specs)
  expect(reader.push(said("Let me "))).toEqual([])
  expect(reader.push(said("look."))).toEqual([])
  expect(reader.push(chunk({ index: 0, id: "a", type: "function", function: { name: "one", arguments: "" } }))).toEqual([])
  expect(reader.push(chunk({ index: 0, function: { arguments: '{"x"' } }))).toEqual([])
  expect(reader.push(chunk({ index: 0, function: { arguments: ":1}" } }))).toEqual([])
  expect(reader.push(chunk({ index: 1, id: "b", function: { name: "note", arguments: '{"input":"hi"}' } }))).toEqual([
    call("one", "a", '{"x":1}'),
  ])
  const { message, items } = reader.end()
  expect(items).toEqual([{ type: "custom_tool_call", name: "note", call_id: "b", input: "hi" }])
  expect(message).toEqual({
    role: "assistant",
    content: "Let me look.",
    tool_calls: [
      { id: "a", type: "function", function: { name: "one", arguments: '{"x":1}' } },
      { id: "b", type: "function", function: { name: "note", arguments: '{"input":"hi"}' } },
    ],
  })
})

test("calls that share an index are told apart by their ids, those without an index by their order", () => {
  for (const index of [0, undefined]) {
    const reader = createChatStreamReader(specs)
    const pieces = ["a", "b"].map((id) => ({ index, id, function: { name: id, arguments: "{}" } }))
    expect(pieces.flatMap((piece) => reader.push(chunk(piece)))).toEqual([call("a", "a", "{}")])
    expect(reader.end().items).toEqual([call("b", "b", "{}")])
  }
})

test("ids and names that are repeated in every piece belong to one call", () => {
  const reader = createChatStreamReader(specs)
  for (const text of ['{"a"', ":1}"]) reader.push(chunk({ index: 0, id: "a", function: { name: "one", arguments: text } }))
  expect(reader.end().items).toEqual([call("one", "a", '{"a":1}')])
})

test("calls whose pieces are mixed wait until they are whole", () => {
  const reader = createChatStreamReader(specs)
  expect(reader.push(chunk({ index: 0, id: "a", function: { name: "one", arguments: "{" } }))).toEqual([])
  expect(reader.push(chunk({ index: 1, id: "b", function: { name: "two", arguments: "{" } }))).toEqual([])
  expect(reader.push(chunk({ index: 0, function: { arguments: "}" } }))).toEqual([call("one", "a", "{}")])
  expect(reader.push(chunk({ index: 1, function: { arguments: "}" } }))).toEqual([])
  expect(reader.end().items).toEqual([call("two", "b", "{}")])
})

test("broken arguments, missing ids and chunks of no shape break nothing", () => {
  const reader = createChatStreamReader(specs)
  for (const piece of [null, "text", {}, { choices: [] }, { choices: [{ delta: { tool_calls: "no" } }] }])
    expect(reader.push(piece)).toEqual([])
  reader.push(chunk({ index: 0, function: { name: "one", arguments: "{bad" } }, { index: 1, function: { name: "two" } }))
  const { message, items } = reader.end()
  expect(items).toEqual([call("one", expect.stringMatching(/^call_/), "{bad"), call("two", expect.stringMatching(/^call_/), "")])
  expect(message).toMatchObject({
    content: null,
    tool_calls: [{ function: { arguments: '{"unreadable_arguments":"{bad"}' } }, { function: { arguments: "{}" } }],
  })
})

test("an answer without calls is its text", () => {
  const reader = createChatStreamReader(specs)
  reader.push(said("Done."))
  expect(reader.end()).toEqual({ message: { role: "assistant", content: "Done." }, items: [] })
})
