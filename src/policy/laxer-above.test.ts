// Tests which rules above another one decide some of its calls less strictly.
import { expect, test } from "vitest"
import type { PolicyAction, PolicyRule } from "../core/policy.ts"
import { laxerAbove } from "./laxer-above.ts"

const rule = (id: string, pattern: string, action: PolicyAction, position: number, owner: PolicyRule["owner"] = "org"): PolicyRule => ({
  id,
  owner,
  pattern,
  action,
  when: [],
  position,
})

test.each([
  ["the same pattern", rule("a", "shop.orders.create", "allow", 1), ["a"]],
  ["a pattern inside of it", rule("a", "shop.orders.create.fast", "allow", 1), []],
  ["a pattern around it", rule("a", "shop.**", "allow", 1), ["a"]],
  ["a rule below", rule("a", "shop.**", "allow", 3), []],
  ["a stricter rule", rule("a", "shop.**", "block", 1), []],
  ["a rule that asks too", rule("a", "shop.**", "require_approval", 1), []],
  ["another owner", rule("a", "shop.**", "allow", 1, "user"), []],
  ["other tools", rule("a", "crm.**", "allow", 1), []],
])("%s", (_what, other, found) => {
  const mine = rule("m", "shop.orders.create", "require_approval", 2)
  expect(laxerAbove(mine, [mine, other]).map(({ id }) => id)).toEqual(found)
})

test("what a wide rule contains, in order", () => {
  const mine = rule("m", "shop.**", "block", 9)
  const others = [rule("b", "shop.x", "require_approval", 2), rule("a", "shop.y", "allow", 1)]
  expect(laxerAbove(mine, [...others, mine]).map(({ id }) => id)).toEqual(["a", "b"])
})
