// Tests which searches a call is taken to follow from, and that nothing which code wrote into the journal stops the reading.
import { expect, test } from "vitest"
import type { SearchTrace } from "../../store/executions/search-trace.ts"
import { madeSearches } from "./uses.ts"

let second = 0
const trace = (change: Partial<SearchTrace>): SearchTrace => ({
  user: "anna",
  principalKind: "agent",
  tokenId: "tok_1",
  session: null,
  executionId: "exe_1",
  key: `k:${second}`,
  path: "search",
  address: "search",
  startedAt: new Date(Date.parse("2026-11-01T12:00:00.000Z") + second++ * 1000).toISOString(),
  search: null,
  ...change,
})
const search = (query: unknown, paths: readonly string[], change: Partial<SearchTrace> = {}): SearchTrace =>
  trace({
    search: { argsJson: JSON.stringify({ query }), answerJson: JSON.stringify({ items: paths.map((path) => ({ path })) }) },
    ...change,
  })
const call = (address: string, change: Partial<SearchTrace> = {}): SearchTrace => trace({ address, path: address, ...change })
const read = (...traces: SearchTrace[]) => madeSearches(traces.toReversed()).toReversed()

test("a call follows from the latest search that showed its tool, in another execution as well", () => {
  const [tea, milk, none] = read(
    search("tea", ["shop.org.main.tea"]),
    search("milk", ["shop.org.main.milk"]),
    search("nothing like it", []),
    call("tools.shop.org.main.tea", { executionId: "exe_2" }),
    call("tools.shop.user.mine.milk", { executionId: "exe_2" }),
    call("shop.org.main.milk", { executionId: "exe_3" }),
    call("shop.org.main.bread", { executionId: "exe_3" }),
  )
  expect(tea?.called).toEqual(["shop.org.main.tea"])
  expect(milk?.called).toEqual(["shop.user.mine.milk", "shop.org.main.milk"])
  // Of what no search showed, the latest one is the best guess.
  expect(none?.called).toEqual(["shop.org.main.bread"])
})

test("what another agent, another session, another tool's code or a later hour calls follows from nothing", () => {
  const late = new Date(Date.parse("2026-11-01T14:00:00.000Z")).toISOString()
  const [found] = read(
    search("tea", ["shop.org.main.tea"]),
    call("shop.org.main.tea", { user: "bob" }),
    call("shop.org.main.tea", { tokenId: "tok_2" }),
    call("shop.org.main.tea", { session: "s2" }),
    call("shop.org.main.tea", { key: "k:1/k:0" }),
    call("shop.org.main.tea", { startedAt: late }),
  )
  expect(found).toMatchObject({ query: "tea", found: ["shop.org.main.tea"], called: [] })
  const [inner] = read(search("tea", [], { key: "k:1/k:0" }), call("shop.org.main.tea", { key: "k:1/k:1" }))
  expect(inner?.called).toEqual(["shop.org.main.tea"])
})

test("searches that cannot be read are left out, and what was asked is cut", () => {
  const broken = ["", "null", "[]", '{"query":7}', '{"query":" "}', "{"].map((argsJson) =>
    trace({ search: { argsJson, answerJson: '{"items":[null,{},{"path":7}]}' } }),
  )
  const [only, ...others] = read(...broken, search("x".repeat(5000), []))
  expect(only?.query).toHaveLength(1000)
  expect(others).toEqual([])
  expect(read(trace({ search: { argsJson: '{"query":"a","namespace":"shop"}', answerJson: "not json" } }))).toMatchObject([
    { namespace: "shop", found: [], called: [] },
  ])
})
