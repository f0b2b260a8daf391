// Tests that a revoked token and a disabled user end what runs in their name, and nothing else.
import { afterAll, expect, test } from "vitest"
import { executionRow } from "../../store/executions/testing/samples.ts"
import { silentLog } from "../../io/log.ts"
import { Cancellation, createRunRegistry } from "../executions/run-registry.ts"
import { openCluster } from "../testing/cluster.ts"
import { activeRun } from "../testing/samples.ts"
import { endRevoked, watchRevision } from "./token-watch.ts"

const cluster = await openCluster()
afterAll(() => cluster.close())

test("what runs for a revoked token is cancelled, and nothing else", async () => {
  const human = await cluster.human()
  const [lost, kept] = [await cluster.agentOf(human), await cluster.agentOf(human)]
  const runs = createRunRegistry()
  const live = [lost, kept, human].map((who) => activeRun(executionRow(who, { tokenId: who.tokenId })))
  live.forEach((one) => runs.add(one))
  await cluster.store.tokens.remove(human, lost.tokenId ?? "")
  await endRevoked({ runs, access: cluster.node().access })
  expect(live.map(({ abort }) => abort.signal.aborted)).toEqual([true, false, false])
  expect(live[0]?.abort.signal.reason).toBeInstanceOf(Cancellation)
})

test("what runs for a disabled user is cancelled, and that of their agents", async () => {
  const human = await cluster.human()
  const agent = await cluster.agentOf(human)
  const runs = createRunRegistry()
  const live = [human, agent].map((who) => activeRun(executionRow(who, { tokenId: who.tokenId })))
  live.forEach((one) => runs.add(one))
  const row = await cluster.store.users.get(human)
  if (row === null) throw new Error("The user was made above")
  await cluster.store.users.put({ ...row, status: "disabled" })
  await endRevoked({ runs, access: cluster.node().access })
  expect(live.map(({ abort }) => abort.signal.aborted)).toEqual([true, true])
})

test("they end by themselves once the revision has moved", async () => {
  const agent = await cluster.agentOf(await cluster.human())
  const runs = createRunRegistry()
  const live = activeRun(executionRow(agent, { tokenId: agent.tokenId }))
  runs.add(live)
  const ended = new Promise((resolve) => live.abort.signal.addEventListener("abort", resolve))
  const stop = watchRevision({ runs, access: cluster.node().access, store: cluster.store, log: silentLog })
  await cluster.store.tokens.remove(agent, agent.tokenId ?? "")
  await ended
  stop()
})
