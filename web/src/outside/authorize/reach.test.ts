// What the choices of the consent page grant.
import { expect, test } from "vitest"
import { narrowerRoles, patternsOf } from "./reach.ts"

const roles = [
  { id: "approver", name: "approver", patterns: ["shop.**"] },
  { id: "member", name: "Member", patterns: ["*"] },
  { id: "owner", name: "Owner", patterns: ["desk.*", "**"] },
  { id: "guest", name: "Guest", patterns: [] },
]

test("a role that allows everything, or nothing, is no choice", () => {
  expect(narrowerRoles(roles).map(({ id }) => id)).toEqual(["approver"])
})

test.each([
  [{ is: "all" }, null],
  [{ is: "role", id: "approver" }, ["shop.**"]],
  [{ is: "role", id: "gone" }, []],
  [{ is: "custom" }, ["desk.**", "ledger.items.create", "a.*"]],
] as const)("%j grants %j", (reach, patterns) => {
  expect(patternsOf(reach, roles, " desk.**\nledger.items.create,, a.* \n")).toEqual(patterns)
})
