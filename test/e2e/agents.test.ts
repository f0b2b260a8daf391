// Agents from draft to published tool: versions, rights, calls by code, by other agents, by registry tools and over MCP.
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { ModelRequest } from "../servers/model.ts"
import { openCli } from "./cli-run.ts"
import { create, get, startAgents } from "./agent-maker.ts"
import type { AgentBench } from "./agent-maker.ts"

let bench: AgentBench
beforeAll(async () => {
  bench = await startAgents()
})
afterAll(() => bench.stop())

const base = { instructions: "Help.", model: { provider: "local", name: "scripted" } }
const child = (text: string) => (request: ModelRequest) => (request.system === "I am the child." ? { text } : { text: "unexpected" })

describe("the lifecycle", () => {
  test("a draft is run by its editors alone, published as a version, changed, compared and rolled back", async () => {
    const { client } = bench.product
    const draft = await client.agents.create({ ...base, name: "Helper" })
    expect(draft).toMatchObject({ slug: "helper", status: "draft", publishedVersion: null, executionMode: "sequential", tools: [] })
    await expect(client.agents.run("helper", { text: "Hi" })).rejects.toMatchObject({ code: "not_found" })
    bench.model.script(() => ({ text: "From the working copy." }))
    expect(await client.agents.run("helper", { text: "Hi", mode: "debug" })).toMatchObject({ output: "From the working copy." })
    expect(await client.agents.publish("helper", { reason: "first" })).toMatchObject({ status: "published", publishedVersion: "1.0.0" })
    expect(await client.agents.publish("helper")).toMatchObject({ publishedVersion: "1.0.0" })
    const edited = await client.agents.update(draft.id, { instructions: "Help more.", tools: ["ledger.items.get"] })
    expect(edited).toMatchObject({ hasUnpublishedChanges: true, publishedVersion: "1.0.0" })
    const seen: string[] = []
    bench.model.script((request) => {
      seen.push(request.system)
      return { text: "ok" }
    })
    await client.agents.run("helper", { text: "Hi" })
    const diff = await client.agents.diff("helper", {})
    expect(JSON.stringify(diff.json)).toContain("Help more.")
    expect(await client.agents.publish("helper")).toMatchObject({ publishedVersion: "1.0.1", hasUnpublishedChanges: false })
    await client.agents.run("helper", { text: "Hi" })
    expect(await client.agents.rollback("helper", "1.0.0")).toMatchObject({ publishedVersion: "1.0.2", instructions: "Help." })
    await client.agents.run("helper", { text: "Hi" })
    expect(seen).toEqual(["Help.", "Help more.", "Help."])
    expect((await client.agents.versions("helper")).items.map(({ version, reason }) => [version, reason])).toEqual([
      ["1.0.2", "Rolled back to 1.0.0"],
      ["1.0.1", null],
      ["1.0.0", "first"],
    ])
    expect(await client.agents.remove("helper")).toMatchObject({ status: "disabled" })
    await expect(client.agents.run("helper", { text: "Hi" })).rejects.toMatchObject({ code: "not_found" })
    const audit = JSON.stringify((await bench.product.request("GET", "/audit?limit=100")).body)
    for (const action of ["agent.create", "agent.publish", "agent.rollback", "agent.remove"]) expect(audit).toContain(action)
  })

  test.each([
    [{ model: { provider: "none", name: "x" } }, "there is no model provider"],
    [{ instructions: " " }, "instructions are empty"],
    [{ tools: ["a b"] }, "a b"],
    [{ limits: { steps: 0 } }, "limits.steps must be"],
    [{ limits: { steps: 10_000 } }, "limits.steps must be"],
    [{ inputSchema: { type: "string" } }, 'type must be "object"'],
  ])("%j is refused", async (change, message) => {
    await expect(bench.product.client.agents.create({ ...base, name: "Wrong", ...change })).rejects.toThrow(message)
  })

  test("tools that match nothing are told when it is made, changed or published, and no others", async () => {
    const { client, dataDir } = bench.product
    const found = ["ledger.items.get", "tools.ledger.org.main.items.create", "ledger.**", "builtin.*", "local.*"]
    const made = await client.agents.create({ ...base, name: "Slips", tools: [...found, "legder.items.get", "ledger.items.gte"] })
    const warning = "No tool currently matches legder.items.get, ledger.items.gte. Tools that match later will be included"
    expect(made.warning).toBe(warning)
    expect((await client.agents.publish("slips")).warning).toBe(warning)
    expect((await client.agents.get("slips")).warning).toBeUndefined()
    expect((await client.agents.update("slips", { tools: found })).warning).toBeUndefined()
    const edited = await openCli(dataDir).run(["agents", "edit", "slips", "--tools", "legder.**"])
    expect(edited).toMatchObject({ code: 0, stderr: expect.stringContaining("No tool currently matches legder.**") })
  })

  test("an agent's token runs what is published, sees no drafts and edits nothing", async () => {
    const { client } = bench.product
    await bench.agent("seen")
    await client.agents.create({ ...base, name: "Unseen" })
    const { token } = await client.tokens.create({ name: "bot", kind: "agent" })
    const listed = await bench.product.request("GET", "/agents", undefined, token)
    expect(JSON.stringify(listed.body)).toContain('"seen"')
    expect(JSON.stringify(listed.body)).not.toContain('"unseen"')
    expect((await bench.product.request("POST", "/agents", { ...base, name: "Mine" }, token)).status).toBe(403)
    expect((await bench.product.request("POST", "/agents/seen/publish", {}, token)).status).toBe(403)
    bench.model.script(() => ({ text: "Hello." }))
    expect((await bench.product.request("POST", "/agents/seen/runs", { text: "Hi" }, token)).body).toMatchObject({ output: "Hello." })
  })

  test("input and output follow their schemas", async () => {
    const outputSchema = { type: "object", properties: { total: { type: "number" } }, required: ["total"] }
    const inputSchema = { type: "object", properties: { order: { type: "integer" } }, required: ["order"] }
    await bench.agent("totals", { inputSchema, outputSchema })
    const { client } = bench.product
    await expect(client.agents.run("totals", { input: { order: "many" } })).rejects.toThrow("does not fit the agent")
    bench.model.script([{ text: "It is 12." }, { text: '```json\n{"total": 12}\n```' }])
    expect(await client.agents.run("totals", { input: { order: 1 } })).toMatchObject({ output: { total: 12 } })
    bench.model.script(() => ({ text: '{"total": "twelve"}' }))
    expect(await client.agents.run("totals", { input: { order: 1 } })).toMatchObject({ status: "failed" })
  })
})

