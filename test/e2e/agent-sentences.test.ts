// What the description of tools in agents says, sentence by sentence, each shown by a run.
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { ModelRequest } from "../servers/model.ts"
import { get, startAgents } from "./agent-maker.ts"
import type { AgentBench } from "./agent-maker.ts"
import { makeTool } from "./registry-maker.ts"

let bench: AgentBench
beforeAll(async () => {
  bench = await startAgents()
  await bench.agent("keeper")
  await bench.agent("child", { instructions: "I am the child.", tools: [] })
})
afterAll(() => bench.stop())

const read = (name: string) => ({ name: get, arguments: { name } })
const outputsOf = ({ outputs }: ModelRequest): unknown[] => outputs.map(({ text }) => JSON.parse(text) as unknown)
const areUnderWay = (...names: string[]) =>
  expect.poll(() => bench.ledger.underWay().filter((name) => names.includes(name)), { timeout: 30_000 }).toEqual(names)

/** A tool that reads or makes an item of the ledger, and stays under way until the item is released. */
const heldTool = (slug: string, executionConfig: Record<string, unknown>, method: "GET" | "POST" = "GET") =>
  makeTool(bench.product.client, slug, {
    implementationType: "http",
    schema: { input: { type: "object", properties: { name: { type: "string" } }, required: ["name"] } },
    implementationConfig: { url: `${bench.ledger.url}/items${method === "GET" ? "/{name}" : ""}?delay=600000`, method },
    executionConfig,
  })

/** Has the model make these calls in one answer, and then end. */
function runCalls(
  agent: string,
  calls: readonly { name: string; arguments: string | Record<string, unknown> }[],
  seen: ModelRequest[] = [],
) {
  return bench.run(agent, (request) => {
    seen.push(request)
    return seen.length === 1 ? { calls: [...calls] } : { text: "Done." }
  })
}

describe("Agent Node Tool Binding", () => {
  test("binds tool schemas to the model and accepts structured tool calls (with JSON fallback)", async () => {
    const seen: ModelRequest[] = []
    const written = JSON.stringify({ name: get, input: { name: "fallback" } })
    const reply = await bench.run("keeper", (request) => {
      seen.push(request)
      if (seen.length === 1) return { calls: [read("structured")] }
      return { text: seen.length === 2 ? written : "Both." }
    })
    expect(JSON.stringify(seen[0]?.body)).toContain('"required":["name"]')
    expect(reply.structured).toMatchObject({
      toolOutputs: [
        { ok: true, output: { name: "structured" } },
        { ok: true, output: { name: "fallback" } },
      ],
    })
  })

  test("executes matching tools internally, writing tool_outputs, context, and state.last_agent_output with the tool result", async () => {
    bench.model.script([{ calls: [read("kept")] }, { text: "Kept." }])
    const { structured } = await bench.product.client.agents.run("keeper", { text: "Go.", context: { customer: 7 } })
    const address = "tools.ledger.org.main.items.get"
    expect(structured).toMatchObject({
      toolOutputs: [{ tool: address, ok: true, output: { name: "kept" } }],
      context: { customer: 7, tools: { [address]: { name: "kept" } } },
      state: { lastAgentOutput: "Kept." },
    })
  })

  test("supports sequential or parallel_safe modes, with deterministic ToolMessage ordering", async () => {
    await heldTool("reading", { concurrency_group: "reading", max_concurrency: 2 })
    const tools = ["registry.reading"]
    await bench.agent("one_by_one", { tools })
    await bench.agent("together", { tools, executionMode: "parallel_safe" })
    const calls = (...names: string[]) => names.map((name) => ({ name: "registry__reading", arguments: { name } }))
    const inOrder: ModelRequest[] = []
    const sequential = runCalls("one_by_one", calls("s1", "s2"), inOrder)
    await areUnderWay("s1")
    bench.ledger.release("s1")
    await areUnderWay("s2")
    bench.ledger.release("s2")
    expect(await sequential).toMatchObject({ status: "completed" })
    const seen: ModelRequest[] = []
    const parallel = runCalls("together", calls("p1", "p2"), seen)
    await expect.poll(() => bench.ledger.underWay().toSorted(), { timeout: 30_000 }).toEqual(["p1", "p2"])
    bench.ledger.release("p2")
    await areUnderWay("p1")
    bench.ledger.release("p1")
    expect(await parallel).toMatchObject({ status: "completed" })
    expect(outputsOf(seen[1] as ModelRequest)).toMatchObject([{ name: "p1" }, { name: "p2" }])
    expect(outputsOf(inOrder[1] as ModelRequest)).toMatchObject([{ name: "s1" }, { name: "s2" }])
  })

  test("what makes calls of its own does not only read: agents that another one calls work one after the other", async () => {
    await bench.agent("reader", { instructions: "I am the reader." })
    await bench.agent("boss", { instructions: "I am the boss.", tools: ["agents.reader"], executionMode: "parallel_safe" })
    const asked: string[] = []
    const reply = await bench.run("boss", ({ system, userText, outputs }) => {
      if (system === "I am the boss.")
        return outputs.length > 0
          ? { text: "Done." }
          : { calls: ["a", "b"].map((text) => ({ name: "agents__reader", arguments: { text } })) }
      asked.push(`${userText}${outputs.length}`)
      return outputs.length > 0 ? { text: "Read." } : { calls: [read(userText)] }
    })
    expect(reply.status).toBe("completed")
    expect(asked).toEqual(["a0", "a1", "b0", "b1"])
  })

  test("applies schema-aware input coercion for malformed/scalar tool-call payloads (e.g. alias normalization for query)", async () => {
    await makeTool(bench.product.client, "ask", {
      implementationType: "custom",
      schema: { input: { type: "object", properties: { query: { type: "string" }, top: { type: "integer" } }, required: ["query"] } },
      implementationConfig: { code: "return input" },
    })
    await bench.agent("asker", { tools: ["registry.ask"] })
    const seen: ModelRequest[] = []
    const payloads: (string | Record<string, unknown>)[] = [
      { q: "a" },
      { question: "b" },
      { search: "c", top: "3" },
      '"d"',
      '"{\\"query\\":\\"e\\"}"',
      "{'query': 'f',",
    ]
    await runCalls(
      "asker",
      payloads.map((payload) => ({ name: "registry__ask", arguments: payload })),
      seen,
    )
    expect(outputsOf(seen[1] as ModelRequest)).toEqual([
      { query: "a" },
      { query: "b" },
      { query: "c", top: 3 },
      { query: "d" },
      { query: "e" },
      { query: "f" },
    ])
  })
})

