// Tests that executions hold the calls of their tools to the number and the time that those allow.
import { afterAll, expect, test, vi } from "vitest"
import { succeed } from "../../core/result.ts"
import type { ToolResult } from "../../core/result.ts"
import type { ExecutionEvent, ExecutionReply } from "../../core/execution.ts"
import type { CallRequest } from "../../sources/source-adapter.ts"
import type { EngineParts } from "../engine-parts.ts"
import { executeTool } from "../execute-tool.ts"
import { openCluster } from "../testing/cluster.ts"
import { limitedSource, putLimitedTools } from "../testing/limited-source.ts"
import type { LimitedTool } from "../testing/limited-source.ts"
import { cancelExecution } from "./cancel.ts"
import { execute } from "./execute.ts"
import { followExecution } from "./follow.ts"
import { resumeExecution } from "./resume.ts"

const cluster = await openCluster()
afterAll(() => cluster.close())

type Work = (request: CallRequest<unknown>) => Promise<ToolResult> | null

/** Two nodes, and calls that are under way until a test ends them; `work` answers some at once. */
async function setUp(tools: readonly LimitedTool[], work: Work = () => null) {
  const human = await cluster.human()
  await putLimitedTools(cluster.store, human, tools)
  const open = new Map<string, () => void>()
  const begun: string[] = []
  const source = limitedSource((request) => {
    const answer = work(request)
    if (answer !== null) return answer
    const name = String(request.args["name"])
    begun.push(name)
    const { promise, resolve } = Promise.withResolvers<ToolResult>()
    open.set(name, () => resolve(succeed(name)))
    return promise
  })
  const [one, two] = [cluster.node({ source }), cluster.node({ source })]
  const hasBegun = (...names: string[]) => vi.waitFor(() => expect(begun).toEqual(names), { timeout: 10_000, interval: 2 })
  const end = (...names: string[]): void => names.forEach((name) => open.get(name)?.())
  const ids: string[] = []
  const run = (node: EngineParts, code: string, timeoutMs?: number): Promise<ExecutionReply> =>
    execute(human, { code, onStart: (id) => void ids.push(id), ...(timeoutMs === undefined ? {} : { timeoutMs }) }, node)
  return { human, one, two, run, ids, begun, hasBegun, end }
}

const crm = { concurrency_group: "crm" }
const callOf = (name: string, tool = "call"): string => `return (await tools.shop.${tool}({ name: "${name}" })).data`

test("the default group counts per run: calls of one run go one by one, and two runs side by side", async () => {
  const { one, run, hasBegun, end } = await setUp([
    { name: "call", execution: {} },
    { name: "other", execution: {} },
  ])
  const both = run(one, `return Promise.all([tools.shop.call({ name: "a" }).unwrap(), tools.shop.other({ name: "b" }).unwrap()])`)
  await hasBegun("a")
  const second = run(one, callOf("c"))
  await hasBegun("a", "c")
  end("a")
  await hasBegun("a", "c", "b")
  end("b", "c")
  expect((await both).structured).toMatchObject({ result: ["a", "b"] })
  expect((await second).structured).toMatchObject({ result: "c" })
})

test("a named group counts for the tenant on all nodes; whoever follows an execution is told that it waits", async () => {
  const { human, one, two, run, begun, hasBegun, end } = await setUp([
    { name: "call", execution: crm },
    { name: "other", execution: crm },
  ])
  const first = run(one, callOf("a"))
  await hasBegun("a")
  const events: ExecutionEvent[] = []
  const follow = async (id: string): Promise<void> => {
    for await (const event of followExecution(human, id, new AbortController().signal, two)) events.push(event)
  }
  let following: Promise<void> | undefined
  const second = execute(human, { code: callOf("b", "other"), onStart: (id) => void (following = follow(id)) }, two)
  const text = "tools.shop.org.main.other waits for a place in the group 'crm' (1 ahead)"
  await vi.waitFor(() => expect(events).toContainEqual({ type: "log", line: { level: "info", text } }), { timeout: 10_000 })
  expect(begun).toEqual(["a"])
  end("a")
  await hasBegun("a", "b")
  end("b")
  expect([(await first).structured, (await second).structured]).toMatchObject([{ result: "a" }, { result: "b" }])
  await following
})

