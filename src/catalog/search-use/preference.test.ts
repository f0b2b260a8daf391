// Tests that use raises what was called after like searches, by no more than its bound, whoever wants more.
import { expect, test } from "vitest"
import { subjectsOf } from "../../search/search.ts"
import { isPersonal, preferenceOf, toolKey } from "./preference.ts"
import type { SearchUse } from "./preference.ts"

const use = (user: string, query: string, ...tools: string[]): SearchUse => ({ user, words: new Set(subjectsOf(query)), tools })
const times = (count: number, one: SearchUse): SearchUse[] => Array.from({ length: count }, () => one)

const archive = "shop.orders.archive"
const hide = "shop.orders.hide"

test("a tool that was called after like searches is raised for whoever called it, and no other one", () => {
  const uses = [use("anna", "archive an order", archive)]
  expect(preferenceOf("archive the orders", "anna", uses)(archive)).toBeCloseTo(1 + (0.4 * 2) / 3)
  expect(preferenceOf("archive the orders", "anna", uses)(hide)).toBe(1)
  expect(preferenceOf("refund a payment", "anna", uses)(archive)).toBe(1)
  expect(preferenceOf("", "anna", uses)(archive)).toBe(1)
})

test("others count once two of them agree, so that nobody reads one person's searches from the order", () => {
  const anna = use("anna", "archive an order", archive)
  const seenBy = (reader: string, ...uses: SearchUse[]): number => preferenceOf("archive an order", reader, uses)(archive)
  expect(seenBy("bob", ...times(50, anna))).toBe(1)
  expect(seenBy("bob", anna, use("bob", "archive an order", archive))).toBeCloseTo(1 + (0.4 * 2) / 3)
  expect(seenBy("bob", anna, use("carl", "archive an order", hide))).toBe(1)
  expect(seenBy("bob", anna, use("carl", "archive an order", archive))).toBeCloseTo(1 + (0.4 * 2) / 3)
})

test("what is called at somebody's own connection is learned for them alone", () => {
  const own = (user: string): SearchUse => ({ ...use(user, "archive an order", archive), personal: new Set([archive]) })
  const uses = ["anna", "carl", "dora"].map(own)
  expect(preferenceOf("archive an order", "bob", uses)(archive)).toBe(1)
  expect(preferenceOf("archive an order", "anna", uses)(archive)).toBeCloseTo(1 + (0.4 * 2) / 3)
  expect(isPersonal("tools.shop.user.mine.orders.archive")).toBe(true)
  expect(isPersonal("shop.org.main.orders.archive")).toBe(false)
  expect(isPersonal("builtin.user.web")).toBe(false)
})

test("one person has one vote, however often they use it and whatever they spread it over", () => {
  const two = (count: number): SearchUse[] => [
    use("anna", "archive an order", hide),
    ...times(count, use("mallory", "archive an order", hide)),
  ]
  const once = preferenceOf("archive an order", "bob", two(1))
  const flooded = preferenceOf("archive an order", "bob", two(5000))
  expect(flooded(hide)).toBeCloseTo(once(hide))
  expect(preferenceOf("archive an order", "bob", times(5000, use("mallory", "archive an order", hide)))(hide)).toBe(1)
  const spread = preferenceOf("archive an order", "bob", [
    use("anna", "archive an order", hide, "shop.a", "shop.b", archive),
    ...times(1000, use("mallory", "archive an order", hide, "shop.a", "shop.b")),
    use("mallory", "archive an order", archive),
  ])
  const raised = [hide, "shop.a", "shop.b", archive].map(spread)
  expect(Math.min(...raised)).toBeGreaterThan(1)
  expect(Math.max(...raised)).toBeLessThan(once(hide))
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
