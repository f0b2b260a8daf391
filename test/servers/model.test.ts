// The scripted model server, read by the real providers of the AI SDK: what tests of agents rely on.
import { createAnthropic } from "@ai-sdk/anthropic"
import { createOpenAI } from "@ai-sdk/openai"
import { createOpenAICompatible } from "@ai-sdk/openai-compatible"
import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4Content, LanguageModelV4StreamPart } from "@ai-sdk/provider"
import { APICallError } from "@ai-sdk/provider"
import { afterEach, describe, expect, test } from "vitest"
import type { ModelScript, ModelServer, ModelServerOptions } from "./model.ts"
import { startModelServer } from "./model.ts"

const servers: ModelServer[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

async function start(script: ModelScript, options?: ModelServerOptions): Promise<ModelServer> {
  const server = await startModelServer(script, options)
  servers.push(server)
  return server
}

const providers: Readonly<Record<"chat" | "responses" | "messages", (server: ModelServer) => LanguageModelV4>> = {
  chat: (server) =>
    createOpenAICompatible({ name: "scripted", baseURL: server.baseUrl, apiKey: "key", includeUsage: true }).chatModel("scripted"),
  responses: (server) => createOpenAI({ baseURL: server.baseUrl, apiKey: "key" }).responses("gpt-5"),
  messages: (server) => createAnthropic({ baseURL: server.baseUrl, apiKey: "key" }).languageModel("claude-sonnet-4-5"),
}
const apis = ["chat", "responses", "messages"] as const

const question: LanguageModelV4CallOptions = {
  prompt: [
    { role: "system", content: "You add numbers." },
    { role: "user", content: [{ type: "text", text: "What is 2 + 3?" }] },
  ],
  tools: [
    {
      type: "function",
      name: "add",
      inputSchema: { type: "object", properties: { a: { type: "number" }, b: { type: "number" } }, additionalProperties: false },
    },
  ],
}

const callsIn = (
  content: readonly (LanguageModelV4Content | LanguageModelV4StreamPart)[],
): { id: string; name: string; input: unknown }[] =>
  content.flatMap((part) =>
    part.type === "tool-call" ? [{ id: part.toolCallId, name: part.toolName, input: JSON.parse(part.input) as unknown }] : [],
  )

async function partsOf(model: LanguageModelV4, options: LanguageModelV4CallOptions = question): Promise<LanguageModelV4StreamPart[]> {
  const { stream } = await model.doStream(options)
  const parts: LanguageModelV4StreamPart[] = []
  for await (const part of stream) parts.push(part)
  return parts
}

const textIn = (parts: readonly LanguageModelV4StreamPart[]): string =>
  parts.map((part) => (part.type === "text-delta" ? part.delta : "")).join("")

describe.each(apis)("the %s API", (api) => {
  const turn = {
    reasoning: "Two numbers, one sum: a tool can do that.",
    text: "I will add them, twice.",
    calls: [
      { name: "add", arguments: { a: 2, b: 3 } },
      { name: "add", arguments: '{"a":20,"b":30}', id: "call_mine" },
    ],
    usage: { input: 70, output: 30 },
  }

  test("an answer in one piece", async () => {
    const server = await start([turn])
    const answer = await providers[api](server).doGenerate(question)
    expect(answer.content.flatMap((part) => (part.type === "text" ? [part.text] : []))).toEqual(["I will add them, twice."])
    expect(answer.content.flatMap((part) => (part.type === "reasoning" ? [part.text] : []))).toEqual([turn.reasoning])
    expect(callsIn(answer.content)).toEqual([
      { id: "call_1_0", name: "add", input: { a: 2, b: 3 } },
      { id: "call_mine", name: "add", input: { a: 20, b: 30 } },
    ])
    expect(answer.finishReason.unified).toBe("tool-calls")
    expect([answer.usage.inputTokens.total, answer.usage.outputTokens.total]).toEqual([70, 30])
  })

  test("an answer in pieces", async () => {
    const server = await start([turn])
    const parts = await partsOf(providers[api](server))
    expect(parts.filter((part) => part.type === "text-delta").length).toBeGreaterThan(1)
    expect(textIn(parts)).toBe("I will add them, twice.")
    expect(parts.map((part) => (part.type === "reasoning-delta" ? part.delta : "")).join("")).toBe(turn.reasoning)
    expect(callsIn(parts)).toEqual([
      { id: "call_1_0", name: "add", input: { a: 2, b: 3 } },
      { id: "call_mine", name: "add", input: { a: 20, b: 30 } },
    ])
    const end = parts.find((part) => part.type === "finish")
    expect(end?.finishReason.unified).toBe("tool-calls")
    expect([end?.usage.inputTokens.total, end?.usage.outputTokens.total]).toEqual([70, 30])
  })

  test("the request, with the outputs of earlier calls", async () => {
    const server = await start([turn, (request) => ({ text: `The sums are ${request.outputs.map(({ text }) => text).join(" and ")}` })])
    const model = providers[api](server)
    const first = await model.doGenerate(question)
    const output = (toolCallId: string, value: string) => ({
      type: "tool-result" as const,
      toolCallId,
      toolName: "add",
      output: { type: "text" as const, value },
    })
    const second = await model.doGenerate({
      ...question,
      prompt: [
        ...question.prompt,
        { role: "assistant", content: first.content.filter((part) => part.type === "text").map(({ text }) => ({ type: "text", text })) },
        {
          role: "assistant",
          content: callsIn(first.content).map(({ id, name, input }) => ({ type: "tool-call", toolCallId: id, toolName: name, input })),
        },
        { role: "tool", content: [output("call_1_0", "5"), output("call_mine", "50")] },
      ],
    })
    expect(second.content).toMatchObject([{ type: "text", text: "The sums are 5 and 50" }])
    const seen = await server.request(2)
    expect(seen).toMatchObject({ api, number: 2, stream: false, tools: ["add"], system: "You add numbers.", userText: "What is 2 + 3?" })
    expect(seen.outputs).toEqual([
      { callId: "call_1_0", text: "5" },
      { callId: "call_mine", text: "50" },
    ])
    expect(server.requests.map(({ number }) => number)).toEqual([1, 2])
  })

  test("a stream that a test holds", async () => {
    const end = Promise.withResolvers<void>()
    const server = await start([{ text: "Done.", hold: ({ part }) => (part === "end" ? end.promise : undefined) }])
    const { stream } = await providers[api](server).doStream(question)
    const reader = stream.getReader()
    const seen: LanguageModelV4StreamPart[] = []
    while (textIn(seen) !== "Done.") seen.push((await reader.read()).value!)
    expect(seen.some((part) => part.type === "finish")).toBe(false)
    end.resolve()
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) seen.push(piece.value)
    expect(seen.at(-1)).toMatchObject({ type: "finish", finishReason: { unified: "stop" } })
  })

  test("a client that goes away is noticed", async () => {
    const server = await start([{ fail: "hang" }])
    const stop = new AbortController()
    const answer = providers[api](server).doGenerate({ ...question, abortSignal: stop.signal })
    const seen = await server.request(1)
    const gone = new Promise((resolve) => seen.gone.addEventListener("abort", resolve))
    stop.abort()
    await expect(answer).rejects.toThrow(/abort/i)
    await gone
  })

  test.each([
    ["429 with a time", { fail: "rate_limit", retryAfter: "7" }, 429, /Rate limit/, "7"],
    ["429 without a time", { fail: "rate_limit" }, 429, /Rate limit/, undefined],
    ["500", { fail: "status", status: 500, message: "Broken inside." }, 500, /Broken inside/, undefined],
    ["a context that is too long", { fail: "context_too_long", limit: 100 }, 400, /too long|maximum context length/, undefined],
  ] as const)("%s", async (_, failure, status, message, retryAfter) => {
    const server = await start([failure, failure])
    const model = providers[api](server)
    for (const answer of [model.doGenerate(question), model.doStream(question)]) {
      const error = await Promise.resolve(answer).catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(APICallError)
      if (!APICallError.isInstance(error)) return
      expect(error.statusCode).toBe(status)
      expect(error.message).toMatch(message)
      expect(error.responseHeaders?.["retry-after"]).toBe(retryAfter)
    }
  })

  test.each([
    ["invalid JSON", { fail: "invalid_json" }],
    ["a page of a proxy", { fail: "content_type" }],
    ["an empty body", { fail: "empty_body" }],
    ["half a body", { fail: "half_stream", frames: 1, answer: { text: "Half of this" } }],
    ["a connection that breaks off", { fail: "disconnect", frames: 1, answer: { text: "Half of this" } }],
    ["a connection that never answers", { fail: "disconnect" }],
  ] as const)("%s is an error of an answer in one piece", async (_, failure) => {
    const server = await start([failure])
    await expect(providers[api](server).doGenerate(question)).rejects.toThrow()
  })

  test("a stream that breaks off, that ends early, or that says an error", async () => {
    const answer = { text: "Half of this text arrives, and then nothing more." }
    const server = await start([
      { fail: "disconnect", frames: 5, answer },
      { fail: "half_stream", frames: 5, answer },
      { fail: "stream_error", frames: 5, answer, message: "Overloaded" },
    ])
    const model = providers[api](server)
    await expect(partsOf(model)).rejects.toThrow()
    const early = await partsOf(model).catch((error: unknown) => [{ type: "error" as const, error }])
    expect(early.some((part) => part.type === "finish" && part.finishReason.unified === "stop")).toBe(false)
    const failed = await partsOf(model)
    expect(JSON.stringify(failed.filter((part) => part.type === "error"))).toContain("Overloaded")
  })

  test("a script that is at its end says so", async () => {
    const server = await start([])
    await expect(providers[api](server).doGenerate(question)).rejects.toThrow("The script has 0 turns, and this is request 1")
  })

  test("keys, when the server wants one", async () => {
    const server = await start([{ text: "in" }], { apiKey: "another" })
    await expect(providers[api](server).doGenerate(question)).rejects.toThrow("Incorrect API key provided.")
    expect(server.requests).toEqual([])
  })
})

