// Runs of agents against a scripted model and a real API: what happens, in which order, and what must not happen.
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { AgentRunReply } from "../../src/core/agents/agent.ts"
import type { ModelRequest } from "../servers/model.ts"
import { followEvents } from "./follow-events.ts"
import { create, get, remove, startAgents } from "./agent-maker.ts"
import type { AgentBench } from "./agent-maker.ts"

let bench: AgentBench
beforeAll(async () => {
  bench = await startAgents({ env: { EXECUTOR_LIMITS: JSON.stringify({ modelRetryMs: 1 }) } })
  await bench.agent("keeper")
  await bench.agent("together", { executionMode: "parallel_safe" })
  await bench.agent("bounded", { limits: { steps: 3, calls: 2 } })
})
afterAll(() => bench.stop())

const read = (name: string) => ({ name: get, arguments: { name } })
const write = (name: string) => ({ name: create, arguments: { name } })
const interactionsOf = ({ structured }: AgentRunReply) => (structured.status === "waiting_for_interaction" ? structured.interactions : [])
const madeOf = (name: string): string[] => bench.ledger.entries.filter((entry) => entry.name === name).map(({ method }) => method)
const textsOf = ({ outputs }: ModelRequest): string[] => outputs.map(({ text }) => text)

describe("a run", () => {
  test("binds tools, answers structured calls and replies with outputs, context and state", async () => {
    const seen: ModelRequest[] = []
    const reply = await bench.run("keeper", (request) => {
      seen.push(request)
      return seen.length === 1 ? { text: "I look.", calls: [read("one")] } : { text: "It is there." }
    })
    expect(reply).toMatchObject({ status: "completed", runId: reply.executionId, output: "It is there.", isError: false })
    expect(reply.structured).toMatchObject({
      toolOutputs: [{ tool: "tools.ledger.org.main.items.get", ok: true, output: { name: "one", count: 1 } }],
      state: { lastAgentOutput: "It is there." },
      usage: { steps: 2, calls: 1 },
    })
    expect(seen[0]).toMatchObject({ system: "Keep the ledger.", userText: "Do it." })
    expect([...(seen[0]?.tools ?? [])].toSorted()).toEqual([create, get, remove])
    expect(JSON.parse(textsOf(seen[1] as ModelRequest)[0] ?? "")).toEqual({ name: "one", count: 1 })
    const view = await bench.product.client.executions.get(reply.runId)
    expect(view.program).toBe("agent")
    expect(view.calls.map(({ address }) => address)).toEqual([
      "model/local/scripted",
      "tools.ledger.org.main.items.get",
      "model/local/scripted",
    ])
  })

  test("is an execution of an agent: what administers Executor is out of reach", async () => {
    await bench.agent("admin", { tools: ["**"] })
    const seen: ModelRequest[] = []
    await bench.run("admin", (request) => {
      seen.push(request)
      return { text: "Done." }
    })
    expect(seen[0]?.tools.filter((name) => name.startsWith("executor"))).toEqual([])
  })

  test("waits with all questions of one answer, makes each call once and answers in the order of the calls", async () => {
    const seen: ModelRequest[] = []
    const paused = await bench.run("keeper", (request) => {
      seen.push(request)
      return seen.length === 1 ? { calls: [write("a1"), read("a2"), write("a3")] } : { text: "Both are there." }
    })
    expect(paused).toMatchObject({ status: "paused", output: null })
    expect(interactionsOf(paused).map(({ args }) => args)).toEqual([{ name: "a1" }, { name: "a3" }])
    // What comes after a question waits for its answer.
    expect([madeOf("a1"), madeOf("a2"), madeOf("a3")]).toEqual([[], [], []])
    const reply = await bench.product.client.resume(paused.executionId, { action: "accept" })
    expect(reply).toMatchObject({ status: "completed" })
    expect(bench.ledger.entries.slice(-3)).toEqual([
      { method: "POST", name: "a1" },
      { method: "GET", name: "a2" },
      { method: "POST", name: "a3" },
    ])
    expect(seen).toHaveLength(2)
    expect(textsOf(seen[1] as ModelRequest).map((text) => (JSON.parse(text) as { name: string }).name)).toEqual(["a1", "a2", "a3"])
  })

  test("tells the model of a declined call, and goes on", async () => {
    const seen: ModelRequest[] = []
    const paused = await bench.run("keeper", (request) => {
      seen.push(request)
      return seen.length === 1 ? { calls: [write("declined")] } : { text: "Then not." }
    })
    const reply = await bench.product.client.resume(paused.executionId, { action: "decline" })
    expect(reply).toMatchObject({ status: "completed", structured: { result: "Then not." } })
    expect(textsOf(seen[1] as ModelRequest)[0]).toContain("approval_declined")
    expect(madeOf("declined")).toEqual([])
  })

  test("runs reads together where the agent says so, and gives their answers in the order of the calls", async () => {
    const [slow, quick] = [`slow${Date.now()}`, `quick${Date.now()}`]
    const seen: ModelRequest[] = []
    const running = bench.run("together", (request) => {
      seen.push(request)
      const delayed = { name: get, arguments: { name: slow, delay: 600_000 } }
      return seen.length === 1 ? { calls: [delayed, read(quick)] } : { text: "Both." }
    })
    await until(() => madeOf(quick).length > 0 && bench.ledger.underWay().includes(slow))
    bench.ledger.release(slow)
    expect(await running).toMatchObject({ status: "completed" })
    expect(textsOf(seen[1] as ModelRequest).map((text) => (JSON.parse(text) as { name: string }).name)).toEqual([slow, quick])
  })

  test("streams text and calls", async () => {
    const held = Promise.withResolvers<void>()
    let asked = 0
    bench.model.script(() => {
      asked += 1
      return asked > 1 ? { text: "All done." } : { text: "One moment.", calls: [read("streamed")], before: () => held.promise }
    })
    const started = await bench.product.client.agents.run("keeper", { text: "Go.", wait: false })
    expect(started.status).toBe("running")
    const events = await followEvents(bench.product, started.runId)
    held.resolve()
    const told: string[] = []
    for await (const event of events) {
      if (event.type === "text") told.push(event.text)
      else if (event.type === "call") told.push(`<${event.call.address} ${event.call.status}>`)
      else if (event.type === "end") told.push(`<end ${event.reply.status}>`)
    }
    expect(told.join("")).toMatch(
      /^One moment\.<model\/local\/scripted done>.*<tools\.ledger\.org\.main\.items\.get done>All done\.<model\/local\/scripted done><end completed>$/,
    )
  })
})