describe("Tool Execution Metadata", () => {
  const heldCall = (slug: string) => (name: string) => ({ name: `registry__${slug}`, arguments: { name } })

  test("concurrency_group and max_concurrency bound the calls of a run (default 1)", async () => {
    await heldTool("narrow", {})
    await bench.agent("narrowed", { tools: ["registry.narrow"], executionMode: "parallel_safe" })
    const running = runCalls("narrowed", ["n1", "n2"].map(heldCall("narrow")))
    for (const name of ["n1", "n2"]) {
      await expect.poll(() => bench.ledger.underWay(), { timeout: 30_000 }).toEqual([name])
      bench.ledger.release(name)
    }
    expect(await running).toMatchObject({ status: "completed" })
  })

  test("is_pure (default false) lets calls run together that do not only read", async () => {
    const group = { concurrency_group: "writers", max_concurrency: 2 }
    await heldTool("pure", { ...group, is_pure: true }, "POST")
    await heldTool("impure", group, "POST")
    for (const slug of ["pure", "impure"])
      await bench.product.client.policies.create({ owner: "org", pattern: `registry.${slug}`, action: "allow" })
    await bench.agent("maker", { tools: ["registry.pure", "registry.impure"], executionMode: "parallel_safe" })
    const together = runCalls("maker", ["w1", "w2"].map(heldCall("pure")))
    await expect.poll(() => bench.ledger.underWay().toSorted(), { timeout: 30_000 }).toEqual(["w1", "w2"])
    for (const name of ["w1", "w2"]) bench.ledger.release(name)
    expect(await together).toMatchObject({ status: "completed" })
    const alone = runCalls("maker", ["w3", "w4"].map(heldCall("impure")))
    for (const name of ["w3", "w4"]) {
      await expect.poll(() => bench.ledger.underWay(), { timeout: 30_000 }).toEqual([name])
      bench.ledger.release(name)
    }
    expect(await alone).toMatchObject({ status: "completed" })
  })

  test("timeout_s ends a call that takes longer, and the model is told", async () => {
    await heldTool("hurried", { timeout_s: 0.2 })
    await bench.agent("hurry", { tools: ["registry.hurried"] })
    const seen: ModelRequest[] = []
    const reply = await runCalls("hurry", [heldCall("hurried")("late")], seen)
    expect(reply).toMatchObject({ status: "completed", structured: { toolOutputs: [{ ok: false }] } })
    expect(seen[1]?.outputs[0]?.text).toContain("timeout")
  })

  test("timeout_s counts from when a call may run, not from when it began to wait", async () => {
    await heldTool("queued", { timeout_s: 0.5 })
    await bench.agent("patient", { tools: ["registry.queued"], executionMode: "parallel_safe" })
    const names = ["q1", "q2", "q3"]
    const reply = await runCalls("patient", names.map(heldCall("queued")))
    expect(reply).toMatchObject({ status: "completed", structured: { toolOutputs: names.map(() => ({ ok: false })) } })
    // Each had its own time at the API, although the ones before it had used all of theirs.
    expect(bench.ledger.entries.map(({ name }) => name).filter((name) => names.includes(name))).toEqual(names)
  })
})

