// Tests that a group counts the calls of all nodes, in one order, and loses no place to a node or a store that is away.
import { afterAll, expect, test, vi } from "vitest"
import type { ExecutionStore } from "../../store/execution-store.ts"
import type { PlaceRows } from "../../store/place-store.ts"
import type { EngineParts } from "../engine-parts.ts"
import type { Ticket } from "../gate/places.ts"
import { leaseMs, openCluster } from "../testing/cluster.ts"
import type { NodeOptions } from "../testing/cluster.ts"

const cluster = await openCluster()
afterAll(() => cluster.close())

/** Nodes with one group, whose calls begin and end as a test says. */
async function openGroup(max: number, ...options: readonly NodeOptions[]) {
  const { tenant } = await cluster.human()
  const nodes = (options.length === 0 ? [{}, {}] : options).map((one) => cluster.node(one))
  const begun: string[] = []
  const waits: string[] = []
  const tickets = new Map<string, Ticket>()
  const join = (node: EngineParts, name: string, most = max): Ticket => {
    const ticket = node.places.group(tenant, "crm").join(most, (ahead) => void waits.push(`${name} ${ahead}`))
    tickets.set(name, ticket)
    ticket.admitted.then(
      (outcome) => void begun.push(outcome === "admitted" ? name : `${name} ${outcome}`),
      (error: unknown) => void begun.push(`${name}: ${String(error)}`),
    )
    return ticket
  }
  /** Waits until these, and only these, have begun so far. */
  const hasBegun = (...names: string[]) => vi.waitFor(() => expect(begun).toEqual(names), { timeout: 10_000, interval: 2 })
  const hasWaited = (text: string) => vi.waitFor(() => expect(waits).toContain(text), { timeout: 10_000, interval: 2 })
  const leave = (name: string): void => tickets.get(name)?.leave()
  const [one, two = one] = nodes as [EngineParts, EngineParts?] // at least one was opened
  return { tenant, one, two, join, leave, begun, waits, hasBegun, hasWaited }
}

/** The store of a node, of which a test breaks some verbs. */
const withPlaces = (places: (rows: PlaceRows) => Partial<PlaceRows>): NodeOptions => ({
  over: (store: ExecutionStore) => ({ ...store, places: { ...store.places, ...places(store.places) } }),
})

test("calls of two nodes run in the order in which they came, never more than the group allows", async () => {
  const { one, two, join, leave, waits, hasBegun, hasWaited } = await openGroup(2)
  join(one, "a")
  join(one, "b")
  join(one, "c")
  await hasBegun("a", "b")
  await hasWaited("c 2")
  join(two, "d")
  await hasWaited("d 3")
  leave("b")
  await hasBegun("a", "b", "c")
  await hasWaited("d 2")
  leave("a")
  await hasBegun("a", "b", "c", "d")
  expect(waits).toEqual(["c 2", "d 3", "d 2"])
  leave("c")
  leave("d")
})

test("a call that came alone, after another had begun, begins when that one ends", async () => {
  const { one, join, leave, hasBegun, hasWaited } = await openGroup(1)
  join(one, "a")
  await hasBegun("a")
  join(one, "b")
  await hasWaited("b 1")
  leave("a")
  await hasBegun("a", "b")
  leave("b")
})

test("a node that is not heard of loses its places when its lease runs out; one that renews them keeps them", async () => {
  const { one, two, join, leave, hasBegun, hasWaited } = await openGroup(1)
  join(one, "a")
  await hasBegun("a")
  join(two, "b")
  await hasWaited("b 1")
  cluster.clock.advance(leaseMs - 1000)
  await one.places.renew()
  await two.places.renew()
  cluster.clock.advance(leaseMs - 1000)
  await two.places.renew()
  await hasBegun("a")
  cluster.clock.advance(2000)
  await two.places.renew()
  await hasBegun("a", "b")
  leave("a")
  leave("b")
})