describe("calls that only the Responses API has", () => {
  const tools: LanguageModelV4CallOptions["tools"] = [
    { type: "provider", id: "openai.custom", name: "apply_patch", args: { description: "Applies a patch" } },
    { type: "provider", id: "openai.local_shell", name: "local_shell", args: {} },
  ]
  const turn = {
    calls: [
      { type: "custom", name: "apply_patch", input: "*** Begin Patch\n*** End Patch" },
      { type: "local_shell", command: ["ls", "-l"], workdir: "/", timeoutMs: 1000 },
    ],
  } as const
  const shell = { action: { type: "exec", command: ["ls", "-l"], workingDirectory: "/", timeoutMs: 1000 } }

  test("in one piece and in pieces", async () => {
    const server = await start([turn, turn])
    const model = providers.responses(server)
    const whole = await model.doGenerate({ ...question, tools })
    expect(callsIn(whole.content).map(({ name }) => name)).toEqual(["apply_patch", "local_shell"])
    expect(callsIn(whole.content)[0]?.input).toBe("*** Begin Patch\n*** End Patch")
    expect(callsIn(whole.content)[1]?.input).toMatchObject({ action: { command: shell.action.command } })
    const parts = await partsOf(model, { ...question, tools })
    expect(callsIn(parts).map(({ id, name }) => [id, name])).toEqual([
      ["call_2_0", "apply_patch"],
      ["call_2_1", "local_shell"],
    ])
    expect(callsIn(parts)[0]?.input).toBe("*** Begin Patch\n*** End Patch")
    expect((await server.request(1)).tools).toEqual(["apply_patch", "local_shell"])
  })

  test("a local shell call without an id, as it is on the wire", async () => {
    const server = await start([{ calls: [{ type: "local_shell", command: ["ls"], id: null }] }])
    const response = await fetch(`${server.baseUrl}/responses`, { method: "POST", body: JSON.stringify({ model: "m", input: "list" }) })
    const { output } = (await response.json()) as { output: object[] }
    expect(output).toMatchObject([{ type: "local_shell_call", id: "lsh_1_0", action: { type: "exec", command: ["ls"] } }])
    expect(output[0]).not.toHaveProperty("call_id")
  })

  test("elsewhere the script is refused with a reason", async () => {
    const server = await start([turn, turn])
    await expect(providers.messages(server).doGenerate(question)).rejects.toThrow("The Messages API has no custom calls")
    await expect(providers.chat(server).doGenerate(question)).rejects.toThrow("Chat completions have no local_shell calls")
  })
})

