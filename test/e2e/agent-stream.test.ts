// Calls start while a model still streams its answer, over each API, and every call is answered in the next request.
import { createOpenAI } from "@ai-sdk/openai"
import { afterEach, expect, test } from "vitest"
import {
  ToolCallRuntime,
  ToolRouter,
  createChatStreamReader,
  readLanguageModelAnswer,
  toChatMessages,
  toChatTools,
  toLanguageModelMessage,
  toLanguageModelTools,
  toResponsesInput,
  toResponsesTools,
} from "../../src/agent-tools/index.ts"
import type { ResponseItem } from "../../src/agent-tools/index.ts"
import { startModelServer } from "../servers/model.ts"
import type { ModelServer } from "../servers/model.ts"

let server: ModelServer
afterEach(() => server.close())

/** A server whose answer ends only after its first call has started here, and an agent with one tool. */
async function start() {
  const started = Promise.withResolvers<void>()
  server = await startModelServer([
    {
      text: "Looking.",
      calls: [
        { name: "look", arguments: { at: "first" }, id: "c1" },
        { name: "look", arguments: "{broken", id: "c2" },
      ],
      hold: ({ part }) => (part === "end" ? started.promise : undefined),
    },
    { text: "Done." },
  ])
  const router = ToolRouter.fromConfig({}, null, [
    {
      name: "look",
      description: "Looks",
      parameters: { type: "object", properties: { at: { type: "string" } } },
      parallel: true,
      mutating: false,
      call: async (args) => {
        started.resolve()
        return `saw ${JSON.stringify(args)}`
      },
    },
  ])
  const runtime = new ToolCallRuntime({ router, session: {}, turn: { toolCallGate: { waitReady: async () => {} } } })
  return { router, batch: runtime.startBatch() }
}

const saw = 'saw {"at":"first"}'
const failed = expect.stringContaining("failed to parse function arguments: ")

async function* events(path: string, body: object): AsyncGenerator {
  const response = await fetch(`${server.baseUrl}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "scripted", ...body }),
  })
  let rest = ""
  for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const lines = (rest + piece).split("\n")
    rest = lines.pop() ?? ""
    for (const line of lines) if (line.startsWith("data: {")) yield JSON.parse(line.slice("data: ".length))
  }
}

test("chat completions", async () => {
  const { router, batch } = await start()
  const reader = createChatStreamReader(router.specs)
  const request = { stream: true, tools: toChatTools(router.specs) }
  const messages: unknown[] = [{ role: "user", content: "Look" }]
  for await (const chunk of events("/chat/completions", { ...request, messages })) for (const item of reader.push(chunk)) batch.add(item)
  const { message, items } = reader.end()
  for (const item of items) batch.add(item)
  messages.push(message, ...toChatMessages(await batch.outputs()))
  for await (const chunk of events("/chat/completions", { ...request, messages })) expect(reader.push(chunk)).toEqual([])
  expect(server.requests[1]?.body["messages"]).toMatchObject([
    { role: "user" },
    { role: "assistant", content: "Looking.", tool_calls: [{ id: "c1" }, { id: "c2" }] },
    { role: "tool", tool_call_id: "c1", content: saw },
    { role: "tool", tool_call_id: "c2", content: failed },
  ])
})

test("Responses", async () => {
  const { router, batch } = await start()
  const request = { stream: true, tools: toResponsesTools(router.specs) }
  const input: unknown[] = [{ role: "user", content: "Look" }]
  for await (const event of events("/responses", { ...request, input })) {
    const { type, item } = event as { type: string; item: ResponseItem } // as the API documents its events
    if (type !== "response.output_item.done") continue
    input.push(item)
    batch.add(item)
  }
  input.push(...toResponsesInput(await batch.outputs()))
  for await (const event of events("/responses", { ...request, input }))
    expect(event).not.toMatchObject({ item: { type: "function_call" } })
  const sent = server.requests[1]?.body["input"]
  expect(Array.isArray(sent) ? sent.slice(-2) : sent).toEqual([
    { type: "function_call_output", call_id: "c1", output: saw },
    { type: "function_call_output", call_id: "c2", output: failed },
  ])
})

test("the AI SDK", async () => {
  const { router, batch } = await start()
  const model = createOpenAI({ baseURL: server.baseUrl, apiKey: "k" }).responses("scripted")
  const tools = toLanguageModelTools(router.specs, model)
  const user = { role: "user" as const, content: [{ type: "text" as const, text: "Look" }] }
  const { stream } = await model.doStream({ prompt: [user], tools })
  const answers = []
  for await (const part of stream) {
    if (part.type !== "tool-call") continue
    const answer = readLanguageModelAnswer([part], router.specs)
    for (const item of answer.items) batch.add(item)
    answers.push(answer)
  }
  const reply = toLanguageModelMessage(
    await batch.outputs(),
    answers.flatMap(({ items }) => items),
  )
  const assistant = { role: "assistant" as const, content: answers.flatMap(({ parts }) => parts) }
  await model.doGenerate({ prompt: [user, assistant, reply], tools })
  expect(server.requests[1]?.body["input"]).toMatchObject([
    { role: "user" },
    { type: "function_call", call_id: "c1", arguments: '{"at":"first"}' },
    { type: "function_call", call_id: "c2", arguments: '{"unreadable_arguments":"{broken"}' },
    { type: "function_call_output", call_id: "c1", output: saw },
    { type: "function_call_output", call_id: "c2", output: failed },
  ])
})
