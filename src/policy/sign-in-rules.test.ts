// Tests who may sign in, and with which roles.
import { expect, test } from "vitest"
import type { Role } from "../core/people/role.ts"
import type { SignInTerms } from "../core/people/sign-in.ts"
import { decideSignIn } from "./sign-in-rules.ts"

const role = (id: string, rights: Role["rights"] = []): [string, Pick<Role, "rights">] => [id, { rights }]
const roles = new Map([role("admin", ["admin"]), role("auditor", ["auditor"]), role("developer"), role("member")])
const terms = (fields: Partial<SignInTerms> = {}): SignInTerms => ({ claim: "groups", rules: [], allow: {}, ...fields })
const rolesOf = (fields: Partial<SignInTerms>, groups: unknown): readonly string[] => decideSignIn(terms(fields), { groups }, roles).roles

test("every rule that matches gives its roles, once", () => {
  const rules = [
    { value: "eng-*", roles: ["developer"] },
    { value: "eng-web", roles: ["developer", "member"] },
    { value: "ops", roles: ["admin"] },
  ]
  expect(rolesOf({ rules }, ["eng-web", "all"])).toEqual(["developer", "member"])
  expect(rolesOf({ rules }, "ops")).toEqual(["admin"])
  expect(rolesOf({ rules }, ["sales"])).toEqual([])
})

test("the default role is for whoever no rule matches", () => {
  const rules = [{ value: "eng", roles: ["developer"] }]
  expect(rolesOf({ rules, defaultRole: "member" }, ["sales"])).toEqual(["member"])
  expect(rolesOf({ rules, defaultRole: "member" }, ["eng"])).toEqual(["developer"])
})

test("nobody gets rights without a value that was named, nor by a claim that says so", () => {
  expect(rolesOf({ defaultRole: "admin" }, ["x"])).toEqual([])
  expect(rolesOf({ defaultRole: "auditor" }, ["x"])).toEqual([])
  expect(rolesOf({ rules: [{ value: "*", roles: ["admin", "member"] }] }, ["x"])).toEqual(["member"])
  expect(rolesOf({ rules: [{ value: "**", roles: ["auditor"] }] }, ["x"])).toEqual([])
  const crafted = { groups: ["admin"], roles: ["admin"], rights: ["admin"], role: "admin" }
  expect(decideSignIn(terms({ rules: [{ value: "eng", roles: ["member"] }] }), crafted, roles).roles).toEqual([])
})

test("a role that is gone gives nothing, and does not keep the default away", () => {
  expect(rolesOf({ rules: [{ value: "eng", roles: ["gone"] }], defaultRole: "member" }, ["eng"])).toEqual(["member"])
  expect(rolesOf({ defaultRole: "gone" }, ["eng"])).toEqual([])
})

test.each([
  [{}, { email: "a@acme.com", email_verified: false }, "email_unverified"],
  [{ allow: { domains: ["acme.com"] } }, { email: "a@acme.com" }, "email_unverified"],
  [{ allow: { domains: ["acme.com"] } }, {}, "email_unverified"],
  [{ allow: { domains: ["acme.com"] } }, { email: "a@evil.com", email_verified: true }, "domain"],
  [{ allow: { domains: ["acme.com"] } }, { email: "a@sub.acme.com", email_verified: true }, "domain"],
  [{ allow: { domains: ["acme.com"] } }, { email: "a@notacme.com", email_verified: true }, "domain"],
  [{ allow: { values: ["eng-*"] } }, { groups: ["sales"] }, "value"],
  [{ allow: { values: ["eng-*"] } }, {}, "value"],
  [{ rules: [{ value: "eng", roles: ["member"] }], defaultRole: "member" }, { _claim_names: { groups: "src1" } }, "overage"],
  [{ allow: { values: ["eng"] } }, { hasgroups: true }, "overage"],
])("%j refuses %j: %s", (fields, claims, reason) => {
  const verdict = decideSignIn(terms({ defaultRole: "member", ...fields }), claims, roles)
  expect(verdict).toMatchObject({ roles: [], refusal: { reason } })
})

test("an overage does not matter where the values decide nothing, nor a missing address where no domain is asked for", () => {
  expect(decideSignIn(terms({ defaultRole: "member" }), { hasgroups: true }, roles)).toMatchObject({ roles: ["member"], refusal: null })
  expect(decideSignIn(terms({ defaultRole: "member" }), { email: "a@acme.com" }, roles)).toMatchObject({ email: null, refusal: null })
})

test("both lists must fit", () => {
  const allow = { domains: ["Acme.com"], values: ["eng"] }
  const person = { email: "a@ACME.com", email_verified: true, groups: ["eng"] }
  expect(decideSignIn(terms({ allow, defaultRole: "member" }), person, roles)).toMatchObject({
    roles: ["member"],
    refusal: null,
    email: "a@acme.com",
  })
})
