// Tests that a process that stops leaves its executions to whoever comes next, after its calls have ended.
import { afterAll, expect, test } from "vitest"
import { allOf, executionRow, later, outcomeRecord, paused } from "../../store/executions/testing/samples.ts"
import { leaseMs, openCluster } from "../testing/cluster.ts"
import { releaseRuns } from "./hand-over.ts"

const cluster = await openCluster()
afterAll(() => cluster.close())

const until = (ms: number): string => new Date(cluster.clock.now().getTime() + ms).toISOString()

test("leases of running executions end, so that another node takes them at once; nobody else's do", async () => {
  const parts = cluster.node()
  const human = await cluster.human()
  const [own, foreign, waiting] = ["own", "foreign", "waiting"].map((id) =>
    executionRow(human, { id: `exe_${id}`, leaseOwner: id === "foreign" ? "node_x" : parts.node, leaseUntil: until(leaseMs) }),
  )
  if (own === undefined || foreign === undefined || waiting === undefined) throw new Error("three of them")
  const { journal, leases, executions } = cluster.executions
  await journal.append(
    [own, foreign, waiting].map((row) => ({ kind: "execution", row })),
    "now",
  )
  await journal.append([outcomeRecord(waiting, paused({ expiresAt: later(9) }))], "now")
  await releaseRuns(parts)
  const taken = await leases.takeExpired({ owner: "node_2", until: until(leaseMs) }, until(0), 100)
  expect(taken.filter(({ tenant }) => tenant === human.tenant).map(({ id }) => id)).toEqual(["exe_own"])
  expect(await executions.get(allOf(human), "exe_waiting")).toMatchObject({ status: "paused", run: 1 })
})

test("a write that is under way is waited for, so that it is found done", async () => {
  const parts = cluster.node()
  const call = Promise.withResolvers<void>()
  parts.runs.trackCall(call.promise)
  const order: string[] = []
  const released = releaseRuns(parts).then(() => order.push("released"))
  setImmediate(() => {
    order.push("called")
    call.resolve()
  })
  await released
  expect(order).toEqual(["called", "released"])
})

test("a store that is away keeps nobody from stopping: the leases expire", async () => {
  const parts = cluster.node({
    over: (store) => ({ ...store, leases: { ...store.leases, release: () => Promise.reject(new Error("The store is away")) } }),
  })
  await releaseRuns(parts)
})
