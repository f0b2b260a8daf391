// New rules go below more specific ones, for as many rules as anybody makes.
import * as fc from "fast-check"
import { expect, test } from "vitest"
import type { PolicyCondition, PolicyRule } from "../core/policy.ts"
import { inOrder, isMoreSpecific, placeRule } from "./specificity.ts"

const condition: PolicyCondition = { arg: "a", op: "exists", value: true }
const ruleOf = (id: string, pattern: string, position: number, when: PolicyCondition[] = []): PolicyRule => ({
  id,
  owner: "org",
  pattern,
  action: "allow",
  when,
  position,
})

function insert(rules: readonly PolicyRule[], rule: PolicyRule): PolicyRule[] {
  const { position, moved } = placeRule(rule, rules)
  const numbers = new Map(moved.map((one) => [one.id, one.position]))
  return [...rules.map((one) => ({ ...one, position: numbers.get(one.id) ?? one.position })), { ...rule, position }]
}

test.each([
  ["github.org.main.repos.get", "github.**"],
  ["github.org.main.repos.*", "github.org.main.**"],
  ["github.org.main.**", "github.**"],
  ["github.org.*.repos", "github.**.repos"],
  ["github.**.get", "**.get"],
  ["github.**", "*"],
  ["*.*", "**"],
])("%s is more specific than %s", (pattern, other) => {
  expect(isMoreSpecific({ pattern, when: [] }, { pattern: other, when: [] })).toBe(true)
  expect(isMoreSpecific({ pattern: other, when: [] }, { pattern, when: [] })).toBe(false)
})

test("of equal patterns the one with conditions is more specific, and neither is otherwise", () => {
  const plain = { pattern: "github.**", when: [] }
  expect(isMoreSpecific({ pattern: "linear.**", when: [condition] }, plain)).toBe(true)
  expect(isMoreSpecific({ pattern: "linear.**", when: [] }, plain)).toBe(false)
})

test("of equal patterns the one for a role is more specific, and most of all the one with conditions besides", () => {
  const plain = { pattern: "github.**", when: [] }
  const limited = { ...plain, role: "intern" }
  expect(isMoreSpecific(limited, plain)).toBe(true)
  expect(isMoreSpecific(plain, limited)).toBe(false)
  expect(isMoreSpecific({ ...limited, when: [condition] }, limited)).toBe(true)
  expect(isMoreSpecific({ ...plain, when: [condition] }, limited)).toBe(false)
})

test("a new rule stands below the more specific ones and above its equals", () => {
  const rules = [ruleOf("a", "github.org.main.delete", 1), ruleOf("b", "github.**", 2), ruleOf("c", "*", 3)]
  const order = (pattern: string): string[] => inOrder(insert(rules, ruleOf("new", pattern, 0))).map((rule) => rule.id)
  expect(order("github.org.**")).toEqual(["a", "new", "b", "c"])
  expect(order("linear.**")).toEqual(["a", "new", "b", "c"])
  expect(order("*")).toEqual(["a", "b", "new", "c"])
  expect(order("github.org.main.repos.get")).toEqual(["new", "a", "b", "c"])
})

test("where somebody ordered the rules by hand, it stands below the last that is more specific", () => {
  const rules = [ruleOf("a", "*", 1), ruleOf("b", "github.org.main.delete", 2), ruleOf("c", "github.**", 3)]
  expect(inOrder(insert(rules, ruleOf("new", "github.org.**", 0))).map((rule) => rule.id)).toEqual(["a", "b", "new", "c"])
})

test("rules placed one after another are ordered by specificity, in whatever order they come", () => {
  const patterns = fc
    .array(fc.constantFrom("*", "**", "a", "b", "c*"), { minLength: 1, maxLength: 4 })
    .map((segments) => segments.join("."))
  const drafts = fc.array(fc.record({ pattern: patterns, when: fc.constantFrom<PolicyCondition[]>([], [condition]) }), { maxLength: 15 })
  fc.assert(
    fc.property(drafts, (made) => {
      const rules = made.reduce<PolicyRule[]>((all, { pattern, when }, index) => insert(all, ruleOf(`r${index}`, pattern, 0, when)), [])
      const ordered = inOrder(rules)
      const misplaced = ordered.filter((rule, index) => ordered.slice(0, index).some((above) => isMoreSpecific(rule, above)))
      expect(misplaced).toEqual([])
    }),
  )
})

test("numbers between two neighbours run out after some fifty rules, and then all are numbered anew", () => {
  let rules = [ruleOf("top", "a.b", 1), ruleOf("bottom", "*", 2)]
  let renumbered = 0
  for (let index = 0; index < 300; index++) {
    const rule = ruleOf(`r${String(index).padStart(3, "0")}`, "a.**", 0)
    if (placeRule(rule, rules).moved.length > 0) renumbered++
    rules = insert(rules, rule)
  }
  const ordered = inOrder(rules)
  expect(renumbered).toBeGreaterThan(0)
  expect(new Set(rules.map((rule) => rule.position)).size).toBe(302)
  expect([ordered[0]?.id, ordered[1]?.id, ordered[301]?.id]).toEqual(["top", "r299", "bottom"])
})

test("also beside positions of any size", () => {
  for (const position of [Number.MAX_VALUE, -Number.MAX_VALUE, 2 ** 53, 0]) {
    for (const pattern of ["*", "a.b.c"]) {
      const rules = insert([ruleOf("old", "a.b", position)], ruleOf("new", pattern, 0))
      expect(inOrder(rules).map((rule) => rule.id)).toEqual(pattern === "*" ? ["old", "new"] : ["new", "old"])
      expect(rules[0]?.position).not.toBe(rules[1]?.position)
    }
  }
})