describe("what a model gets wrong", () => {
  test("arguments are put right where the schema leaves no doubt, and an error goes back where it does not", async () => {
    const seen: ModelRequest[] = []
    const reply = await bench.run("keeper", (request) => {
      seen.push(request)
      if (seen.length > 1) return { text: "ok" }
      return {
        calls: [
          { name: get, arguments: '"scalar"' },
          { name: get, arguments: '"{\\"name\\":\\"wrapped\\",\\"delay\\":\\"0\\"}"' },
          { name: get, arguments: "{'name': 'repaired'," },
          { name: get, arguments: "" },
          { name: "nothing_like_it", arguments: "{}" },
        ],
      }
    })
    expect(reply.status).toBe("completed")
    const texts = textsOf(seen[1] as ModelRequest)
    expect(texts).toHaveLength(5)
    expect(texts.slice(0, 3).map((text) => (JSON.parse(text) as { name: string }).name)).toEqual(["scalar", "wrapped", "repaired"])
    expect(texts[3]).toContain("invalid_arguments")
    expect(texts[4]).toContain(`You have: `)
  })

  test("a call that is written as text is a call, and an unknown one is told so at most twice", async () => {
    const seen: ModelRequest[] = []
    const call = `\`\`\`json\n{"tool": "${get}", "arguments": {"name": "as_text"}}\n\`\`\``
    const reply = await bench.run("keeper", (request) => {
      seen.push(request)
      return { text: seen.length === 1 ? call : "Found." }
    })
    expect(reply.output).toBe("Found.")
    expect(seen[1]?.userText).toContain('"name":"as_text"')
    // Whoever writes it a third time means it as the answer.
    const told: ModelRequest[] = []
    const text = '{"tool": "unknown", "arguments": {}}'
    const meant = await bench.run("keeper", (request) => {
      told.push(request)
      return { text }
    })
    expect(meant).toMatchObject({ status: "completed", output: text })
    expect(told.map(({ userText }) => userText.includes("There is no tool 'unknown'"))).toEqual([false, true, true])
  })

  test("the third identical call in a row is refused, and the fifth ends the run", async () => {
    const seen: ModelRequest[] = []
    const reply = await bench.run("keeper", (request) => {
      seen.push(request)
      return { calls: [read("again")] }
    })
    expect(reply.structured).toMatchObject({ status: "failed", error: { code: "loop_detected" } })
    expect(madeOf("again")).toHaveLength(2)
    expect(seen).toHaveLength(5)
    expect(textsOf(seen[3] as ModelRequest).at(-1)).toContain("this very call")
    expect(reply.structured.logs.map(({ text }) => text)).toEqual([
      expect.stringMatching(/^Step 3: a call was not made, and the model was told: You have made this very call 2 times/) as unknown,
      expect.stringMatching(/^Step 4: a call was not made/) as unknown,
    ])
  })

  test("an empty answer is told so, then ends the run", async () => {
    const seen: ModelRequest[] = []
    const reply = await bench.run("keeper", (request) => {
      seen.push(request)
      return { text: "" }
    })
    expect(reply.structured).toMatchObject({ status: "failed", error: { code: "model_error" } })
    expect(seen).toHaveLength(3)
    expect(seen[1]?.userText).toContain("empty")
    expect(reply.structured.logs).toMatchObject([
      { level: "warn", text: expect.stringContaining("Step 1: the answer could not be used") as unknown },
      {},
    ])
    // Nor is anything empty said to it.
    const asked: ModelRequest[] = []
    bench.model.script((request) => {
      asked.push(request)
      return { text: "Ready." }
    })
    await bench.product.client.agents.run("keeper", { text: " ", messages: [{ role: "user", text: "" }] })
    expect(asked[0]?.body["messages"]).toEqual([
      { role: "system", content: "Keep the ledger." },
      { role: "user", content: "Begin." },
    ])
  })

  test("200 calls are made where its agent says nothing, and the model answers without more", async () => {
    const seen: ModelRequest[] = []
    const calls = Array.from({ length: 230 }, (_, at) => read(`default${at}`))
    const reply = await bench.run("together", (request) => {
      seen.push(request)
      return seen.length === 1 ? { calls } : { text: "Enough." }
    })
    expect(reply).toMatchObject({ status: "completed", output: "Enough.", structured: { usage: { calls: 200, steps: 2 } } })
    expect(bench.ledger.entries.filter(({ name }) => name.startsWith("default"))).toHaveLength(200)
    const texts = textsOf(seen[1] as ModelRequest)
    expect(texts).toHaveLength(230)
    expect(texts.slice(200).every((text) => text.includes("this run has made 200 calls, the maximum"))).toBe(true)
    expect(reply.structured.logs).toMatchObject([{ text: expect.stringContaining("Step 1: 30 calls were not made") as unknown }])
    expect(seen[1]?.tools).toEqual([])
  })

  test("a thousand calls in one answer are made up to the limit, and all of them answered", async () => {
    const seen: ModelRequest[] = []
    const calls = Array.from({ length: 1000 }, (_, at) => read(`many${at}`))
    const reply = await bench.run("bounded", (request) => {
      seen.push(request)
      return seen.length === 1 ? { calls } : { text: "Enough." }
    })
    expect(reply).toMatchObject({ status: "completed", output: "Enough." })
    expect(textsOf(seen[1] as ModelRequest)).toHaveLength(1000)
    expect(seen[1]?.tools).toEqual([])
    expect(bench.ledger.entries.filter(({ name }) => name.startsWith("many"))).toHaveLength(2)
  })

  test("steps are limited", async () => {
    let asked = 0
    const reply = await bench.run("bounded", () => ({ calls: [read(`step${(asked += 1)}`)] }))
    expect(reply.structured).toMatchObject({ status: "failed", error: { code: "limit_reached" } })
    expect(asked).toBe(3)
  })
})

