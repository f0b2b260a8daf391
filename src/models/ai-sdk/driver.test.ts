// Asks a real model server in its three dialects: answers, what is handed back, and every way of failing.
import { afterEach, describe, expect, test } from "vitest"
import { startModelServer } from "../../../test/servers/model.ts"
import type { ModelScript, ModelServer, ModelServerOptions } from "../../../test/servers/model.ts"
import { withLimits } from "../../core/limits.ts"
import type { Limits } from "../../core/limits.ts"
import { systemClock } from "../../io/clock.ts"
import { silentLog } from "../../io/log.ts"
import { createNetwork } from "../../io/network/guarded-fetch.ts"
import type { ModelEndpoint, ModelProvider, ModelQuestion } from "../model.ts"
import { withRetries } from "../retry.ts"
import { createModelDriver } from "./driver.ts"

const opened: { close(): Promise<void> }[] = []
afterEach(async () => void (await Promise.all(opened.splice(0).map((one) => one.close()))))

type Kind = ModelEndpoint["kind"]
const kinds: readonly Kind[] = ["openai_compatible", "openai", "anthropic"]

async function start(
  kind: Kind,
  script: ModelScript,
  {
    limits = {},
    apiKey = null,
    trusts = true,
    ...options
  }: Omit<ModelServerOptions, "apiKey"> & { limits?: Partial<Limits>; apiKey?: string | null; trusts?: boolean } = {},
): Promise<{ server: ModelServer; provider: ModelProvider }> {
  const server = await startModelServer(script, options)
  const all = withLimits({ modelRetryMs: 1, ...limits })
  const network = createNetwork({ allowPrivateHosts: [], trustLiteralUrls: trusts, limits: all, log: silentLog })
  opened.push(server, network)
  const driver = createModelDriver({ network, limits: all, clock: systemClock })
  return { server, provider: withRetries(driver({ kind, baseUrl: server.baseUrl, apiKey }), all) }
}

const long = "one two three four five six seven ".repeat(20)

const question = (fields: Partial<ModelQuestion> = {}): ModelQuestion => ({
  model: "scripted",
  messages: [
    { role: "system", text: "You add numbers." },
    { role: "user", text: "What is 2 + 3?" },
  ],
  tools: [
    { name: "add", description: "Adds", parameters: { type: "object", properties: { a: { type: "number" }, b: { type: "number" } } } },
  ],
  options: {},
  signal: new AbortController().signal,
  ...fields,
})

