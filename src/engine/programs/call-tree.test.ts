// Tests how the keys of nested calls tell their place.
import { expect, test } from "vitest"
import { depthOf, parentOf, rootOf } from "./call-tree.ts"
import { withChildren } from "../executions/call-view.ts"

test.each([
  ["a:0", 0, null, "a:0"],
  ["a:0/b:1", 1, "a:0", "a:0"],
  ["a:0/b:1/c:0", 2, "a:0/b:1", "a:0"],
])("%s", (key, depth, parent, root) => {
  expect([depthOf(key), parentOf(key), rootOf(key)]).toEqual([depth, parent, root])
})

test("each call is followed by those that its tool made", () => {
  const keys = ["a", "b", "b/x", "a/x", "a/x/y", "gone/z"]
  expect(withChildren(keys.map((key) => ({ key }))).map(({ key }) => key)).toEqual(["a", "a/x", "a/x/y", "b", "b/x", "gone/z"])
})
