// Tests that tools made of code call other tools through the gate, as agents, and survive pauses and crashes without doing anything twice.
import { afterAll, expect, test } from "vitest"
import type { StaticCall } from "../../catalog/static-tool.ts"
import type { ExecutionReply } from "../../core/execution.ts"
import type { ToolResult } from "../../core/result.ts"
import { allOf } from "../../store/executions/testing/samples.ts"
import { startRecovery } from "../cluster/recover.ts"
import { executeTool } from "../execute-tool.ts"
import { leaseMs, openCluster } from "../testing/cluster.ts"
import { gatedTool, staticTool } from "../testing/samples.ts"
import { execute } from "./execute.ts"
import { showExecution } from "./history.ts"
import { resumeExecution } from "./resume.ts"

const cluster = await openCluster()
afterAll(() => cluster.close())

const accept = { action: "accept" } as const

/** `made.run({ code, ...input })` performs its call with the code that it is given. */
const runGiven = ({ args, runCode }: StaticCall): Promise<ToolResult> => {
  const { code, ...input } = args
  return runCode({ code: String(code), input, reach: input["pure"] === true ? null : { own: "all" }, timeoutMs: 30_000 })
}

async function setUp() {
  const writes: unknown[] = []
  const write = staticTool("notes.write", "write", async ({ args }): Promise<ToolResult> => {
    writes.push(args["title"])
    return { ok: true, data: writes.length }
  })
  const secret = {
    ...staticTool("notes.secret", "read", async (): Promise<ToolResult> => ({ ok: true, data: "secret" })),
    audience: "admin" as const,
  }
  const free = { ...write, fqid: "notes.free", requiresApproval: false }
  const [slowRead, slowWrite] = [gatedTool("notes.slowRead", "read"), gatedTool("notes.slowWrite", "write")]
  const tools = [
    write,
    free,
    secret,
    slowRead.tool,
    { ...slowWrite.tool, requiresApproval: false },
    staticTool("made.run", "read", runGiven),
  ]
  const human = await cluster.human()
  const [one, two] = [cluster.node({ tools }), cluster.node({ tools })]
  const run = (code: string, input: object = {}, change: object = {}): Promise<ExecutionReply> =>
    execute(human, { code: `return await tools.made.run(${JSON.stringify({ code, ...input })})`, ...change }, one)
  const resultOf = async (code: string, input: object = {}): Promise<unknown> => {
    const { structured } = await run(code, input, { autoApprove: true })
    return structured.status === "completed" ? structured.result : structured
  }
  const callsOf = async (id: string) =>
    (await showExecution(human, id, one)).calls.map(({ address, depth = 0, status }) => [address, depth, status])
  return { writes, slowRead, slowWrite, human, one, two, run, resultOf, callsOf }
}

test("its calls are children of the call that it performs", async () => {
  const { run, callsOf, writes } = await setUp()
  const reply = await run(
    `const n = await tools.notes.free({ title: input.title }).unwrap()\nreturn { n, found: (await tools.search({ query: "write" })).items.length > 0 }`,
    { title: "a" },
  )
  expect(reply.structured).toMatchObject({ result: { ok: true, data: { n: 1, found: true } } })
  expect(writes).toEqual(["a"])
  expect(await callsOf(reply.executionId)).toEqual([
    ["made.run", 0, "done"],
    ["notes.free", 1, "done"],
    ["search", 1, "done"],
  ])
})

test("a question inside of it pauses the execution, which goes on from there on another node", async () => {
  const { run, human, two, writes } = await setUp()
  const code = `
    const random = Math.random(), now = Date.now()
    await tools.notes.free({ title: "first" })
    const before = [random, now]
    const second = await tools.notes.write({ title: "asked " + random })
    await tools.notes.free({ title: "third" })
    return { same: before[0] === random && before[1] === now, second: second.data }`
  const paused = await run(code)
  expect(paused).toMatchObject({ status: "paused", structured: { interactions: [{ address: "notes.write", via: "made.run" }] } })
  const done = await resumeExecution(human, paused.executionId, accept, two)
  expect(done.structured).toMatchObject({ result: { ok: true, data: { same: true, second: 2 } } })
  expect(writes).toHaveLength(3)
})

test("two questions side by side are asked together, and a declined one is a refusal inside", async () => {
  const { run, human, one, writes } = await setUp()
  const paused = await run(
    `const all = await Promise.all(["a", "b"].map((title) => tools.notes.write({ title })))\nreturn all.map((one) => one.ok)`,
  )
  const { interactions } = paused.structured as unknown as { interactions: { approvalId: string; args: { title: string } }[] }
  expect(interactions.map(({ args }) => args.title).toSorted()).toEqual(["a", "b"])
  const [first, second] = interactions.toSorted((a, b) => (a.args.title < b.args.title ? -1 : 1))
  const half = await resumeExecution(human, paused.executionId, { ...accept, approvalId: first?.approvalId ?? "" }, one)
  expect(half.status).toBe("paused")
  const whole = await resumeExecution(human, paused.executionId, { action: "decline", approvalId: second?.approvalId ?? "" }, one)
  expect(whole.structured).toMatchObject({ result: { ok: true, data: [true, false] } })
  expect(writes).toEqual(["a"])
})