describe("what a provider does", () => {
  test.each([
    ["half a stream", { fail: "half_stream", frames: 3, answer: { text: "one two three four five six seven eight nine ten" } }],
    ["invalid JSON", { fail: "invalid_json" }],
    ["a refusal", { fail: "status", status: 400 }],
  ] as const)("%s ends the run, and its history tells why", async (_name, turn) => {
    const reply = await bench.run("keeper", [turn])
    expect(reply.structured).toMatchObject({ status: "failed", error: { code: "model_error" } })
    const view = await bench.product.client.executions.get(reply.runId)
    expect(view.structured).toMatchObject({ error: { code: "model_error" } })
  })

  test("429 and 500 are waited out", async () => {
    const reply = await bench.run("keeper", [
      { fail: "rate_limit", retryAfter: "0" },
      { fail: "rate_limit" },
      { fail: "status", status: 500 },
      { text: "At last." },
    ])
    expect(reply.output).toBe("At last.")
    // Its history says so too, also where the run goes on.
    expect(reply.structured.logs).toEqual([
      {
        level: "warn",
        text: expect.stringMatching(
          /^Step 1: the model answered when it was asked for the fourth time \(rate_limited, rate_limited, server_error\), after waits of 0 ms, \d+ ms, \d+ ms$/,
        ) as unknown,
      },
    ])
    const { items } = await bench.product.client.executions.calls(reply.runId)
    expect(items[0]?.answer).toMatchObject({
      retries: [{ kind: "rate_limited", waitedMs: 0 }, { kind: "rate_limited" }, { kind: "server_error" }],
    })
  })

  test("an answer that is cut before it says anything is told as that", async () => {
    const reply = await bench.run("keeper", () => ({ reasoning: "Let me think.", text: "", finish: "length" }))
    expect(reply.structured).toMatchObject({
      status: "failed",
      error: { message: expect.stringContaining("cut at its maximum length") as unknown },
    })
    expect(reply.structured.logs[0]?.text).toContain("raise options.maxOutputTokens")
  })

  test("a context that is too long loses outputs of tools, not instructions", async () => {
    const seen: ModelRequest[] = []
    const name = "x".repeat(2000)
    const reply = await bench.run("keeper", (request) => {
      seen.push(request)
      if (seen.length === 1) return { calls: [read(`${name}1`), read(`${name}2`), read(`${name}3`)] }
      return JSON.stringify(request.body).length > 9000 ? { fail: "context_too_long" } : { text: "Short enough." }
    })
    expect(reply.output).toBe("Short enough.")
    expect(seen.at(-1)).toMatchObject({ system: "Keep the ledger.", userText: "Do it." })
    expect(textsOf(seen.at(-1) as ModelRequest)[0]).toContain("characters left out")
    expect((await bench.product.client.executions.get(reply.runId)).structured.logs).toMatchObject([
      { level: "warn", text: "Step 2: the conversation was too long for the model; outputs of tools were shortened" },
    ])
    const failed = await bench.run("keeper", () => ({ fail: "context_too_long" }))
    expect(failed.structured).toMatchObject({ error: { code: "model_error" } })
    expect(failed.text).toContain("longer context")
    expect(failed.text).not.toContain("..")
  })

  test("cancelling ends the question to the model", async () => {
    bench.model.script(() => ({ fail: "hang" }))
    const before = bench.model.requests.length
    const { runId } = await bench.product.client.agents.run("keeper", { text: "Go.", wait: false })
    const request = await bench.model.request(before + 1)
    const gone = new Promise((resolve) => request.gone.addEventListener("abort", resolve))
    await bench.product.client.executions.cancel(runId)
    await gone
    expect((await bench.product.client.executions.get(runId)).status).toBe("cancelled")
  })
})