test("arguments that are no JSON reach the client as they are", async () => {
  const calls = [{ name: "add", arguments: '{"a": 2, ' }]
  const server = await start([{ calls }, { calls }, { calls: [{ name: "add", arguments: "" }] }])
  const inputs = (parts: readonly (LanguageModelV4Content | LanguageModelV4StreamPart)[]): string[] =>
    parts.flatMap((part) => (part.type === "tool-call" ? [part.input] : []))
  expect(inputs((await providers.chat(server).doGenerate(question)).content)).toEqual(['{"a": 2, '])
  expect(inputs((await providers.responses(server).doGenerate(question)).content)).toEqual(['{"a": 2, '])
  expect(inputs((await providers.chat(server).doGenerate(question)).content)).toEqual([""])
})

test("an answer without content, and one that was cut", async () => {
  const server = await start([{}, { text: "Too mu", finish: "length" }])
  expect((await providers.chat(server).doGenerate(question)).content).toEqual([])
  const cut = await providers.responses(server).doGenerate(question)
  expect(cut.finishReason.unified).toBe("length")
})

test("one function as a script, replaced while the server runs", async () => {
  const server = await start((request) => ({ text: `Answer ${request.number}` }))
  const model = providers.chat(server)
  const ask = async (): Promise<unknown> => (await model.doGenerate(question)).content
  expect(await ask()).toMatchObject([{ text: "Answer 1" }])
  server.script([{ text: "Scripted" }])
  expect(await ask()).toMatchObject([{ text: "Scripted" }])
})