describe("an agent as a tool", () => {
  beforeAll(async () => {
    await bench.agent("child", { instructions: "I am the child." })
    await bench.agent("parent", { instructions: "I am the parent.", tools: ["agents.child"] })
  })

  test("is called by code and has the seed's compact output", async () => {
    bench.model.script(child("From the child."))
    const { structured } = await bench.product.client.run('return await tools.agents.org.main.child({ text: "Go" }).unwrap()')
    const { id } = await bench.product.client.agents.get("child")
    expect(structured).toMatchObject({
      status: "completed",
      result: { mode: "sync", target_agent_id: id, target_agent_slug: "child", status: "completed", output: "From the child." },
    })
    const short = await bench.product.client.execute("agents.child", { input: { any: 1 } })
    expect(short).toMatchObject({ ok: true, data: { status: "completed" } })
  })

  test("accepts input, text, messages and context", async () => {
    const seen: ModelRequest[] = []
    bench.model.script((request) => {
      seen.push(request)
      return { text: "ok" }
    })
    const code = `return await tools.agents.child({ input: { order: 7 }, text: "Look it up", messages: [{ role: "user", text: "Hello" }], context: { shop: "north" } })`
    await bench.product.client.run(code)
    const body = JSON.stringify(seen[0]?.body)
    for (const piece of ["order", "Look it up", "Hello", "north"]) expect(body).toContain(piece)
  })

  test("is called by another agent; its calls are children, and its approvals appear at the root", async () => {
    const asked: string[] = []
    bench.model.script((request) => {
      asked.push(request.system)
      const count = asked.filter((one) => one === request.system).length
      if (request.system === "I am the parent.")
        return count === 1 ? { calls: [{ name: "agents__child", arguments: { text: "Write it" } }] } : { text: "The child did it." }
      return count === 1 ? { calls: [{ name: create, arguments: { name: "by_child" } }] } : { text: "Written." }
    })
    const { client } = bench.product
    const paused = await client.agents.run("parent", { text: "Go" })
    expect(paused.status).toBe("paused")
    expect(paused.structured).toMatchObject({ interactions: [{ args: { name: "by_child" }, via: "agents.org.main.child" }] })
    const reply = await client.resume(paused.executionId, { action: "accept" })
    expect(reply).toMatchObject({ status: "completed", structured: { result: "The child did it." } })
    expect(bench.ledger.entries.filter(({ name }) => name === "by_child")).toHaveLength(1)
    expect(asked).toEqual(["I am the parent.", "I am the child.", "I am the child.", "I am the parent."])
    const { calls } = await client.executions.get(paused.executionId)
    expect(calls.map(({ address, depth }) => `${address}${depth === undefined ? "" : ` ${depth}`}`)).toEqual([
      "model/local/scripted",
      "tools.agents.org.main.child",
      "model/local/scripted 1",
      "tools.ledger.org.main.items.create 1",
      "model/local/scripted 1",
      "model/local/scripted",
    ])
  })

  test("calls itself only so deep", async () => {
    await bench.agent("mirror", { instructions: "I am the mirror.", tools: ["agents.mirror"] })
    const seen: ModelRequest[] = []
    bench.model.script((request) => {
      seen.push(request)
      return request.outputs.length === 0
        ? { calls: [{ name: "agents__mirror", arguments: { text: `level ${seen.length}` } }] }
        : { text: "Back." }
    })
    expect(await bench.product.client.agents.run("mirror", { text: "Go" })).toMatchObject({ status: "completed" })
    expect(seen.filter(({ outputs }) => outputs.length === 0)).toHaveLength(6)
    expect(JSON.stringify(seen.map(({ outputs }) => outputs))).toContain("levels deep")
  })

  test("a failed run is an answer with the error", async () => {
    bench.model.script(() => ({ fail: "status", status: 400 }))
    const answer = await bench.product.client.execute("agents.child", { text: "Go" })
    expect(answer).toMatchObject({ ok: true, data: { status: "failed", error: { code: "upstream_error" } } })
  })

  test("is called by a registry tool of the type agent_call, by slug or id, and a timeout cancels it", async () => {
    const { client } = bench.product
    const { id } = await client.agents.get("child")
    const tool = (slug: string, implementationConfig: Record<string, unknown>) => ({
      slug,
      name: slug,
      description: "Asks the child",
      schema: { input: { type: "object", properties: { text: { type: "string" } } } },
      implementationType: "agent_call",
      implementationConfig,
    })
    await expect(client.registry.create(tool("bad", { target_agent_slug: "nobody" }))).rejects.toThrow("no published agent 'nobody'")
    for (const [slug, config] of [
      ["by_slug", { target_agent_slug: "child" }],
      ["by_id", { target_agent_id: id }],
    ] as const) {
      await client.registry.publish((await client.registry.create(tool(slug, config))).id)
      bench.model.script(child("Asked."))
      expect(await client.execute(`registry.${slug}`, { text: "Go" })).toMatchObject({ data: { target_agent_id: id, output: "Asked." } })
    }
    const late = await client.registry.create(tool("late", { target_agent_slug: "child", timeout_s: 0.2 }))
    await client.registry.publish(late.id)
    bench.model.script(() => ({ fail: "hang" }))
    const before = bench.model.requests.length
    const { structured } = await client.run('return await tools.registry.late({ text: "Go" })')
    expect(structured).toMatchObject({ result: { ok: true, data: { status: "timeout", error: { code: "timeout" } } } })
    const { gone } = await bench.model.request(before + 1)
    if (!gone.aborted) await new Promise((resolve) => gone.addEventListener("abort", resolve))
  })

  test("is not there for whoever a role keeps it from, nor in another tenant", async () => {
    const { client } = bench.product
    const { token } = await client.tokens.create({ name: "narrow", kind: "agent", patterns: ["ledger.**"] })
    expect((await bench.product.request("POST", "/agents/child/runs", { text: "Hi" }, token)).status).toBe(404)
    expect((await bench.product.request("GET", "/agents/child", undefined, token)).status).toBe(404)
    const tenant = await client.tenants.create({ id: "other" })
    const others = JSON.stringify((await bench.product.request("GET", "/agents", undefined, tenant.token)).body)
    expect(others).not.toContain("child")
    expect((await bench.product.request("POST", "/agents/child/runs", { text: "Hi" }, tenant.token)).status).toBe(404)
  })

  test("within a narrowed token a run has only its tools", async () => {
    const { client } = bench.product
    await bench.agent("wide", { tools: ["ledger.**", "builtin.**"] })
    const { token } = await client.tokens.create({ name: "some", kind: "agent", patterns: ["ledger.items.get", "agents.wide"] })
    const seen: ModelRequest[] = []
    bench.model.script((request) => {
      seen.push(request)
      return seen.length === 1 ? { calls: [{ name: create, arguments: { name: "beyond" } }] } : { text: "No." }
    })
    await bench.product.request("POST", "/agents/wide/runs", { text: "Hi" }, token)
    expect(seen[0]?.tools).toEqual([get])
    expect(bench.ledger.entries.filter(({ name }) => name === "beyond")).toEqual([])
  })
})

