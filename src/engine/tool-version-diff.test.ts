// Tests how the changes of several steps become those between the first and the last.
import { expect, test } from "vitest"
import type { DefinitionChange, DefinitionDiff, JsonChange } from "../core/registry/diff.ts"
import { joinDiffs } from "./tool-version-diff.ts"

const step = (changes: readonly DefinitionChange[], json: readonly JsonChange[] = []): DefinitionDiff => ({
  kind: changes[0]?.kind ?? "none",
  effectChanged: changes.some(({ path }) => path === "effect"),
  changes,
  json,
  truncated: false,
})
const described = (before: string, after: string): DefinitionChange => ({
  kind: "text",
  path: "description",
  message: "Changed",
  before,
  after,
})

test("a change of several steps goes from the first to the last, and is as bad as the worst of them", () => {
  const narrowed: DefinitionChange = { kind: "breaking", path: "inputSchema.type", message: "Narrowed", before: ["a", "b"], after: "a" }
  const widened: DefinitionChange = { kind: "widening", path: "inputSchema.type", message: "Widened", before: "a", after: ["a", "c"] }
  const joined = joinDiffs([step([described("one", "two")]), step([narrowed, described("two", "three")]), step([widened])])
  expect(joined).toMatchObject({
    kind: "breaking",
    changes: [
      { kind: "breaking", path: "inputSchema.type", message: "Widened", before: ["a", "b"], after: ["a", "c"] },
      { kind: "text", before: "one", after: "three" },
    ],
  })
})

test("what was changed back, or came and went, is no difference", () => {
  const effect = (before: string, after: string): DefinitionChange => ({ kind: "breaking", path: "effect", message: "x", before, after })
  const joined = joinDiffs([
    step([effect("read", "write")], [{ op: "add", path: "/a", after: 1 }]),
    step([effect("write", "read")], [{ op: "remove", path: "/a", before: 1 }]),
  ])
  expect(joined).toEqual({ kind: "none", effectChanged: false, changes: [], json: [], truncated: false })
})

test("of several changes of one path each stays by itself", () => {
  const required = (name: string): DefinitionChange => ({ kind: "breaking", path: "inputSchema.required", message: name, after: name })
  const freed: DefinitionChange = { kind: "widening", path: "inputSchema.required", message: "a is free", before: "a" }
  expect(joinDiffs([step([required("a"), required("b")]), step([required("c")]), step([freed])]).changes).toEqual([
    required("b"),
    required("c"),
  ])
})

test.each<[JsonChange, JsonChange, JsonChange]>([
  [
    { op: "add", path: "/a", after: 1 },
    { op: "replace", path: "/a", before: 1, after: 2 },
    { op: "add", path: "/a", after: 2 },
  ],
  [
    { op: "replace", path: "/a", before: 1, after: 2 },
    { op: "remove", path: "/a", before: 2 },
    { op: "remove", path: "/a", before: 1 },
  ],
  [
    { op: "remove", path: "/a", before: 1 },
    { op: "add", path: "/a", after: 2 },
    { op: "replace", path: "/a", before: 1, after: 2 },
  ],
])("%j and %j are %j", (first, last, both) => {
  expect(joinDiffs([step([], [first]), step([], [last])]).json).toEqual([both])
})
