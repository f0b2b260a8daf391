// Tools made of tools: their calls pass the gate as children of the call, pause with it, and happen once.
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest"
import { startLedger } from "../servers/ledger.ts"
import type { Ledger } from "../servers/ledger.ts"
import { startProduct } from "./product.ts"
import type { Product } from "./product.ts"
import { draftTool, makeTool, openColleague, republishAs } from "./registry-maker.ts"
import type { ToolInput } from "./registry-maker.ts"

const env = { EXECUTOR_LIMITS: JSON.stringify({ leaseMs: 600 }) }
const custom = (code: string, more: Record<string, unknown> = {}) => ({
  implementationType: "custom",
  implementationConfig: { code, ...more },
})
async function open(owner: "org" | "user"): Promise<{ product: Product; ledger: Ledger }> {
  const ledger = await startLedger()
  const product = await startProduct({ env })
  await product.client.integrations.add({ slug: "ledger", kind: "openapi", config: { spec: ledger.document } })
  await product.client.connections.create({ integration: "ledger", owner })
  return { product, ledger }
}

describe("a custom tool", () => {
  let product: Product
  let ledger: Ledger
  beforeAll(async () => void ({ product, ledger } = await open("org")))
  afterAll(async () => {
    await product.stop()
    await ledger.close()
  })
  const make = (slug: string, input: ToolInput): Promise<string> => makeTool(product.client, slug, input)
  const run = async (code: string): Promise<unknown> => {
    const { structured } = await product.client.run(code)
    return "result" in structured ? structured.result : structured
  }

  test("gets its arguments as `input`, and calls other tools, as children in the journal", async () => {
    await make("twice", custom("const one = await tools.ledger.items.get({ name: input.name }).unwrap(); return [one.name, input]"))
    const reply = await product.client.run(`return await tools.registry.twice({ name: "x" })`)
    expect(reply.structured).toMatchObject({ result: { ok: true, data: ["x", { name: "x" }] } })
    const { calls } = await product.client.executions.get(reply.executionId)
    expect(calls).toMatchObject([{ address: expect.stringContaining("registry.org.main.twice") }, { depth: 1, args: { name: "x" } }])
    expect(calls[0]).not.toHaveProperty("depth")
  })

  test("fails with the line of its code, and with the error of the tool that failed in it", async () => {
    await make("broken", custom("const a = 1\nthrow new Error('no ' + a)"))
    expect(await run("return await tools.registry.broken({})")).toMatchObject({
      ok: false,
      error: { code: "upstream_error", message: expect.stringMatching(/no 1.*line 2/) },
    })
  })

  test("that calls itself is stopped", async () => {
    await make("endless", custom("return await tools.registry.endless({ n: (input.n ?? 0) + 1 }).unwrap()"))
    const answer = await run("return await tools.registry.endless({})")
    expect(answer).toMatchObject({ ok: false })
    expect(JSON.stringify(answer)).toContain("levels deep")
  })

  test("pauses the whole execution where a call of its own needs approval, and resumes", async () => {
    await make("writer", custom("return await tools.ledger.items.create({ name: input.name })"))
    const code = `const before = await tools.ledger.items.get({ name: "before" }); return await tools.registry.writer({ name: "made" })`
    const paused = await product.client.run(code)
    expect(paused.structured).toMatchObject({ status: "waiting_for_interaction", interactions: [{ args: { name: "made" } }] })
    expect(ledger.entries.map(({ name }) => name)).not.toContain("made")
    const resumed = await product.client.resume(paused.executionId, { action: "accept" })
    expect(resumed.structured).toMatchObject({
      status: "completed",
      result: { ok: true, data: { ok: true, data: { name: "made", count: 1 } } },
    })
    expect(ledger.entries.filter(({ name }) => name === "made" || name === "before")).toHaveLength(2)
  })

  test("that is published with other code while it waits does not go on, and the human's answer covers nothing of it", async () => {
    const code = (tail: string): string => `const a = await tools.ledger.items.create({ name: "swapped" }); ${tail}`
    const id = await make("swapped", custom(code("return a")))
    const paused = await product.client.run(`return await tools.registry.swapped({})`)
    await product.client.registry.update(id, custom(code("return [a, 'other']")))
    await product.client.registry.publish(id)
    const resumed = await product.client.resume(paused.executionId, { action: "accept" })
    expect(resumed.structured).toMatchObject({
      status: "completed",
      result: {
        ok: false,
        error: { code: "conflict", message: expect.stringContaining("'registry.swapped' was changed while this call") },
      },
    })
    expect(ledger.entries.map(({ name }) => name)).not.toContain("swapped")
  })

  test("that is only described otherwise while it waits goes on", async () => {
    const id = await make("renamed", custom(`return await tools.ledger.items.create({ name: "renamed" })`))
    const paused = await product.client.run(`return await tools.registry.renamed({})`)
    await product.client.registry.update(id, { description: "Other words" })
    await product.client.registry.publish(id)
    const resumed = await product.client.resume(paused.executionId, { action: "accept" })
    expect(resumed.structured).toMatchObject({ status: "completed", result: { ok: true, data: { ok: true, data: { count: 1 } } } })
  })

  test("whose call is declined gets the refusal as a value", async () => {
    const paused = await product.client.run(`return await tools.registry.writer({ name: "declined" })`)
    const resumed = await product.client.resume(paused.executionId, { action: "decline" })
    expect(resumed.structured).toMatchObject({ result: { ok: true, data: { ok: false, error: { code: "approval_declined" } } } })
    expect(ledger.entries.map(({ name }) => name)).not.toContain("declined")
  })

  test("acts as an agent: what is for human admins is refused, also when an admin calls it", async () => {
    await make("admin_wish", custom("return await tools.executor.coreTools.integrations.remove({ slug: 'ledger' })"))
    const answer = await run("return await tools.registry.admin_wish({}).unwrap()")
    expect(answer).toMatchObject({ ok: false, error: { code: expect.stringMatching(/^(forbidden|tool_not_found|tool_blocked)$/) } })
    expect(await product.client.integrations.get("ledger")).toMatchObject({ slug: "ledger" })
  })

  test("is called by an agent as by its human, within the agent's patterns", async () => {
    await make("reader", custom("return await tools.ledger.items.get({ name: 'x' }).unwrap()"))
    const { token } = await product.client.tokens.create({ name: "narrow", kind: "agent", patterns: ["registry.*"] })
    const reply = await product.request("POST", "/executions", { code: `return await tools.registry.reader({})` }, token)
    expect(reply.body).toMatchObject({ structured: { result: { ok: false, error: { details: { toolError: { code: "tool_blocked" } } } } } })
  })

  test("shares the place of its group with the calls that it makes", async () => {
    const group = { concurrency_group: "crm", max_concurrency: 1 }
    await make("inner", { ...custom("return input.n"), executionConfig: group })
    const code = "return (await Promise.all([1, 2, 3].map((n) => tools.registry.inner({ n })))).map((one) => one.data)"
    await make("outer", { ...custom(code), executionConfig: group })
    expect(await run("return await Promise.all([tools.registry.outer({}).unwrap(), tools.registry.outer({}).unwrap()])")).toEqual([
      [1, 2, 3],
      [1, 2, 3],
    ])
  })

  test("asks for all that it calls at once, also from a tool inside it, and each happens once", async () => {
    const code = "return (await Promise.all(input.names.map((name) => tools.ledger.items.create({ name })))).map((one) => one.ok)"
    await make("many", custom(code))
    await make(
      "around",
      custom(
        "const made = await tools.registry.many(input).unwrap(); return [await tools.ledger.items.get({ name: 'end' }).unwrap(), made]",
      ),
    )
    let reply = await product.client.run(`return await tools.registry.around({ names: ["m1", "m2", "m3"] }).unwrap()`)
    for (let rounds = 0; reply.structured.status === "waiting_for_interaction"; rounds += 1) {
      expect(rounds).toBeLessThan(4)
      const [first] = reply.structured.interactions
      reply = await product.client.resume(reply.executionId, { action: "accept", approvalId: first?.approvalId ?? "" })
    }
    expect(reply.structured).toMatchObject({ result: [{ name: "end" }, [true, true, true]] })
    expect(
      ledger.entries
        .filter(({ name }) => /^m\d$/.test(name))
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(["m1", "m2", "m3"])
    const { calls } = await product.client.executions.get(reply.executionId)
    expect(calls.map(({ depth = 0 }) => depth).toSorted((one, other) => one - other)).toEqual([0, 1, 1, 2, 2, 2])
  })

  test("finds tools, but keeps to the limits of code", async () => {
    await make("finder", custom("return (await tools.search({ query: 'create an item' })).items.length > 0"))
    expect(await run("return await tools.registry.finder({}).unwrap()")).toBe(true)
    await make("greedy", custom("const all = []; for (;;) all.push(new Array(100_000).fill(1))"))
    expect(await run("return await tools.registry.greedy({})")).toMatchObject({ ok: false, error: { code: "budget_exceeded" } })
    // What cannot be read is never published, but may be there from before.
    await republishAs(product, await make("wrong_code", custom("return 1")), "custom", { code: "return (" })
    expect(await run("return await tools.registry.wrong_code({})")).toMatchObject({ ok: false })
  })

  test("calls no more than one execution may", async () => {
    await make("flood", custom("let n = 0; for (; n < 1100; n += 1) if (!(await tools.registry.twice({ name: 'f' })).ok) break; return n"))
    expect(await run("return await tools.registry.flood({}).unwrap()")).toBeLessThan(1000)
  })

  test("is stopped after timeout_s", async () => {
    await make("slow", { ...custom("await new Promise((done) => setTimeout(done, 60_000))"), executionConfig: { timeout_s: 1 } })
    expect(await run("return await tools.registry.slow({})")).toMatchObject({ ok: false, error: { code: "timeout" } })
  })
})

test("somebody else's custom tool reaches own connections only where its uses names them, and asks once", async () => {
  const { product, ledger } = await open("user")
  onTestFinished(async () => {
    await product.stop()
    await ledger.close()
  })
  const code = "return await tools.ledger.items.get({ name: 'mine' })"
  const alice = await openColleague(product, "alice")
  await makeTool(product.client, "mine", custom(code))
  await makeTool(alice, "theirs", custom(code))
  await makeTool(alice, "theirs_named", custom(code, { uses: ["ledger.**"] }))
  expect((await product.client.run("return await tools.registry.mine({}).unwrap()")).structured).toMatchObject({ result: { ok: true } })
  expect((await product.client.run("return await tools.registry.theirs({}).unwrap()")).structured).toMatchObject({ result: { ok: false } })
  const published = await draftTool(alice, "published_for_her", custom(code))
  await product.client.registry.publish(published)
  await product.client.registry.update(published, { description: "Other words" })
  await product.client.registry.publish(published)
  expect((await product.client.run("return await tools.registry.published_for_her({}).unwrap()")).structured).toMatchObject({
    result: { ok: false },
  })
  expect(ledger.entries).toHaveLength(1)
  const asked = await product.client.run("return await tools.registry.theirs_named({}).unwrap()")
  expect(asked.status).toBe("paused")
  expect((await product.client.resume(asked.executionId, { action: "accept" })).structured).toMatchObject({ result: { ok: true } })
  expect((await product.client.run("return await tools.registry.theirs_named({}).unwrap()")).structured).toMatchObject({
    result: { ok: true },
  })
  expect(ledger.entries).toHaveLength(3)
})

test("a nested write that was under way when the process was killed is not made again, and says so", async () => {
  const { product, ledger } = await open("org")
  await makeTool(
    product.client,

    "chain",
    custom(
      "const a = await tools.ledger.items.create({ name: 'first' }); const b = await tools.ledger.items.create({ name: 'second', delay: 60_000 }); return [a.ok, b]",
    ),
  )
  await product.client.policies.create({ owner: "org", pattern: "ledger.**", action: "allow" })
  const running = product.client.run("return await tools.registry.chain({})").catch(() => null)
  await expect.poll(() => ledger.underWay(), { timeout: 20_000 }).toEqual(["second"])
  await product.kill("SIGKILL")
  await running
  const after = await startProduct({ dataDir: product.dataDir, env })
  onTestFinished(async () => {
    await after.stop()
    await ledger.close()
  })
  const [execution] = (await after.client.executions.list()).items
  await expect
    .poll(async () => (await after.client.executions.get(execution?.executionId ?? "")).status, { timeout: 30_000 })
    .toBe("completed")
  const view = await after.client.executions.get(execution?.executionId ?? "")
  expect(view.structured).toMatchObject({ result: { ok: true, data: [true, { ok: false, error: { code: "outcome_unknown" } }] } })
  expect(ledger.entries.map(({ name }) => name)).toEqual(["first", "second"])
})