describe.each(kinds)("%s", (kind) => {
  test("an answer has text, calls as they were written, and usage", async () => {
    const turn = {
      text: "I add.",
      calls: [
        { name: "add", arguments: '{"a":2,"b":3}' },
        { name: "add", arguments: '{"a": "two"' },
      ],
    }
    const { server, provider } = await start(kind, [{ ...turn, usage: { input: 70, output: 30 } }])
    const told: string[] = []
    const answer = await provider.ask(question({ onText: (text) => told.push(text) }))
    expect(answer).toMatchObject({ ok: true, finish: "calls", usage: { inputTokens: 70, outputTokens: 30 } })
    const parts = answer.ok ? answer.parts : []
    expect(told.join("")).toBe("I add.")
    expect(parts.flatMap((part) => (part.type === "text" ? [part.text] : []))).toEqual(["I add."])
    expect(parts.flatMap((part) => (part.type === "call" ? [[part.name, part.input]] : []))).toEqual([
      ["add", '{"a":2,"b":3}'],
      ["add", '{"a": "two"'],
    ])
    expect(server.requests[0]).toMatchObject({ system: "You add numbers.", userText: "What is 2 + 3?", tools: ["add"], stream: true })
  })

  test("what it said goes back with one output for every call, in order", async () => {
    const { server, provider } = await start(kind, [
      {
        text: "I add.",
        calls: [
          { name: "add", arguments: "{}", id: "one" },
          { name: "add", arguments: "no json", id: "two" },
        ],
      },
      { text: "Done." },
    ])
    const first = await provider.ask(question())
    const asked = question().messages
    const answer = await provider.ask(
      question({
        messages: [
          ...asked,
          { role: "assistant", parts: first.ok ? first.parts : [] },
          { role: "tool", callId: "one", name: "add", text: "5", isError: false },
          { role: "tool", callId: "two", name: "add", text: "not JSON", isError: true },
        ],
      }),
    )
    expect(answer).toMatchObject({ ok: true, finish: "stop", parts: [{ type: "text", text: "Done." }] })
    expect(server.requests[1]?.outputs).toEqual([
      { callId: "one", text: "5" },
      { callId: "two", text: expect.stringContaining("not JSON") as string },
    ])
  })

  test("the key is sent, and never shown", async () => {
    const { provider } = await start(kind, [{ text: "ok" }], { apiKey: "sk-right" })
    expect(await provider.ask(question())).toMatchObject({ ok: true })
    const wrong = await startModelServer([], { apiKey: "sk-right" })
    opened.push(wrong)
    const limits = withLimits({})
    const network = createNetwork({ allowPrivateHosts: [], trustLiteralUrls: true, limits, log: silentLog })
    opened.push(network)
    const failing = createModelDriver({ network, limits, clock: systemClock })({ kind, baseUrl: wrong.baseUrl, apiKey: "sk-secret-wrong" })
    const failure = await failing.ask(question())
    expect(failure).toMatchObject({ ok: false, kind: "auth" })
    expect(JSON.stringify(failure)).not.toContain("sk-secret-wrong")
  })

  test("busy and failing providers are asked again, a bounded number of times", async () => {
    const busy = { fail: "rate_limit", retryAfter: "0" } as const
    const { server, provider } = await start(kind, [busy, { fail: "status", status: 500 }, { fail: "disconnect" }, { text: "At last." }])
    expect(await provider.ask(question())).toMatchObject({ ok: true })
    expect(server.requests).toHaveLength(4)
    server.script(() => ({ fail: "status", status: 503 }))
    expect(await provider.ask(question())).toMatchObject({ ok: false, kind: "server_error" })
    expect(server.requests).toHaveLength(8)
  })

  test("too many tokens in a minute are waited out, and no context that is too long", async () => {
    const message = "Too many tokens, please wait: this would exceed 40,000 input tokens per minute"
    const { provider } = await start(kind, [{ fail: "status", status: 429, message, retryAfter: "0" }, { text: "Now." }])
    expect(await provider.ask(question())).toMatchObject({ ok: true, retries: [{ kind: "rate_limited" }] })
  })

  test("half a surrogate pair is sent nowhere, whoever wrote it", async () => {
    const { server, provider } = await start(kind, [{ text: "ok" }])
    const halves = "\ud83d and \ude00"
    const call = (id: string, input: string) => ({ type: "call" as const, id, name: "add", input })
    const tool = (callId: string) => ({ role: "tool" as const, callId, name: "add", text: halves, isError: false })
    await provider.ask(
      question({
        messages: [
          { role: "system", text: halves },
          { role: "user", text: halves },
          {
            role: "assistant",
            parts: [
              { type: "text", text: halves },
              call("a", JSON.stringify({ a: halves })),
              call("b", '{"a":"\\ud83d\\ude00 \\\\ud83d"}'),
            ],
          },
          tool("a"),
          tool("b"),
        ],
      }),
    )
    const body = JSON.stringify(server.requests[0]?.body)
    expect(body).not.toMatch(/(?<!\\)(?:\\\\)*\\ud[89a-f]/)
    expect(body).toContain("\u{1f600}")
  })

  test("one that asks for a long wait is not waited for", async () => {
    const { server, provider } = await start(kind, () => ({ fail: "rate_limit", retryAfter: "3600" }))
    const failure = await provider.ask(question())
    expect(failure).toMatchObject({ ok: false, kind: "rate_limited", retryAfterMs: 3_600_000 })
    expect(failure.ok ? "" : failure.message).toContain("3600 seconds")
    expect(server.requests).toHaveLength(1)
  })

  test.each([
    ["half a stream", { fail: "half_stream", frames: 8, answer: { text: long } }],
    ["a connection that breaks off", { fail: "disconnect", frames: 8, answer: { text: long } }],
    ["an error inside the stream", { fail: "stream_error", frames: 8, answer: { text: long } }],
  ] as const)("%s is no answer, and not asked for again", async (_name, turn) => {
    const { server, provider } = await start(kind, [turn])
    expect(await provider.ask(question())).toMatchObject({ ok: false, isPartial: true })
    expect(server.requests).toHaveLength(1)
  })

  test.each([
    ["JSON that breaks off", { fail: "invalid_json" }, "invalid_answer"],
    ["a page of a proxy", { fail: "content_type" }, "invalid_answer"],
    ["nothing at all", { fail: "empty_body" }, "invalid_answer"],
    ["too long a context", { fail: "context_too_long" }, "context_too_long"],
    ["too large a question", { fail: "status", status: 413, message: "Request exceeds the maximum size" }, "context_too_long"],
    [
      "a question that no wait makes small enough",
      { fail: "status", status: 429, message: "Request too large on tokens per min. The input or output tokens must be reduced." },
      "context_too_long",
    ],
    ["a refused question", { fail: "status", status: 400, message: "Unknown model" }, "refused"],
  ] as const)("%s has a kind of its own", async (_name, turn, kindOfFailure) => {
    const { server, provider } = await start(kind, [turn])
    expect(await provider.ask(question())).toMatchObject({ ok: false, kind: kindOfFailure })
    expect(server.requests).toHaveLength(1)
  })

  test("cancelling ends the request", async () => {
    const { server, provider } = await start(kind, [{ fail: "hang" }])
    const abort = new AbortController()
    const asking = provider.ask(question({ signal: abort.signal }))
    const request = await server.request(1)
    const gone = new Promise((resolve) => request.gone.addEventListener("abort", resolve))
    abort.abort()
    expect(await asking).toMatchObject({ ok: false, kind: "cancelled" })
    await gone
  })

  test("a provider that hangs is given up", async () => {
    const { provider } = await start(kind, [{ fail: "hang" }], { limits: { modelAnswerMs: 50 } })
    expect(await provider.ask(question())).toMatchObject({ ok: false, kind: "timeout" })
  })

  test("a private address that nobody trusts is not reached", async () => {
    const { server, provider } = await start(kind, [{ text: "ok" }], { trusts: false })
    expect(await provider.ask(question())).toMatchObject({ ok: false })
    expect(server.requests).toEqual([])
  })
})

