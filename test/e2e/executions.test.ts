// Code mode through the SDK: calls, approvals, pauses, replays and what code may not do.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest"
import type { ExecutionReply, Interaction } from "../../src/core/execution.ts"
import { createExecutor } from "../../src/index.ts"
import type { Executor } from "../../src/index.ts"
import { startLedger } from "../servers/ledger.ts"
import type { Ledger } from "../servers/ledger.ts"

let ledger: Ledger
let executor: Executor
const dataDir = mkdtempSync(join(tmpdir(), "executor-executions-"))

beforeAll(async () => {
  ledger = await startLedger()
  executor = await createExecutor({ dataDir, limits: { executionCpuMs: 500 } })
  await executor.integrations.add({ slug: "ledger", kind: "openapi", config: { spec: ledger.document } })
  await executor.connections.create({ integration: "ledger" })
})
afterEach(() => void (ledger.entries.length = 0))
afterAll(async () => {
  await executor.close()
  await ledger.close()
  rmSync(dataDir, { recursive: true })
})

/** As if the process had been replaced: nothing of it is left but its rows. */
async function restart(): Promise<void> {
  await executor.close()
  executor = await createExecutor({ dataDir, limits: { executionCpuMs: 500 } })
}

const interactionsOf = (run: ExecutionReply): readonly Interaction[] =>
  run.structured.status === "waiting_for_interaction" ? run.structured.interactions : []

const writes = (): string[] => ledger.entries.filter((entry) => entry.method !== "GET").map((entry) => entry.name)

describe("calls", () => {
  test("an allowed call answers in an envelope", async () => {
    const run = await executor.run(`const answer = await tools.ledger.org.main.items.get({ name: "a" }); return answer.data.name`)
    expect(run).toMatchObject({ status: "completed", isError: false, text: "a", structured: { status: "completed", result: "a" } })
  })

  test("raw results are the data, or throw", async () => {
    const run = await executor.run(
      `const item = await tools.ledger.items.get({ name: "a" })
       try { await tools.ledger.items.get({}) } catch (error) { return [item.name, error.name, error.code, error.kind, error.message] }`,
      { results: "raw" },
    )
    expect(run.structured).toMatchObject({
      result: ["a", "ToolError", "invalid_arguments", "invalid_arguments", "Missing required parameter 'name'"],
    })
  })

  test("calls in Promise.all really run in parallel", async () => {
    const running = executor.run(`
      const names = await Promise.all([1, 2, 3, 4, 5].map((n) => tools.ledger.items.get({ name: String(n), delay: 60_000 }).unwrap()))
      return names.map((one) => one.name).join("")`)
    await expect.poll(() => ledger.underWay().toSorted()).toEqual(["1", "2", "3", "4", "5"])
    for (const name of ledger.underWay()) ledger.release(name)
    expect((await running).structured).toMatchObject({ result: "12345" })
  })

  test("an unknown path says so and suggests", async () => {
    const run = await executor.run(`return await tools.ledger.org.main.items.gett({})`)
    expect(run.structured).toMatchObject({
      result: { ok: false, error: { code: "tool_not_found", message: "Tool path 'ledger.org.main.items.gett' not found" } },
    })
  })

  test("the history shows what was called, decided and answered", async () => {
    const { executionId } = await executor.run(`await tools.ledger.items.get({ name: "h" }); console.warn("careful"); return 1`)
    const view = await executor.executions.get(executionId)
    expect(view).toMatchObject({
      status: "completed",
      calls: [{ address: "tools.ledger.org.main.items.get", args: { name: "h" }, decision: "allow", status: "done" }],
      structured: { logs: [{ level: "warn", text: "careful" }] },
      principal: { user: "local", kind: "human" },
    })
    expect((await executor.executions.list({ limit: 1 })).items[0]).toMatchObject({ executionId, status: "completed" })
  })
})

describe("errors of the code", () => {
  test.each([
    ["const x = ;", { code: "syntax", line: 1 }],
    ["\n\nthrow new TypeError('no')", { code: "thrown", name: "TypeError", message: "no", line: 3 }],
    ["while (true) {}", { code: "cpu_limit" }],
    ["await new Promise(() => {})", { code: "thrown" }],
  ])("%j", async (code, error) => {
    const run = await executor.run(code)
    expect(run).toMatchObject({ status: "failed", isError: true, structured: { error } })
  })
})

