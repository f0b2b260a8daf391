// Tests that a revoked token is noticed at the next look, wherever it was revoked, and ends what runs in its name.
import { afterAll, expect, test } from "vitest"
import { executionRow } from "../../store/executions/testing/samples.ts"
import { Cancellation, createRunRegistry } from "../executions/run-registry.ts"
import { openCluster } from "../testing/cluster.ts"
import { activeRun } from "../testing/samples.ts"
import { createTokenWatch, endRevoked } from "./token-watch.ts"

const cluster = await openCluster()
afterAll(() => cluster.close())

function countingStore() {
  const counted = { finds: 0 }
  const tokens = {
    ...cluster.store.tokens,
    get(...args: Parameters<typeof cluster.store.tokens.get>) {
      counted.finds += 1
      return cluster.store.tokens.get(...args)
    },
  }
  return { store: { ...cluster.store, tokens }, counted }
}

test("a token is looked up once for as long as nothing changed, and again after any change", async () => {
  const { store, counted } = countingStore()
  const human = await cluster.human()
  const agent = await cluster.agentOf(human)
  const watch = createTokenWatch(store)
  for (let calls = 0; calls < 5; calls += 1) expect(await watch.isRevoked(agent)).toBe(false)
  expect(counted.finds).toBe(1)
  await cluster.store.tokens.remove(human, agent.tokenId ?? "")
  expect([await watch.isRevoked(agent), await watch.isRevoked(agent), counted.finds]).toEqual([true, true, 2])
})

test("the same id of another user or tenant is no token", async () => {
  const agent = await cluster.agentOf(await cluster.human())
  const watch = createTokenWatch(cluster.store)
  expect(await watch.isRevoked({ ...agent, user: "bob" })).toBe(true)
  expect(await watch.isRevoked({ ...agent, tenant: "other" })).toBe(true)
})

test("whoever acts without a token has none to lose", async () => {
  const { store, counted } = countingStore()
  expect(await createTokenWatch(store).isRevoked(await cluster.human())).toBe(false)
  expect(counted.finds).toBe(0)
})

test("what runs for a revoked token is cancelled, and nothing else", async () => {
  const human = await cluster.human()
  const [lost, kept] = [await cluster.agentOf(human), await cluster.agentOf(human)]
  const runs = createRunRegistry()
  const live = [lost, kept, human].map((who) => activeRun(executionRow(who, { tokenId: who.tokenId })))
  live.forEach((one) => runs.add(one))
  await cluster.store.tokens.remove(human, lost.tokenId ?? "")
  await endRevoked({ runs, tokenWatch: createTokenWatch(cluster.store) })
  expect(live.map(({ abort }) => abort.signal.aborted)).toEqual([true, false, false])
  expect(live[0]?.abort.signal.reason).toBeInstanceOf(Cancellation)
})