describe("Agent Call Tools", () => {
  const callTool = (slug: string, target: Record<string, unknown>) =>
    makeTool(bench.product.client, slug, { implementationType: "agent_call", implementationConfig: target })

  test("agent_call executes a synchronous child-agent run, with target_agent_id or target_agent_slug", async () => {
    const { id } = await bench.product.client.agents.get("child")
    await callTool("by_slug", { target_agent_slug: "child" })
    await callTool("by_id", { target_agent_id: id })
    await bench.agent("parent", { instructions: "I am the parent.", tools: ["registry.by_slug", "registry.by_id"] })
    const seen: ModelRequest[] = []
    const reply = await bench.run("parent", (request) => {
      if (request.system === "I am the child.") return { text: `Heard: ${request.userText}` }
      seen.push(request)
      if (seen.length > 1) return { text: "Asked." }
      return { calls: ["by_slug", "by_id"].map((slug) => ({ name: `registry__${slug}`, arguments: { text: slug } })) }
    })
    expect(reply.output).toBe("Asked.")
    const target = { mode: "sync", target_agent_id: id, target_agent_slug: "child", status: "completed" }
    expect(outputsOf(seen[1] as ModelRequest)).toMatchObject([
      { ...target, run_id: expect.any(String), output: "Heard: by_slug" },
      { ...target, run_id: expect.any(String), output: "Heard: by_id" },
    ])
  })

  test("the target must be tenant-scoped and published", async () => {
    const { client } = bench.product
    const model = { provider: "local", name: "scripted" }
    const draft = await client.agents.create({ slug: "unpublished", name: "Draft", instructions: "Wait.", model })
    for (const target of [{ target_agent_slug: "unpublished" }, { target_agent_id: draft.id }, { target_agent_id: "agt_of_others" }])
      await expect(callTool(`bad_${Object.values(target)[0]}`, target)).rejects.toThrow("no published agent")
  })

  test("accepts caller payload aliases: input, text, messages, context", async () => {
    await callTool("any_form", { target_agent_slug: "child" })
    const seen: string[] = []
    bench.model.script((request) => {
      seen.push(JSON.stringify(request.body))
      return { text: "ok" }
    })
    const payloads = [{ input: { marked: "m_input" } }, { text: "m_text" }, { messages: [{ role: "user", content: "m_message" }] }]
    for (const payload of [...payloads, { text: "with", context: { fact: "m_context" } }])
      expect(await bench.product.client.execute("registry.any_form", payload)).toMatchObject({ data: { status: "completed" } })
    for (const [at, mark] of ["m_input", "m_text", "m_message", "m_context"].entries()) expect(seen[at]).toContain(mark)
  })

  test("compact output includes error for failure cases", async () => {
    await callTool("failing", { target_agent_slug: "child" })
    bench.model.script(() => ({ fail: "status", status: 400 }))
    expect(await bench.product.client.execute("registry.failing", { text: "Go" })).toMatchObject({
      ok: true,
      data: { mode: "sync", target_agent_slug: "child", status: "failed", error: { message: expect.any(String) } },
    })
  })
})
