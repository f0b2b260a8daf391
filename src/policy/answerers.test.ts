// Tests who may answer an approval, with and without rules that name somebody.
import { expect, test } from "vitest"
import type { Right } from "../core/people/role.ts"
import type { ApprovalBy } from "../core/policy.ts"
import { joinBy, mayAnswer, whoText } from "./answerers.ts"
import type { AskedApproval } from "./answerers.ts"

const asked = (change: Partial<AskedApproval> = {}): AskedApproval => ({
  subject: "stripe.refunds.create",
  human: "alice",
  requesters: ["alice"],
  by: [],
  ...change,
})
const somebody = (user: string, roles: string[] = [], rights: Right[] = []) => ({ user, roles, rights })

test.each([
  ["the human who is asked", somebody("alice"), asked(), true],
  ["somebody else", somebody("bob"), asked(), false],
  ["an admin", somebody("bob", [], ["admin"]), asked(), true],
  ["an auditor", somebody("bob", [], ["auditor", "policies.edit"]), asked(), false],
  ["a holder of approve: for the tool", somebody("bob", [], ["approve:stripe.**"]), asked(), true],
  ["a holder of approve: for everything", somebody("bob", [], ["approve:*"]), asked(), true],
  ["a holder of approve: one segment deep", somebody("bob", [], ["approve:stripe.*"]), asked(), false],
  ["a holder of approve: for others", somebody("bob", [], ["approve:github.**"]), asked(), false],
  ["a service account itself", somebody("robot"), asked({ human: null, requesters: ["robot"] }), false],
])("%s, where nobody is named", (_name, answerer, question, expected) => {
  expect(mayAnswer(answerer, question)).toBe(expected)
})

const finance: ApprovalBy = { role: "finance" }
const others: ApprovalBy = { notRequester: true }
const eyes: ApprovalBy = { role: "finance", notRequester: true }

test.each([
  ["a holder of the role", somebody("bob", ["finance"]), [finance], true],
  ["the requester with the role", somebody("alice", ["finance"]), [finance], true],
  ["the requester with the role, of four eyes", somebody("alice", ["finance"]), [eyes], false],
  ["whoever made the token, of four eyes", somebody("carol", ["finance"]), [eyes], false],
  ["an admin without the role", somebody("bob", ["admin"], ["admin"]), [finance], false],
  ["a holder of approve: without the role", somebody("bob", [], ["approve:*"]), [eyes], false],
  ["another admin, where only the requester is excluded", somebody("bob", [], ["admin"]), [others], true],
  ["an admin who is the requester", somebody("alice", [], ["admin"]), [others], false],
  ["anybody, where only the requester is excluded", somebody("bob"), [others], false],
  ["a holder of one of two roles", somebody("bob", ["finance"]), [finance, { role: "legal" }], false],
  ["a holder of both", somebody("bob", ["finance", "legal"]), [finance, { role: "legal" }], true],
  ["a holder of the role whom another rule excludes", somebody("alice", ["finance"]), [finance, others], false],
])("%s", (_name, answerer, by, expected) => {
  expect(mayAnswer(answerer, asked({ by, requesters: ["alice", "carol"] }))).toBe(expected)
})

test("rules that name the same are one, and are told in one sentence", () => {
  expect(joinBy([finance, eyes], [{ role: "finance" }])).toEqual([finance, eyes])
  expect(whoText([eyes], ["alice", "carol"])).toBe("somebody with the role 'finance', other than alice and carol")
  expect(whoText([finance, { role: "legal" }])).toBe("somebody with the roles 'finance' and 'legal'")
  expect(whoText([others], ["alice"])).toBe("an admin or somebody with the right to approve it, other than alice")
})