test.each([
  ["openai", "responses"],
  ["anthropic", "messages"],
] as const)("a run of %s goes through a pause, and its next question has everything that was said", async (kind, api) => {
  const { models, resume } = bench.product.client
  await models.providers.create({ id: kind, kind, baseUrl: bench.model.baseUrl, apiKey: "sk-test" })
  await bench.agent(`on_${kind}`, { model: { provider: kind, name: "scripted" }, executionMode: "parallel_safe" })
  const seen: ModelRequest[] = []
  const calls = [
    read(`${kind}1`),
    { name: create, arguments: { name: `${kind}2` } },
    { name: "made.up", arguments: "{}" },
    read(`${kind}3`),
  ]
  const paused = await bench.run(`on_${kind}`, (request) => {
    seen.push(request)
    return seen.length === 1 ? { reasoning: "I think.", text: "I look.", calls } : { text: "Done." }
  })
  expect(paused.status).toBe("paused")
  expect(await resume(paused.runId, { action: "accept" })).toMatchObject({ status: "completed", structured: { result: "Done." } })
  expect(seen.map((request) => [request.api, request.headers["x-api-key"] ?? request.headers.authorization?.slice(-7)])).toEqual([
    [api, "sk-test"],
    [api, "sk-test"],
  ])
  const texts = textsOf(seen[1] as ModelRequest)
  expect(texts).toHaveLength(4)
  for (const [at, name] of [
    [0, `${kind}1`],
    [1, `${kind}2`],
    [3, `${kind}3`],
  ] as const)
    expect(texts[at]).toContain(name)
  expect(texts[2]).toContain("There is no tool 'made.up'")
  expect(JSON.stringify(seen[1]?.body)).toContain("I look.")
  expect(JSON.stringify(seen[1]?.body)).toContain('"name":"made_up"')
})