describe("embeddings", () => {
  const dot = (a: readonly number[], b: readonly number[]): number => a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0)

  test("texts that share words are near each other, and vectors have the dimensions that were asked for", async () => {
    const server = await start([], { dimensions: 256 })
    const model = createOpenAICompatible({ name: "scripted", baseURL: server.baseUrl, apiKey: "key" }).embeddingModel("vectors")
    const values = ["How do I pay an invoice?", "Paying invoices: how it works", "The cat sleeps on the sofa"]
    const { embeddings, usage } = await model.doEmbed({ values })
    const [pay, paying, cat] = embeddings as [number[], number[], number[]]
    expect(pay).toHaveLength(256)
    expect(dot(pay, pay)).toBeCloseTo(1)
    expect(dot(pay, paying)).toBeGreaterThan(dot(pay, cat))
    expect(usage?.tokens).toBeGreaterThan(0)
    expect((await model.doEmbed({ values })).embeddings).toEqual(embeddings)
    const small = await createOpenAI({ baseURL: server.baseUrl, apiKey: "key" })
      .embedding("text-embedding-3-small")
      .doEmbed({ values, providerOptions: { openai: { dimensions: 8 } } })
    expect(small.embeddings.map((vector) => vector.length)).toEqual([8, 8, 8])
    expect(server.embeddings.map(({ inputs }) => inputs.length)).toEqual([3, 3, 3])
  })

  test("fail when the test says so", async () => {
    const server = await start([], { failEmbedding: ({ inputs }) => (inputs.length > 1 ? { fail: "status", status: 503 } : undefined) })
    const model = createOpenAICompatible({ name: "scripted", baseURL: server.baseUrl, apiKey: "key" }).embeddingModel("vectors")
    await expect(model.doEmbed({ values: ["a", "b"] })).rejects.toThrow("status 503")
    expect((await model.doEmbed({ values: [""] })).embeddings[0]).toHaveLength(64)
  })
})

test("models are listed; other paths and bodies are refused with a reason", async () => {
  const server = await start([], { models: ["one", "two"] })
  const list = (await (await fetch(`${server.baseUrl}/models`)).json()) as { data: { id: string }[] }
  expect(list.data.map(({ id }) => id)).toEqual(["one", "two"])
  const status = async (path: string, body: string): Promise<number> =>
    (await fetch(`${server.baseUrl}${path}`, { method: "POST", body })).status
  expect(await status("/nowhere", "{}")).toBe(404)
  expect(await status("/chat/completions", "{nothing")).toBe(400)
  expect(server.requests).toEqual([])
})
