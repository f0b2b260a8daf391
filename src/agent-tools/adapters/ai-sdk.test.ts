// The AI SDK's own providers against an HTTP server: what they send of our tools, and what they make of calls.
import { type Server, createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { createOpenAI } from "@ai-sdk/openai"
import { createOpenAICompatible } from "@ai-sdk/openai-compatible"
import type { LanguageModelV4, LanguageModelV4Prompt } from "@ai-sdk/provider"
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest"
import type { ResponseInputItem } from "../response-item.ts"
import type { ToolSpec } from "../tool.ts"
import { readLanguageModelAnswer, toLanguageModelMessage, toLanguageModelTools } from "./ai-sdk.ts"

const format = { type: "grammar", syntax: "lark", definition: "start: /.+/" } as const
const specs: readonly ToolSpec[] = [
  { type: "function", name: "read", description: "Reads", parameters: { type: "object", properties: {} } },
  { type: "freeform", name: "patch", description: "Patches", format },
]
const user: LanguageModelV4Prompt[number] = { role: "user", content: [{ type: "text", text: "Go" }] }

let server: Server
let baseURL: string
let requests: Record<string, unknown>[]
let answers: unknown[]

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      requests.push(JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>) // sent by the provider
      response.setHeader("content-type", "application/json").end(JSON.stringify(answers.shift()))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}` // a TCP server's address
})
beforeEach(() => {
  requests = []
  answers = []
})
afterAll(() => server.close())

/** One round: the model calls, and gets the outputs in its next request. */
async function round(model: LanguageModelV4, outputs: readonly ResponseInputItem[]) {
  const tools = toLanguageModelTools(specs, model)
  const { content } = await model.doGenerate({ prompt: [user], tools })
  const { parts, items } = readLanguageModelAnswer(content, specs)
  const reply = toLanguageModelMessage(outputs, items)
  await model.doGenerate({ prompt: [user, { role: "assistant", content: [...parts] }, reply], tools })
  return items
}

const responsesAnswer = (output: readonly unknown[]) => ({
  id: "resp_1",
  created_at: 1,
  model: "m",
  output,
  usage: { input_tokens: 1, output_tokens: 1 },
})

test("a Responses model gets freeform tools as custom ones, and its custom calls come back as such", async () => {
  const call = { type: "custom_tool_call", id: "ctc_1", call_id: "c1", name: "patch", input: '*** Begin "Patch"' }
  answers = [responsesAnswer([call]), responsesAnswer([])]
  const model = createOpenAI({ baseURL, apiKey: "k" }).responses("m")
  const items = await round(model, [{ type: "custom_tool_call_output", call_id: "c1", output: "Success." }])
  expect(items).toEqual([{ type: "custom_tool_call", name: "patch", call_id: "c1", input: '*** Begin "Patch"' }])
  expect(requests[0]?.["tools"]).toMatchObject([
    { type: "function", name: "read" },
    { type: "custom", name: "patch", format },
  ])
  const input = JSON.stringify(requests[1]?.["input"])
  expect(input).toContain(JSON.stringify({ type: "custom_tool_call_output", call_id: "c1", output: "Success." }).slice(1, -1))
})

const chatAnswer = (tool_calls: readonly unknown[]) => ({
  id: "1",
  created: 1,
  model: "m",
  choices: [{ index: 0, finish_reason: "tool_calls", message: { role: "assistant", content: null, tool_calls } }],
})

test("a chat model gets freeform tools as functions; broken arguments neither end the conversation nor are lost", async () => {
  const calls = [
    { id: "c1", type: "function", function: { name: "patch", arguments: '{"input":"*** Begin Patch"}' } },
    { id: "c2", type: "function", function: { name: "read", arguments: "{bad json" } },
    { id: "c3", type: "function", function: { name: "read", arguments: "" } },
  ]
  answers = [chatAnswer(calls), chatAnswer([])]
  const model = createOpenAICompatible({ baseURL, name: "local" })("m")
  const items = await round(model, [
    { type: "custom_tool_call_output", call_id: "c1", output: "Success." },
    { type: "function_call_output", call_id: "c2", output: { content: "failed to parse function arguments", success: false } },
    { type: "function_call_output", call_id: "c3", output: { content: "read" } },
  ])
  expect(items).toEqual([
    { type: "custom_tool_call", name: "patch", call_id: "c1", input: "*** Begin Patch" },
    { type: "function_call", name: "read", call_id: "c2", arguments: "{bad json" },
    { type: "function_call", name: "read", call_id: "c3", arguments: "" },
  ])
  const tools = requests[0]?.["tools"]
  expect(tools).toMatchObject([{ function: { name: "read" } }, { function: { name: "patch", parameters: { required: ["input"] } } }])
  expect(requests[1]?.["messages"]).toMatchObject([
    { role: "user" },
    {
      role: "assistant",
      tool_calls: [
        { id: "c1", function: { arguments: '{"input":"*** Begin Patch"}' } },
        { id: "c2", function: { arguments: '{"unreadable_arguments":"{bad json"}' } },
        { id: "c3", function: { arguments: "{}" } },
      ],
    },
    { role: "tool", tool_call_id: "c1", content: "Success." },
    { role: "tool", tool_call_id: "c2", content: "failed to parse function arguments" },
    { role: "tool", tool_call_id: "c3", content: "read" },
  ])
})

test("the provider's own shell tool is a local shell call, and what the provider executes is left out", () => {
  const action = { type: "exec", command: ["ls"] }
  const { items, parts } = readLanguageModelAnswer(
    [
      { type: "text", text: "Hm." },
      { type: "tool-call", toolCallId: "s", toolName: "local_shell", input: JSON.stringify({ action }) },
      { type: "tool-call", toolCallId: "w", toolName: "web_search", input: "{}", providerExecuted: true },
    ],
    specs,
  )
  expect(items).toEqual([{ type: "local_shell_call", call_id: "s", action }])
  expect(parts.map(({ toolCallId }) => toolCallId)).toEqual(["s"])
  const output: ResponseInputItem = { type: "function_call_output", call_id: "s", output: { content: "a.txt" } }
  expect(toLanguageModelMessage([output], items).content).toMatchObject([
    { toolName: "local_shell", output: { type: "json", value: { output: "a.txt" } } },
  ])
})

test("images are files", () => {
  const contentItems = ["data:image/png;base64,AAAA", "https://example.com/a.png", "nonsense"].map((image_url) => ({
    type: "input_image" as const,
    image_url,
  }))
  const output: ResponseInputItem = { type: "function_call_output", call_id: "c", output: { content: "", contentItems } }
  const item = { type: "function_call", name: "read", call_id: "c", arguments: "" }
  expect(toLanguageModelMessage([output], [item]).content[0]).toEqual({
    type: "tool-result",
    toolCallId: "c",
    toolName: "read",
    output: {
      type: "content",
      value: [
        { type: "file", mediaType: "image/png", data: { type: "data", data: "AAAA" } },
        { type: "file", mediaType: "image/*", data: { type: "url", url: new URL("https://example.com/a.png") } },
        { type: "text", text: "[an image without a valid address: nonsense]" },
      ],
    },
  })
})