describe("many tools", () => {
  beforeAll(async () => {
    const paths = Object.fromEntries(
      Array.from({ length: 60 }, (_, at) => [
        `/thing${at}`,
        { get: { operationId: `thing${at}/get`, summary: `Reads thing number ${at}`, responses: {} } },
      ]),
    )
    const document = { openapi: "3.1.0", info: { title: "Things", version: "1" }, servers: [{ url: bench.ledger.url }], paths }
    await bench.product.client.integrations.add({ slug: "things", kind: "openapi", config: { spec: document } })
    await bench.product.client.connections.create({ integration: "things" })
  })

  test("are searched, read and called", async () => {
    await bench.agent("finder", { tools: ["things.**", "ledger.**"] })
    const seen: ModelRequest[] = []
    const reply = await bench.run("finder", (request) => {
      seen.push(request)
      if (seen.length === 1) return { calls: [{ name: "search_tools", arguments: { query: "read an item of the ledger" } }] }
      if (seen.length === 2) return { calls: [{ name: "read_tool", arguments: { name: "ledger.org.main.items.get" } }] }
      if (seen.length === 3)
        return { calls: [{ name: "call_tool", arguments: { name: "ledger.org.main.items.get", arguments: { name: "found" } } }] }
      return { text: "Found." }
    })
    expect(reply.output).toBe("Found.")
    expect(seen[0]?.tools).toEqual(["search_tools", "read_tool", "call_tool"])
    expect(textsOf(seen[1] as ModelRequest)[0]).toContain("ledger.org.main.items.get")
    expect(textsOf(seen[2] as ModelRequest)[1]).toContain('"arguments"')
    expect(JSON.parse(textsOf(seen[3] as ModelRequest)[2] ?? "")).toMatchObject({ name: "found" })
  })

  test("are found by their short path too, as instructions name them", async () => {
    await bench.agent("briefly", { tools: ["things.**", "ledger.**"] })
    const seen: ModelRequest[] = []
    const reply = await bench.run("briefly", (request) => {
      seen.push(request)
      if (seen.length === 1) return { calls: [{ name: "read_tool", arguments: { name: "ledger.items.get" } }] }
      if (seen.length === 2)
        return { calls: [{ name: "call_tool", arguments: { name: "ledger.items.get", arguments: { name: "brief" } } }] }
      return { text: "Found." }
    })
    expect(reply.output).toBe("Found.")
    expect(JSON.parse(textsOf(seen[1] as ModelRequest)[0] ?? "")).toMatchObject({ name: "ledger.org.main.items.get" })
    expect(madeOf("brief")).toEqual(["GET"])
  })

  test("are called together where they only read, and alone where they write", async () => {
    await bench.agent("together_found", { tools: ["things.**", "ledger.**"], executionMode: "parallel_safe" })
    const rule = await bench.product.client.policies.create({ owner: "org", pattern: "ledger.org.main.items.create", action: "allow" })
    const via = (tool: string, name: string) => ({
      name: "call_tool",
      arguments: { name: `ledger.org.main.items.${tool}`, arguments: { name, delay: 600_000 } },
    })
    const seen: ModelRequest[] = []
    const running = bench.run("together_found", (request) => {
      seen.push(request)
      return seen.length === 1 ? { calls: [via("get", "beside1"), via("get", "beside2"), via("create", "alone")] } : { text: "Done." }
    })
    await expect.poll(() => bench.ledger.underWay().toSorted()).toEqual(["beside1", "beside2"])
    bench.ledger.release("beside1")
    bench.ledger.release("beside2")
    await expect.poll(() => bench.ledger.underWay()).toEqual(["alone"])
    bench.ledger.release("alone")
    expect(await running).toMatchObject({ status: "completed", output: "Done." })
    expect(textsOf(seen[1] as ModelRequest).map((text) => (JSON.parse(text) as { name: string }).name)).toEqual([
      "beside1",
      "beside2",
      "alone",
    ])
    await bench.product.client.policies.remove(rule.id)
  })

  test("are three: another name is no tool, whether it is called or written", async () => {
    await bench.agent("three", { tools: ["things.**", "ledger.**"] })
    const seen: ModelRequest[] = []
    const answer = '{"name": "Bob", "input": "x"}'
    const reply = await bench.run("three", (request) => {
      seen.push(request)
      return seen.length === 1 ? { calls: [{ name: "other_tool", arguments: { name: "ledger.org.main.items.get" } }] } : { text: answer }
    })
    expect(textsOf(seen[1] as ModelRequest)[0]).toContain("There is no tool 'other_tool'. You have: search_tools, read_tool, call_tool")
    expect(reply).toMatchObject({ status: "completed", output: answer, structured: { usage: { calls: 1 } } })
  })

  test("are found among the agent's own, however well others fit the words", async () => {
    const document = (title: string, count: number, summary: (at: number) => string) => ({
      openapi: "3.1.0",
      info: { title, version: "1" },
      servers: [{ url: bench.ledger.url }],
      paths: Object.fromEntries(
        Array.from({ length: count }, (_, at) => [
          `/${title.toLowerCase()}${at}`,
          { get: { operationId: `${title.toLowerCase()}${at}/get`, summary: summary(at), responses: {} } },
        ]),
      ),
    })
    const { integrations, connections } = bench.product.client
    const foreign = document("Invoices", 400, (at) => `Finds overdue invoices of a customer, list ${at}`)
    const own = document("Records", 50, (at) => (at === 7 ? "Shows records with invoices that are late" : `Shows weather record ${at}`))
    for (const [slug, spec] of Object.entries({ foreign, own })) {
      await integrations.add({ slug, kind: "openapi", config: { spec } })
      await connections.create({ integration: slug })
    }
    await bench.agent("searcher", { tools: ["own.**"] })
    const seen: ModelRequest[] = []
    await bench.run("searcher", (request) => {
      seen.push(request)
      return seen.length === 1
        ? { calls: [{ name: "search_tools", arguments: { query: "find overdue invoices of a customer" } }] }
        : { text: "Done." }
    })
    const [found = ""] = textsOf(seen[1] as ModelRequest)
    expect(found).toContain("own.org.main.records7.get")
    expect(found).not.toContain("foreign.")
  })
})

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 5))
}