test("a node that dies takes nothing with it: what was written inside is not written again", async () => {
  const { run, writes, slowRead, two } = await setUp()
  const recovery = startRecovery(two)
  const reply = run(`
    await tools.notes.free({ title: "a" })
    const read = await tools.notes.slowRead({})
    await tools.notes.free({ title: "b" })
    return read.data`)
  await slowRead.calls(1)
  cluster.clock.advance(leaseMs + 1)
  await recovery.tick()
  await slowRead.calls(2)
  slowRead.answer({ ok: true, data: "read" })
  expect((await reply).structured).toMatchObject({ result: { ok: true, data: "read" } })
  expect(writes).toEqual(["a", "b"])
  await recovery.stop()
})

test("a write inside that was under way is not repeated", async () => {
  const { run, slowWrite, one, two } = await setUp()
  const [late, recovery] = [startRecovery(one), startRecovery(two)]
  const reply = run(`return await tools.notes.slowWrite({})`)
  await slowWrite.calls(1)
  cluster.clock.advance(leaseMs + 1)
  await recovery.tick()
  // The first node comes back, and finds that the execution is no longer its own.
  await late.tick()
  expect((await reply).structured).toMatchObject({ result: { ok: true, data: { ok: false, error: { code: "outcome_unknown" } } } })
  expect(slowWrite.count()).toBe(1)
  slowWrite.answer({ ok: true, data: null })
  await Promise.all([late.stop(), recovery.stop()])
})

test("tools that call each other end somewhere", async () => {
  const { resultOf } = await setUp()
  // The code is its own input, so that it could go on for ever.
  const code = `const inner = await tools.made.run({ code: input.own, own: input.own, n: input.n + 1 })\nreturn inner.ok ? inner.data : [input.n, inner.error.code, inner.error.message]`
  expect(await resultOf(code, { own: code, n: 1 })).toEqual({
    ok: true,
    data: [5, "budget_exceeded", expect.stringContaining("5 levels deep")],
  })
})

test("it acts as an agent: what is for admins is not there, although an admin calls", async () => {
  const { resultOf } = await setUp()
  expect(await resultOf(`return (await tools.notes.secret({})).error.code`)).toEqual({ ok: true, data: "tool_blocked" })
  expect(
    await resultOf(`return (await tools.search({ query: "secret" })).items.filter((item) => item.path === "notes.secret").length`),
  ).toEqual({ ok: true, data: 0 })
})

test("without tools it has none", async () => {
  const { resultOf } = await setUp()
  expect(await resultOf(`return typeof tools + typeof input.pure`, { pure: true })).toEqual({ ok: true, data: "undefinedboolean" })
})

test.each([
  ["throws", `throw new TypeError("no")`, "upstream_error", /TypeError: no.*line 1/],
  ["fails inside", `return await tools.nothing.here({}).unwrap()`, "upstream_error", /not found/],
  ["is no code", `return (`, "upstream_error", /SyntaxError/],
  ["keeps too much", `const all = []; for (;;) all.push(new Array(1e5).fill(1))`, "budget_exceeded", /memory/],
])("code that %s is a failure of the call", { timeout: 60_000 }, async (_name, code, expected, message) => {
  const { resultOf } = await setUp()
  expect(await resultOf(code)).toMatchObject({ ok: false, error: { code: expected, message: expect.stringMatching(message) as unknown } })
})

test("the calls count together with those of the execution", async () => {
  const human = await cluster.human()
  const parts = cluster.node({
    tools: [staticTool("made.run", "read", runGiven), staticTool("notes.read", "read", async () => ({ ok: true, data: 1 }))],
    limits: { executionCallsMax: 5 },
  })
  const code = `let n = 0; for (let i = 0; i < 9; i++) if ((await tools.notes.read({ i })).ok) n++; return n`
  const { structured } = await execute(human, { code: `return (await tools.made.run(${JSON.stringify({ code })})).data` }, parts)
  expect(structured).toMatchObject({ result: 4 })
})

test("outside of an execution it runs as well; what needs a human is refused inside", async () => {
  const { human, one, writes } = await setUp()
  const code = `return [(await tools.notes.free({ title: "x" })).data, (await tools.notes.write({ title: "y" })).error.code]`
  expect(await executeTool(human, "made.run", { code }, {}, one)).toMatchObject({ ok: true, data: [1, "approval_required"] })
  expect(writes).toEqual(["x"])
  const audited = await cluster.executions.audit.list(allOf(human), { action: "call" }, { after: null, limit: 20 })
  expect(audited.map(({ subject }) => subject).toSorted()).toEqual(["made.run", "notes.free", "notes.write"])
})
