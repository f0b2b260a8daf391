// Tests that a lease is this node's, and lasts from now on.
import { expect, test } from "vitest"
import { later, someTime } from "../../store/executions/testing/samples.ts"
import { newLease } from "./lease.ts"

test("a lease names its node and its end", () => {
  const clock = { now: () => new Date(someTime), monotonicMs: () => 0 }
  expect(newLease({ node: "node_1", clock, leaseMs: 30_000 })).toEqual({ owner: "node_1", until: later(30) })
})
