// Tests that what somebody was shown is noted before they are answered, never goes back, and only while they wait.
import { afterAll, expect, test } from "vitest"
import { silentLog } from "../../io/log.ts"
import type { ApprovalRow } from "../../store/execution-store.ts"
import { approvalRow, executionRow, paused } from "../../store/executions/testing/samples.ts"
import { openCluster } from "../testing/cluster.ts"
import { createShownPauses, inOrder, showReply } from "./pause-shown.ts"

const cluster = await openCluster()
afterAll(() => cluster.close())

async function setUp(pauseCount = 1, count = 1) {
  const parts = cluster.node()
  const human = await cluster.human()
  const row = { ...executionRow(human), ...paused({ pauseCount }) }
  const approvals = Array.from({ length: count }, (_, index) =>
    approvalRow(human, { id: `apr_${String(index).padStart(3, "0")}`, executionId: row.id, pause: pauseCount }),
  )
  const shown = () => cluster.node().shownPauses.latest(human, row)
  return { parts, human, row, approvals, shown }
}

test("a pause that is shown is noted for whoever sees it, on every node", async () => {
  const { parts, human, row, approvals, shown } = await setUp()
  const reply = await showReply(human, row, approvals, {}, parts)
  expect(reply.structured.status).toBe("waiting_for_interaction")
  expect(await shown()).toEqual({ pause: 1, questions: null })
  expect(await parts.shownPauses.latest(await cluster.agentOf(human), row)).toBeNull()
})

test("a reply that nobody waits for shows nothing", async () => {
  const { parts, human, row, approvals, shown } = await setUp()
  await showReply(human, row, approvals, { signal: AbortSignal.abort() }, parts)
  expect(await shown()).toBeNull()
})

test("whoever reads only the first questions has seen no more", async () => {
  const { parts, human, row, approvals, shown } = await setUp(2, 60)
  const earlier: ApprovalRow = { ...approvalRow(human, { id: "apr_early", executionId: row.id, status: "accept" }), pause: 1 }
  const { structured } = await showReply(human, row, [...approvals, earlier], { questions: "first" }, parts)
  if (structured.status !== "waiting_for_interaction") throw new Error(structured.status)
  expect(structured.more).toBeGreaterThan(0)
  // The earlier pause's question is before them.
  expect(await shown()).toEqual({ pause: 2, questions: structured.interactions.length + 1 })
})

test("an earlier pause that is noted late changes nothing", async () => {
  const { parts, human, row, shown } = await setUp(3)
  await parts.shownPauses.record(human, row, null)
  for (const other of [parts, cluster.node()]) await other.shownPauses.record(human, { ...row, pauseCount: 2 }, null)
  expect(await shown()).toEqual({ pause: 3, questions: null })
})

test("a note that cannot be written keeps nobody from their reply", async () => {
  const { human, row } = await setUp()
  const { executions, journal } = cluster.executions
  const shownPauses = createShownPauses(
    { ...cluster.executions, executions, journal: { ...journal, append: () => Promise.reject(new Error("The disk is full")) } },
    silentLog,
  )
  await shownPauses.record(human, row, null)
  expect(await shownPauses.latest(human, row)).toBeNull()
})

test("an execution that has ended, or still runs, shows no pause", async () => {
  const { parts, human, row, shown } = await setUp()
  await parts.executions.journal.append([{ kind: "execution", row }], "now")
  const ended = await showReply(human, { ...row, status: "completed", result: "1" }, [], {}, parts)
  const running = await showReply(human, { ...row, status: "running" }, [], {}, parts)
  expect([ended.status, running.status, await shown()]).toEqual(["completed", "running", null])
})

test("questions are in the order of their pauses", async () => {
  const { human } = await setUp()
  const rows = [3, 1, 2, 1].map((pause, index) => approvalRow(human, { id: `apr_${index}`, pause }))
  expect(inOrder(rows).map(({ id }) => id)).toEqual(["apr_1", "apr_3", "apr_2", "apr_0"])
})