test("a call that waits on a node which was not heard of goes to the end, and does not run beside who was admitted since", async () => {
  const { one, two, join, leave, hasBegun, hasWaited } = await openGroup(1)
  const third = cluster.node()
  join(third, "a")
  await hasBegun("a")
  join(one, "b")
  await hasWaited("b 1")
  cluster.clock.advance(leaseMs - 1000)
  await third.places.renew()
  join(two, "c")
  await hasWaited("c 2")
  cluster.clock.advance(2000)
  leave("a")
  await hasBegun("a", "c")
  await one.places.renew()
  await hasWaited("b 1")
  await hasBegun("a", "c")
  leave("c")
  await hasBegun("a", "c", "b")
  leave("b")
})

test("a node that ends frees its places at once", async () => {
  const { one, two, join, leave, hasBegun, hasWaited } = await openGroup(1)
  join(one, "a")
  await hasBegun("a")
  join(two, "b")
  await hasWaited("b 1")
  await one.places.close()
  await two.places.renew()
  await hasBegun("a", "b")
  leave("b")
})

test("a place that could not be freed is freed at the next renewal", async () => {
  let isAway = true
  const flaky = withPlaces((rows) => ({ release: (...of) => (isAway ? Promise.reject(new Error("away")) : rows.release(...of)) }))
  const { one, join, leave, hasBegun, hasWaited } = await openGroup(1, flaky)
  join(one, "a")
  await hasBegun("a")
  leave("a")
  join(one, "b")
  await hasWaited("b 1")
  isAway = false
  await one.places.renew()
  await hasBegun("a", "b")
  leave("b")
})

test("a ticket that may or may not have been taken ends the call, and holds up nobody", async () => {
  let isBroken = true
  const broken = withPlaces((rows) => ({
    async take(...of) {
      await rows.take(...of)
      if (isBroken) throw new Error("the connection broke")
    },
  }))
  const { one, join, leave, hasBegun } = await openGroup(1, broken)
  join(one, "a")
  await hasBegun("a: Error: the connection broke")
  leave("a")
  isBroken = false
  join(one, "b")
  await hasBegun("a: Error: the connection broke", "b")
  leave("b")
})

test("a call that gives up while its ticket is being taken holds up nobody", async () => {
  const { one, join, leave, hasBegun } = await openGroup(1)
  join(one, "a")
  leave("a")
  join(one, "b")
  await hasBegun("b")
  leave("b")
})

test("a look that fails is repeated", async () => {
  let isAway = true
  const flaky = withPlaces((rows) => ({ ahead: (...of) => (isAway ? Promise.reject(new Error("away")) : rows.ahead(...of)) }))
  const { one, join, leave, hasBegun } = await openGroup(1, flaky)
  join(one, "a")
  isAway = false
  await hasBegun("a")
  leave("a")
})

test("more than may wait are refused", async () => {
  const { one, join, leave, hasBegun, hasWaited } = await openGroup(1, { limits: { callPlacesWaitingMax: 1 } })
  join(one, "a")
  join(one, "b")
  await hasWaited("b 1")
  join(one, "c")
  await hasBegun("a", "c full")
  leave("c")
  leave("a")
  await hasBegun("a", "c full", "b")
  leave("b")
})

test("groups of one name in two tenants do not know each other", async () => {
  const [first, second] = [await openGroup(1), await openGroup(1)]
  first.join(first.one, "a")
  second.join(first.one, "b")
  await first.hasBegun("a")
  await second.hasBegun("b")
  first.leave("a")
  second.leave("b")
})

test("many calls on two nodes never exceed the group, and all of them run", async () => {
  const { tenant, one, two } = await openGroup(3)
  const runs = { now: 0, most: 0 }
  const call = async (index: number): Promise<void> => {
    const ticket = (index % 2 === 0 ? one : two).places.group(tenant, "crm").join(3, () => {})
    await ticket.admitted
    runs.most = Math.max(runs.most, ++runs.now)
    await new Promise((resolve) => setTimeout(resolve, index % 5))
    runs.now -= 1
    ticket.leave()
  }
  await Promise.all(Array.from({ length: 60 }, (_, index) => call(index)))
  expect(runs).toEqual({ now: 0, most: 3 })
})