describe("approvals", () => {
  test("a write pauses, survives a restart, and happens once when it is accepted", async () => {
    const paused = await executor.run(`const made = await tools.ledger.items.create({ name: "one" }); return made.data.count`)
    expect(paused).toMatchObject({
      status: "paused",
      isError: false,
      structured: {
        status: "waiting_for_interaction",
        interactions: [{ kind: "approval", address: "tools.ledger.org.main.items.create", args: { name: "one" } }],
      },
    })
    expect(writes()).toEqual([])
    await restart()
    const done = await executor.resume(paused.executionId, { action: "accept" })
    expect(done).toMatchObject({ status: "completed", structured: { result: 1 } })
    expect(await executor.resume(paused.executionId, { action: "accept" })).toEqual(done)
    await expect(executor.resume(paused.executionId, { action: "decline" })).rejects.toMatchObject({ code: "already_answered" })
    expect(writes()).toEqual(["one"])
  })

  test.each([
    ["decline", "approval_declined"],
    ["cancel", "approval_cancelled"],
  ] as const)("%s reaches the code", async (action, code) => {
    const paused = await executor.run(`return (await tools.ledger.items.remove({ name: "x" })).error.code`)
    expect(await executor.resume(paused.executionId, { action })).toMatchObject({ status: "completed", structured: { result: code } })
    expect(writes()).toEqual([])
  })

  test("three calls are one pause with three interactions, approvable together", async () => {
    const code = `return (await Promise.all(["a", "b", "c"].map((name) => tools.ledger.items.create({ name }).unwrap()))).map((one) => one.name)`
    const paused = await executor.run(code)
    expect(paused.structured).toMatchObject({ interactions: [{ args: { name: "a" } }, { args: { name: "b" } }, { args: { name: "c" } }] })
    expect(await executor.resume(paused.executionId, { action: "accept" })).toMatchObject({
      status: "completed",
      structured: { result: ["a", "b", "c"] },
    })
    expect(writes().toSorted()).toEqual(["a", "b", "c"])
  })

  test("… and one by one, with one declined", async () => {
    const code = `return (await Promise.all(["a", "b"].map((name) => tools.ledger.items.create({ name })))).map((one) => one.ok)`
    const paused = await executor.run(code)
    const ids = (await executor.approvals.list()).items.filter((one) => one.executionId === paused.executionId).map((one) => one.approvalId)
    const [first = "", second = ""] = ids
    const again = await executor.approvals.answer(first, { action: "accept" })
    expect(again).toMatchObject({ status: "paused", structured: { interactions: [{ approvalId: second }] } })
    expect(await executor.approvals.answer(second, { action: "decline" })).toMatchObject({
      status: "completed",
      structured: { result: [true, false] },
    })
    expect(writes()).toEqual(["a"])
  })

  test("two that resume at once get the same answer, and it happens once", async () => {
    const paused = await executor.run(`return (await tools.ledger.items.create({ name: "twice", delay: 100 })).data`)
    const replies = await Promise.all([1, 2, 3].map(() => executor.resume(paused.executionId, { action: "accept" })))
    for (const reply of replies) expect(reply).toEqual(replies[0])
    expect(writes()).toEqual(["twice"])
  })

  test("autoApprove does not pause", async () => {
    expect(await executor.run(`return (await tools.ledger.items.create({ name: "auto" })).ok`, { autoApprove: true })).toMatchObject({
      status: "completed",
      structured: { result: true },
    })
  })

  test("approval: throw answers approval_required, and the same call passes once when it was accepted", async () => {
    const code = `try { return (await tools.ledger.items.create({ name: "thrown" })).name } catch (error) { return [error.kind, error.approvalId] }`
    const first = await executor.run(code, { results: "raw", approval: "throw" })
    const [kind, approvalId] = (first.structured as { result: [string, string] }).result
    expect(kind).toBe("pending")
    await executor.approvals.answer(approvalId, { action: "accept" })
    expect((await executor.run(code, { results: "raw", approval: "throw" })).structured).toMatchObject({ result: "thrown" })
    expect((await executor.run(code, { results: "raw", approval: "throw" })).structured).toMatchObject({
      result: ["pending", expect.any(String)],
    })
    expect(writes()).toEqual(["thrown"])
  })

  test("remember: execution covers the same tool with other arguments, in this execution only", async () => {
    const code = `const names = []; for (const name of ["a", "b", "c"]) names.push((await tools.ledger.items.create({ name })).data.name); return names`
    const paused = await executor.run(code)
    const [interaction] = interactionsOf(paused)
    expect(await executor.approvals.answer(interaction?.approvalId ?? "", { action: "accept", remember: "execution" })).toMatchObject({
      structured: { result: ["a", "b", "c"] },
    })
    expect((await executor.run(code)).status).toBe("paused")
  })

  test("remember: always makes a rule of one's own, but not against the organisation's", async () => {
    const code = `return (await tools.ledger.items.remove({ name: "r" })).ok`
    const approvalOf = (run: { structured: unknown }): string =>
      (run.structured as { interactions: { approvalId: string }[] }).interactions[0]?.approvalId ?? ""
    const strict = await executor.policies.create({ owner: "org", pattern: "ledger.*.*.items.remove", action: "require_approval" })
    const first = await executor.run(code)
    await expect(executor.approvals.answer(approvalOf(first), { action: "accept", remember: "always" })).rejects.toMatchObject({
      code: "conflict",
    })
    await executor.policies.remove(strict.id)
    expect(await executor.approvals.answer(approvalOf(first), { action: "accept", remember: "always" })).toMatchObject({
      status: "completed",
    })
    expect(await executor.run(code)).toMatchObject({ status: "completed", structured: { result: true } })
    for (const rule of await executor.policies.list()) await executor.policies.remove(rule.id)
  })

  test("cancelling a paused execution ends it and its approvals", async () => {
    const paused = await executor.run(`await tools.ledger.items.create({ name: "never" })`)
    expect(await executor.executions.cancel(paused.executionId)).toMatchObject({
      status: "cancelled",
      structured: { error: { code: "cancelled" } },
    })
    expect((await executor.approvals.list()).items.filter((one) => one.executionId === paused.executionId)).toEqual([])
    await expect(executor.resume(paused.executionId, { action: "accept" })).rejects.toMatchObject({ code: "already_answered" })
    expect(writes()).toEqual([])
  })
})

