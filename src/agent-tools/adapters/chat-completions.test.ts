// Chat completions: what servers send, what they are sent, and histories that every server accepts.
import { expect, test } from "vitest"
import type { ResponseInputItem } from "../response-item.ts"
import type { ToolSpec } from "../tool.ts"
import { readChatAnswer, toChatMessages, toChatTools } from "./chat-completions.ts"
import { toResponsesInput, toResponsesTools } from "./responses.ts"

const format = { type: "grammar", syntax: "lark", definition: "start: /.+/" } as const
const specs: readonly ToolSpec[] = [
  { type: "function", name: "read", description: "Reads", parameters: { type: "object" } },
  { type: "freeform", name: "patch", description: "Patches", format },
  { type: "freeform", name: "note", description: "Notes" },
]

test("tools are functions, and freeform ones take their input as one text", () => {
  const [read, patch, note] = toChatTools(specs)
  expect(read).toEqual({ type: "function", function: { name: "read", description: "Reads", parameters: { type: "object" } } })
  expect(patch?.function.parameters).toMatchObject({
    properties: { input: { type: "string", description: expect.stringContaining("lark grammar:\nstart: /.+/") } },
    required: ["input"],
  })
  expect(note?.function.parameters).toMatchObject({ properties: { input: { description: "The whole input of the tool" } } })
})

const functionCall = (id: unknown, name: unknown, args: unknown) => ({ id, type: "function", function: { name, arguments: args } })

test("calls become items, by what the tool is", () => {
  const tool_calls = [
    functionCall("a", "read", '{"path":"x"}'),
    functionCall("b", "patch", '{"input":"*** Begin Patch"}'),
    functionCall("c", "note", "just text"),
    { id: "d", type: "custom", custom: { name: "note", input: "custom text" } },
  ]
  const { message, items } = readChatAnswer({ role: "assistant", content: "Hm.", tool_calls }, specs)
  expect(items).toEqual([
    { type: "function_call", name: "read", call_id: "a", arguments: '{"path":"x"}' },
    { type: "custom_tool_call", name: "patch", call_id: "b", input: "*** Begin Patch" },
    { type: "custom_tool_call", name: "note", call_id: "c", input: "just text" },
    { type: "custom_tool_call", name: "note", call_id: "d", input: "custom text" },
  ])
  expect(message).toMatchObject({ role: "assistant", content: "Hm." })
  expect(message.tool_calls?.[0]).toEqual(functionCall("a", "read", '{"path":"x"}'))
})

test("ids that are missing or used twice are replaced, the same in the history and in the items", () => {
  const tool_calls = ["x", "x", "", undefined].map((id) => functionCall(id, "read", "{}"))
  const { message, items } = readChatAnswer({ content: null, tool_calls }, specs)
  const ids = items.map((item) => ("call_id" in item ? item.call_id : null))
  expect(new Set(ids).size).toBe(4)
  expect(ids[0]).toBe("x")
  expect(message.tool_calls?.map(({ id }) => id)).toEqual(ids)
})

test("the items keep what the model wrote, and the history is one that servers accept", () => {
  const tool_calls = ["", "{bad json", '"12"', { a: 1 }].map((args, index) => functionCall(`c${index}`, "read", args))
  const { message, items } = readChatAnswer({ tool_calls }, specs)
  expect(items.map((item) => ("arguments" in item ? item.arguments : null))).toEqual(["", "{bad json", '"12"', '{"a":1}'])
  expect(message.tool_calls?.map((call) => JSON.parse(call.function.arguments) as unknown)).toEqual([
    {},
    { unreadable_arguments: "{bad json" },
    { unreadable_arguments: '"12"' },
    { a: 1 },
  ])
})

test("a call without a name, or of no shape at all, breaks nothing", () => {
  const { message, items } = readChatAnswer({ tool_calls: [{ id: "a" }, null, 7, functionCall("b", 3, null)] }, specs)
  expect(items).toMatchObject([
    { type: "function_call", name: "", call_id: "a" },
    { type: "function_call", name: "", call_id: "b" },
  ])
  expect(message.tool_calls?.map((call) => call.function.name)).toEqual(["unknown", "unknown"])
  expect(readChatAnswer({ content: "Done", tool_calls: "no" }, specs)).toEqual({
    message: { role: "assistant", content: "Done" },
    items: [],
  })
})

const image = { type: "input_image", image_url: "data:image/png;base64,AAAA" } as const
const outputs: readonly ResponseInputItem[] = [
  { type: "function_call_output", call_id: "a", output: { content: "text", success: true } },
  { type: "custom_tool_call_output", call_id: "b", output: "Success." },
  {
    type: "function_call_output",
    call_id: "c",
    output: { content: "", contentItems: [{ type: "input_text", text: "see" }, image] },
  },
  {
    type: "mcp_tool_call_output",
    call_id: "d",
    result: {
      ok: true,
      value: {
        content: [
          { type: "text", text: "one" },
          { type: "resource_link", name: "two", uri: "file:///two" },
          { type: "resource", resource: { uri: "file:///three", text: "three" } },
          { type: "audio", mimeType: "audio/wav", data: "" },
        ],
      },
    },
  },
  {
    type: "mcp_tool_call_output",
    call_id: "e",
    result: { ok: true, value: { content: [{ type: "text", text: "{}" }], structuredContent: { n: 1 } } },
  },
  { type: "mcp_tool_call_output", call_id: "f", result: { ok: false, error: "gone" } },
]

test("outputs become messages of tools, and their images follow", () => {
  expect(toChatMessages(outputs)).toEqual([
    { role: "tool", tool_call_id: "a", content: "text" },
    { role: "tool", tool_call_id: "b", content: "Success." },
    { role: "tool", tool_call_id: "c", content: "see" },
    { role: "tool", tool_call_id: "d", content: "one\ntwo: file:///two\nthree\n[audio of type audio/wav]" },
    { role: "tool", tool_call_id: "e", content: '{"n":1}' },
    { role: "tool", tool_call_id: "f", content: "gone" },
    {
      role: "user",
      content: [
        { type: "text", text: "Images of the tool call c:" },
        { type: "image_url", image_url: { url: image.image_url } },
      ],
    },
  ])
})

test("the Responses API gets tools and outputs in its own form", () => {
  expect(toResponsesTools(specs)).toEqual([
    { type: "function", name: "read", description: "Reads", parameters: { type: "object" }, strict: false },
    { type: "custom", name: "patch", description: "Patches", format },
    { type: "custom", name: "note", description: "Notes" },
  ])
  expect(toResponsesInput(outputs).map(({ type, call_id, output }) => [type, call_id, output])).toEqual([
    ["function_call_output", "a", "text"],
    ["custom_tool_call_output", "b", "Success."],
    ["function_call_output", "c", [{ type: "input_text", text: "see" }, image]],
    ["function_call_output", "d", "one\ntwo: file:///two\nthree\n[audio of type audio/wav]"],
    ["function_call_output", "e", '{"n":1}'],
    ["function_call_output", "f", "gone"],
  ])
})
