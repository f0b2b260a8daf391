// How equal calls are compared.
import { expect, test } from "vitest"
import { compareArguments, leavesOf } from "./groups.ts"

test("only what differs is a column; nested fields have a path", () => {
  const { same, differing, valueAt } = compareArguments([
    { sku: "tea", order: { quantity: 1, rush: false } },
    { sku: "tea", order: { quantity: 2, rush: false }, note: "soon" },
  ])
  expect(same).toEqual([
    ["sku", "tea"],
    ["order.rush", false],
  ])
  expect(differing).toEqual(["order.quantity", "note"])
  expect([valueAt(0, "order.quantity"), valueAt(1, "order.quantity")]).toEqual([1, 2])
  expect(valueAt(0, "note")).toBeUndefined()
})

test("a missing argument differs from one that is null, and names of Object's own are ordinary names", () => {
  expect(compareArguments([{ a: null }, {}]).differing).toEqual(["a"])
  expect(compareArguments([JSON.parse('{"__proto__": 1}'), JSON.parse('{"__proto__": 2}')]).differing).toEqual(["__proto__"])
  expect(compareArguments([{ toString: "x" }, { toString: "x" }]).same).toEqual([["toString", "x"]])
})

test("no arguments are no rows, and a list is one value", () => {
  expect(leavesOf({}, "")).toEqual([])
  expect(leavesOf({ tags: ["a", "b"], empty: {} }, "")).toEqual([
    ["tags", ["a", "b"]],
    ["empty", {}],
  ])
})
