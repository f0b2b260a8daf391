// Tests what a node does when it hears that another one did something: it looks at the rows, and believes only those.
import { afterAll, expect, test, vi } from "vitest"
import type { ExecutionRow, ExecutionStore } from "../../store/execution-store.ts"
import { approvalRow, executionRow, later, outcomeRecord } from "../../store/executions/testing/samples.ts"
import { LeaseLost } from "../executions/run-registry.ts"
import { openCluster } from "../testing/cluster.ts"
import { activeRun } from "../testing/samples.ts"
import { onNodeSignal } from "./signals.ts"

const cluster = await openCluster()
afterAll(() => cluster.close())

async function setUp(over?: (store: ExecutionStore) => ExecutionStore) {
  const parts = cluster.node(over === undefined ? {} : { over })
  const human = await cluster.human()
  const { journal, signals } = cluster.executions
  const start = async (change: Partial<ExecutionRow> = {}) => {
    const row = executionRow(human, { leaseOwner: parts.node, ...change })
    await journal.append([{ kind: "execution", row }], "now")
    const live = activeRun(row)
    parts.runs.add(live)
    return { row, live }
  }
  const stop = onNodeSignal(parts)
  /** Resolves when the node has looked: its looks are in order, and this one finds what it waits for. */
  const settle = async (): Promise<void> => {
    const { row, live } = await start()
    await cluster.executions.executions.claim(row, { owner: "node_probe", until: later(60) })
    await signals.notify(row.id)
    await vi.waitFor(() => expect(live.abort.signal.aborted).toBe(true))
  }
  return { parts, human, start, settle, stop, journal, signals }
}

test("a run that another node has taken ends, and writes nothing more", async () => {
  const { start, signals, stop } = await setUp()
  const { row, live } = await start()
  await cluster.executions.executions.claim(row, { owner: "node_2", until: later(60) })
  await signals.notify(row.id)
  await vi.waitFor(() => expect(live.abort.signal.reason).toBeInstanceOf(LeaseLost))
  stop()
})

test("a signal without a reason changes nothing, nor one about an execution that ended here by itself", async () => {
  const { start, settle, signals, journal, stop } = await setUp()
  const [running, ended] = [await start(), await start()]
  await journal.append([outcomeRecord(ended.row)], "now")
  for (const id of [running.row.id, ended.row.id, "exe_unknown"]) await signals.notify(id)
  await settle()
  expect([running.live.abort.signal.aborted, ended.live.abort.signal.aborted]).toEqual([false, false])
  stop()
})

test("a run begins again once what it waits for is answered, and not for the answer to something else", async () => {
  const { parts, human, start, settle, signals, journal, stop } = await setUp()
  const { row } = await start()
  const approvals = ["apr_waits", "apr_other"].map((id) => approvalRow(human, { id, executionId: row.id, pause: 1 }))
  await journal.append(
    approvals.map((approval) => ({ kind: "approval", row: approval })),
    "now",
  )
  let restarts = 0
  parts.runs.onAnswer(row.id, { pending: () => ["apr_waits"], restart: () => void (restarts += 1) })
  const answer = { status: "accept", content: null, remember: null, answeredBy: "alice", answeredAt: later(1) } as const
  const tellOf = async (id: string): Promise<void> => {
    await cluster.executions.approvals.answer(human.tenant, [id], answer)
    await signals.notify(row.id)
    await settle()
  }
  await tellOf("apr_other")
  expect(restarts).toBe(0)
  await tellOf("apr_waits")
  expect(restarts).toBe(1)
  stop()
})

test("rows that cannot be read now are found when leases are renewed", async () => {
  const looked = Promise.withResolvers<void>()
  const { start, signals, stop } = await setUp((store) => ({
    ...store,
    leases: {
      ...store.leases,
      findUnheld: () => {
        looked.resolve()
        return Promise.reject(new Error("The store is away"))
      },
    },
  }))
  const { row, live } = await start()
  await signals.notify(row.id)
  await looked.promise
  expect(live.abort.signal.aborted).toBe(false)
  stop()
})

test("whoever has stopped listening hears nothing", async () => {
  const { start, signals, stop } = await setUp()
  stop()
  const listener = await setUp()
  const { row, live } = await start()
  await cluster.executions.executions.claim(row, { owner: "node_2", until: later(60) })
  await signals.notify(row.id)
  await listener.settle()
  expect(live.abort.signal.aborted).toBe(false)
  listener.stop()
})
