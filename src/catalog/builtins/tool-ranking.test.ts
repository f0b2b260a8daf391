// Deprecated tools come after those that replace them, and nothing else changes its place.
import { expect, test } from "vitest"
import type { SearchHit } from "../../search/search.ts"
import { evenShare } from "./search.ts"
import { successorsFirst } from "./tool-ranking.ts"

const hit = (path: string, score: number, deprecated = false): SearchHit => {
  const integration = path.split(".", 1)[0] ?? ""
  const mount = { toolSet: integration, prefix: `${integration}.org.main`, integration, integrationName: integration }
  return { path, name: path, title: "", description: "", mount, deprecated, effect: "read", score }
}
const orderOf = (...hits: SearchHit[]): string =>
  successorsFirst(hits)
    .map(({ path }) => path)
    .join(" ")

test.each([
  [
    "behind a successor",
    [hit("files.read", 0.8, true), hit("files.readText", 0.6), hit("files.list", 0.2)],
    "files.readText files.read files.list",
  ],
  ["not behind another integration", [hit("files.read", 0.8, true), hit("mail.read", 0.7)], "files.read mail.read"],
  ["not behind one that is deprecated too", [hit("a.x", 0.8, true), hit("a.y", 0.7, true)], "a.x a.y"],
  ["several keep their order", [hit("a.x", 0.8, true), hit("a.y", 0.7, true), hit("a.z", 0.6)], "a.z a.x a.y"],
  ["named exactly", [hit("a.x", 1, true), hit("a.y", 0.95)], "a.x a.y"],
  ["behind already", [hit("a.y", 0.9), hit("a.x", 0.5, true)], "a.y a.x"],
])("%s", (_, hits, order) => expect(orderOf(...hits)).toBe(order))

test("texts share their room evenly, and short ones leave theirs to long ones", () => {
  expect(evenShare([10, 10, 200, 200], 220)).toBe(100)
  expect(evenShare([10, 20], 100)).toBe(20)
  expect(evenShare([500, 500], 20)).toBe(12)
  expect(evenShare([], 100)).toBe(12)
})
