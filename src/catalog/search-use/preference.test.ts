// Tests that use raises what was called after like searches, by no more than its bound, whoever wants more.
import { expect, test } from "vitest"
import { subjectsOf } from "../../search/search.ts"
import { preferenceOf, toolKey } from "./preference.ts"
import type { SearchUse } from "./preference.ts"

const use = (user: string, query: string, ...tools: string[]): SearchUse => ({ user, words: new Set(subjectsOf(query)), tools })
const times = (count: number, one: SearchUse): SearchUse[] => Array.from({ length: count }, () => one)

const archive = "shop.orders.archive"
const hide = "shop.orders.hide"

test("a tool that was called after like searches is raised, more for whoever called it, and no other one", () => {
  const uses = [use("anna", "archive an order", archive)]
  expect(preferenceOf("archive the orders", "anna", uses)(archive)).toBeCloseTo(1 + (0.4 * 2) / 3)
  expect(preferenceOf("archive the orders", "bob", uses)(archive)).toBeCloseTo(1.2)
  expect(preferenceOf("archive the orders", "bob", uses)(hide)).toBe(1)
  expect(preferenceOf("refund a payment", "anna", uses)(archive)).toBe(1)
  expect(preferenceOf("", "anna", uses)(archive)).toBe(1)
})

test("one person has one vote, however often they use it and whatever they spread it over", () => {
  const once = preferenceOf("archive an order", "bob", [use("mallory", "archive an order", hide)])
  const flooded = preferenceOf("archive an order", "bob", times(5000, use("mallory", "archive an order", hide)))
  expect(flooded(hide)).toBeCloseTo(once(hide))
  expect(flooded(hide)).toBeLessThanOrEqual(1.2 + 1e-9)
  const spread = preferenceOf("archive an order", "bob", [
    ...times(1000, use("mallory", "archive an order", hide, "shop.a", "shop.b")),
    use("mallory", "archive an order", archive),
  ])
  const raised = [hide, "shop.a", "shop.b", archive].map(spread)
  expect(Math.max(...raised)).toBeLessThan(1.2)
})

test("those who agree outweigh one who floods, and nobody passes the bound", () => {
  const agreed = ["anna", "bob", "carl"].map((user) => use(user, "archive an order", archive))
  const both = preferenceOf("archive an order", "dora", [...agreed, ...times(2000, use("mallory", "archive an order", hide))])
  expect(both(archive)).toBeGreaterThan(both(hide))
  const everybody = Array.from({ length: 1000 }, (_, person) => use(`user${person}`, "archive an order", archive))
  expect(preferenceOf("archive an order", "dora", everybody)(archive)).toBeLessThan(1.4)
})

test("a tool is the same at every connection", () => {
  expect(toolKey("tools.github.org.main.issues.create")).toBe("github.issues.create")
  expect(toolKey("github.user.mine.issues.create")).toBe("github.issues.create")
  expect(toolKey("github.issues.create")).toBe("github.issues.create")
  expect(toolKey("builtin.web_search")).toBe("builtin.web_search")
})