describe("embeddings", () => {
  test.each(["openai_compatible", "openai"] as const)("%s: a vector for each text, of the length asked for", async (kind) => {
    const { server, provider } = await start(kind, [])
    const signal = new AbortController().signal
    const answer = await provider.embed({ model: "scripted", texts: ["a tree", "trees", "a car"], dimensions: 16, signal })
    expect(answer).toMatchObject({ ok: true })
    expect(answer.ok ? answer.vectors.map((one) => one.length) : []).toEqual([16, 16, 16])
    expect(server.embeddings[0]?.body["dimensions"]).toBe(16)
  })

  test("Anthropic has none", async () => {
    const { provider } = await start("anthropic", [])
    const signal = new AbortController().signal
    expect(await provider.embed({ model: "scripted", texts: ["a"], signal })).toMatchObject({ ok: false, kind: "refused" })
  })

  test("a busy endpoint is asked again", async () => {
    let asked = 0
    const failEmbedding = () => (++asked === 1 ? ({ fail: "status", status: 500 } as const) : undefined)
    const { provider } = await start("openai_compatible", [], { failEmbedding })
    expect(await provider.embed({ model: "scripted", texts: ["a"], signal: new AbortController().signal })).toMatchObject({ ok: true })
    expect(asked).toBe(2)
  })
})