test("the command line makes, publishes, runs, rolls back and removes an agent", async () => {
  const run = (...args: string[]) => openCli(bench.product.dataDir).run(["agents", ...args])
  const made = await run("create", "clerk", "--model", "local/scripted", "--tools", "ledger.items.get", "--instructions", "Keep books.")
  expect([made.code, made.stderr]).toEqual([0, ""])
  bench.model.script([{ calls: [{ name: get, arguments: { name: "by_clerk" } }] }, { text: "Booked." }])
  expect((await run("run", "clerk", "Go", "--debug")).stdout).toContain("Booked.")
  expect((await run("publish", "clerk")).stdout).toContain("version 1.0.0")
  expect((await run("edit", "clerk", "--instructions", "Keep better books.")).code).toBe(0)
  expect((await run("edit", "clerk", "--limits", "steps=7,tokens=5000", "--model-options", "temperature=0.5,reasoning=low")).code).toBe(0)
  expect((await run("edit", "clerk", "--model", "local/other")).code).toBe(0)
  expect(await bench.product.client.agents.get("clerk")).toMatchObject({
    limits: { steps: 7, tokens: 5000 },
    model: { provider: "local", name: "other", options: { temperature: 0.5, reasoning: "low" } },
  })
  expect((await run("show", "clerk")).stdout).toMatch(/^Model +local\/other .*"temperature":0\.5/m)
  expect((await run("edit", "clerk", "--limits", "step=7")).stderr).toMatch(/step/)
  expect((await run("edit", "clerk", "--limits", "seven")).stderr).toContain("names with values")
  const { stdout } = await run("diff", "clerk")
  expect(stdout).toMatch(/^clerk from 1\.0\.0 to the working copy/)
  expect(stdout).toContain("Keep better books.")
  expect((await run("publish", "clerk", "--reason", "better")).stdout).toContain("version 1.0.1")
  expect((await run("publish", "clerk")).stdout).toContain("Nothing new to publish: version 1.0.1 of clerk is the same")
  expect((await run("create", "No Slug", "--model", "local/scripted", "--instructions", "x")).stderr).toContain("not the slug of an agent")
  expect((await run("versions", "clerk")).stdout).toContain("better")
  expect((await run("diff", "clerk", "1.0.0", "1.0.1")).stdout).toMatch(/^clerk from 1\.0\.0 to 1\.0\.1/)
  expect((await run("diff", "clerk", "7.0.0")).stderr).toContain("agents versions clerk")
  expect((await run("rollback", "clerk", "1.0.0")).stdout).toContain("as version 1.0.2")
  expect((await run("show", "clerk")).stdout).toContain("Keep books.")
  expect((await run("list")).stdout).toMatch(/clerk\s/)
  bench.model.script([{ calls: [{ name: get, arguments: { name: "x" } }] }, { text: "Booked again." }])
  expect((await run("run", "clerk", "--input", '{"order": 1}')).stdout).toContain("Booked again.")
  expect((await run("remove", "clerk", "--yes")).stdout).toContain("Disabled clerk")
})