test("a call that asks a human holds no place while it waits, and takes one again when it goes on", async () => {
  const { human, one, run, hasBegun, end } = await setUp(
    [
      { name: "ask", execution: crm },
      { name: "call", execution: crm },
    ],
    ({ tool, elicit }) =>
      tool.name === "ask"
        ? elicit({ kind: "url", message: "Look", url: "https://shop.example" }).then(({ action }) => succeed(action))
        : null,
  )
  const paused = await run(one, `return (await tools.shop.ask({})).data`)
  expect(paused.status).toBe("paused")
  const other = run(one, callOf("a"))
  await hasBegun("a")
  const resumed = resumeExecution(human, paused.executionId, { action: "accept" }, one)
  end("a")
  expect((await other).structured).toMatchObject({ result: "a" })
  expect((await resumed).structured).toMatchObject({ result: "accept" })
})

test("an approval is asked for before a place is taken", async () => {
  const { human, one, run, hasBegun, end } = await setUp([{ name: "call", effect: "write", execution: crm }])
  expect((await run(one, callOf("a"))).status).toBe("paused")
  const other = execute(human, { code: callOf("b"), autoApprove: true, approval: "throw" }, one)
  await hasBegun("b")
  end("b")
  expect((await other).structured).toMatchObject({ result: "b" })
})

test("an execution that is cancelled while its call waits sends nothing, and those behind it move up", async () => {
  const { human, one, run, ids, begun, hasBegun, end } = await setUp([{ name: "call", execution: crm }])
  const first = run(one, callOf("a"))
  await hasBegun("a")
  const second = run(one, callOf("b"))
  await vi.waitFor(() => expect(ids).toHaveLength(2))
  await cancelExecution(human, ids[1] ?? "", one)
  expect((await second).status).toBe("cancelled")
  const third = run(one, callOf("c"))
  end("a")
  await hasBegun("a", "c")
  end("c")
  await Promise.all([first, third])
  expect(begun).toEqual(["a", "c"])
})

test("time that a call waits for its place belongs to its execution, and ends with it", async () => {
  const { one, run, begun, hasBegun, end } = await setUp([{ name: "call", execution: crm }])
  const first = run(one, callOf("a"))
  await hasBegun("a")
  const late = await run(one, callOf("b"), 200)
  expect(late).toMatchObject({ status: "failed", structured: { error: { code: "timeout" } } })
  end("a")
  await first
  expect(begun).toEqual(["a"])
})

test("timeout_s counts from when the call may start, and not while it waits", async () => {
  const { one, run, begun, hasBegun, end } = await setUp([
    { name: "call", execution: crm },
    { name: "short", execution: { ...crm, timeout_s: 0.05 } },
  ])
  const first = run(one, callOf("a"))
  await hasBegun("a")
  const second = run(one, `return (await tools.shop.short({ name: "b" })).error`)
  // Longer than the time of the call and what the gate adds to it; nothing happens meanwhile that could be waited for.
  await new Promise((resolve) => setTimeout(resolve, 400))
  expect(begun).toEqual(["a"])
  end("a")
  await hasBegun("a", "b")
  expect((await second).structured).toMatchObject({ result: { code: "timeout", message: expect.stringContaining("timeout_s") } })
  await first
})

test("a call outside of an execution waits in the same group, as long as its caller lets it", async () => {
  const { human, one, two, run, begun, hasBegun, end } = await setUp([{ name: "call", execution: crm }])
  const first = run(one, callOf("a"))
  await hasBegun("a")
  const refused = await executeTool(human, "shop.call", { name: "b" }, { timeoutMs: 50 }, two)
  expect(refused).toMatchObject({ ok: false, error: { code: "rate_limited", message: expect.stringContaining("'crm'"), retryable: true } })
  const notices: unknown[] = []
  const waiting = executeTool(human, "shop.call", { name: "c" }, { notify: (notice) => void notices.push(notice) }, two)
  await vi.waitFor(() => expect(notices).toHaveLength(1), { timeout: 10_000 })
  end("a")
  await hasBegun("a", "c")
  end("c")
  expect(await waiting).toMatchObject({ ok: true, data: "c" })
  await first
  expect(begun).toEqual(["a", "c"])
})

test("whoever was disabled while their call waited gets no place", async () => {
  const { human, one, two, run, begun, hasBegun, end } = await setUp([{ name: "call", execution: crm }])
  const first = run(one, callOf("a"))
  await hasBegun("a")
  const agent = await cluster.agentOf(human)
  const notices: unknown[] = []
  const waiting = executeTool(agent, "shop.call", { name: "b" }, { notify: (notice) => void notices.push(notice) }, two)
  await vi.waitFor(() => expect(notices).toHaveLength(1), { timeout: 10_000 })
  await cluster.store.tokens.remove(human, agent.tokenId ?? "")
  end("a")
  expect(await waiting).toMatchObject({ ok: false, error: { code: "unauthorized" } })
  await first
  expect(begun).toEqual(["a"])
})