describe("policies", () => {
  test("a block refuses, an allow passes, and explain says why", async () => {
    const allow = await executor.policies.create({ owner: "user", pattern: "ledger.**", action: "allow" })
    expect(await executor.run(`return (await tools.ledger.items.create({ name: "p" })).ok`)).toMatchObject({ structured: { result: true } })
    const block = await executor.policies.create({
      owner: "org",
      pattern: "ledger.org.main.items.create",
      action: "block",
      when: [{ arg: "name", op: "eq", value: "bad" }],
    })
    expect(await executor.run(`return (await tools.ledger.items.create({ name: "bad" })).error.code`)).toMatchObject({
      structured: { result: "tool_blocked" },
    })
    expect(await executor.run(`return (await tools.ledger.items.create({ name: "good" })).ok`)).toMatchObject({
      structured: { result: true },
    })
    expect(await executor.policies.explain({ address: "tools.ledger.org.main.items.create", args: { name: "bad" } })).toMatchObject({
      verdict: "block",
      rule: { id: block.id },
      beaten: [{ rule: { id: allow.id } }],
    })
    await executor.policies.remove(allow.id)
    await executor.policies.remove(block.id)
  })

  test("core tools that change something always ask", async () => {
    const rule = await executor.policies.create({ owner: "user", pattern: "*", action: "allow" })
    const paused = await executor.run(
      `return await tools.executor.coreTools.policies.create({ owner: "user", pattern: "x.**", action: "allow" })`,
      { autoApprove: true },
    )
    expect(paused).toMatchObject({ status: "paused", structured: { interactions: [{ address: "executor.coreTools.policies.create" }] } })
    expect(
      await executor.run(`return (await tools.executor.coreTools.integrations.list({})).data.items.map((one) => one.slug)`),
    ).toMatchObject({ structured: { result: ["ledger"] } })
    await executor.policies.remove(rule.id)
  })
})

describe("replay", () => {
  test.each([
    [
      "race",
      `const first = await Promise.race([tools.ledger.items.get({ name: "slow", delay: 150 }), tools.ledger.items.get({ name: "fast" })]); return first.data.name`,
      "fast",
    ],
    [
      "allSettled",
      `const all = await Promise.allSettled([tools.ledger.items.get({ name: "b", delay: 80 }), tools.ledger.items.get({}).unwrap()]); return all.map((one) => one.status)`,
      ["fulfilled", "rejected"],
    ],
    [
      "nested",
      `const deep = await Promise.all([1, 2].map(async (n) => { const one = await tools.ledger.items.get({ name: "n" + n, delay: 90 * n }).unwrap(); return (await tools.ledger.items.get({ name: one.name + "x" }).unwrap()).name })); return deep`,
      ["n1x", "n2x"],
    ],
    [
      "loop",
      `let name = "l"; for (let i = 0; i < 3; i++) name = (await tools.ledger.items.get({ name }).unwrap()).name + i; return name`,
      "l012",
    ],
    [
      "clock and chance",
      `const a = String(Math.random()), b = String(Date.now()); await tools.ledger.items.get({ name: "t", delay: 30 }); return [a === String(globalThis.seen ?? a), typeof b]`,
      [true, "string"],
    ],
  ])("%s replays to the same calls after a pause and a restart", async (_, body, expected) => {
    const code = `const before = await (async () => { ${body} })(); const chance = Math.random(); const now = Date.now();
      const made = await tools.ledger.items.create({ name: "w" + chance + "-" + now }); return { before, asked: "w" + chance + "-" + now, made: made.data.name }`
    const paused = await executor.run(code)
    expect(paused.status).toBe("paused")
    const asked = [...ledger.entries]
    await restart()
    const done = await executor.resume(paused.executionId, { action: "accept" })
    const { result } = done.structured as { result: { before: unknown; asked: string; made: string } }
    expect(result.before).toEqual(expected)
    expect(result.made).toBe(result.asked)
    expect(ledger.entries.slice(asked.length)).toEqual([{ method: "POST", name: result.asked }])
  })
})
