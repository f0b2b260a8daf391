// The ids of child runs: the same after a crash, and in the order of time.
import { expect, test } from "vitest"
import { newId } from "../../../io/ids.ts"
import { childId } from "./id.ts"

const root = { id: newId("exe", new Date(1_700_000_000_000)), startedAtMs: 1_700_000_000_000 }
const at = (ms: number, key = "c1:0"): string => childId(root, key, root.startedAtMs + ms)

test("the id of a child looks like its root's, and is the same in every replay", () => {
  expect(at(5)).toHaveLength(root.id.length)
  expect(at(5)).toMatch(/^exe_[0-9a-z]+$/)
  expect(at(5)).toBe(at(5))
  expect(at(5, "c1:1")).not.toBe(at(5))
})

test("children sort by when they began, whatever the clock says", () => {
  const ids = [0, 1, 35, 36, 999, 60_000, 86_400_000, 10 ** 12].map((ms) => at(ms))
  expect(ids.toSorted()).toEqual(ids)
  expect(at(-5)).toBe(at(0))
})
