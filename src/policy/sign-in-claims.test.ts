// Tests what is read from a provider's claims, and how globs match it.
import { expect, test } from "vitest"
import { matchesGlob, readClaim, verifiedEmail } from "./sign-in-claims.ts"

test.each([
  ["groups", { groups: ["a", "b"] }, ["a", "b"]],
  ["groups", { groups: "a" }, ["a"]],
  ["groups", { groups: [] }, []],
  ["groups", { groups: ["a", 1, null, { b: 1 }] }, ["a"]],
  ["realm_access.roles", { realm_access: { roles: ["a"] } }, ["a"]],
  ["/realm_access/roles", { realm_access: { roles: ["a"] } }, ["a"]],
  ["https://acme.com/roles", { "https://acme.com/roles": ["a"] }, ["a"]],
  ["/https:~1~1acme.com~1roles", { "https://acme.com/roles": ["a"] }, ["a"]],
  ["groups", { groups: ["a"], _claim_names: { groups: "src1" } }, ["a"]],
])("%s of %j", (path, claims, values) => {
  expect(readClaim(claims, path)).toEqual({ kind: "values", values })
})

test.each(["groups", "constructor.name", "__proto__", "toString", "/", "a.b.c", "length"])("%s is absent", (path) => {
  expect(readClaim({ sub: "x", a: "text" }, path)).toEqual({ kind: "absent" })
})

test.each([
  ["groups", { _claim_names: { groups: "src1" }, _claim_sources: {} }],
  ["groups", { hasgroups: true }],
  ["groups", { hasgroups: "true" }],
  ["roles", { _claim_names: { roles: "src1" } }],
])("%s of %j was left out", (path, claims) => {
  expect(readClaim(claims, path)).toEqual({ kind: "overage" })
  expect(readClaim(claims, "others").kind).toBe("absent")
})

test.each([
  ["eng", "eng", true],
  ["eng", "eng-web", false],
  ["eng-*", "eng-web", true],
  ["eng-*", "eng-", true],
  ["eng-*", "xeng-web", false],
  ["*-admins", "eng-admins", true],
  ["*-admins", "eng-admins2", false],
  ["a*b*c", "aXbYc", true],
  ["a*b*c", "acb", false],
  ["ab*ba", "aba", false],
  ["*", "", true],
  ["a.c", "abc", false],
  ["/org/*/dev", "/org/acme/dev", true],
  ["Eng", "eng", false],
  ["a*a*a*a*a*a*b", "a".repeat(5000), false],
])("%s and %s: %s", (glob, value, matches) => {
  expect(matchesGlob(glob, value)).toBe(matches)
})

test.each([
  [{ email: "A@acme.com", email_verified: true }, "a@acme.com"],
  [{ email: "a@acme.com", email_verified: "true" }, "a@acme.com"],
  [{ email: "a@acme.com", email_verified: false }, null],
  [{ email: "a@acme.com", email_verified: 1 }, null],
  [{ email: "a@acme.com" }, null],
  [{ email: "a@evil.com@acme.com", email_verified: true }, null],
  [{ email: ["a@acme.com"], email_verified: true }, null],
  [{ email_verified: true }, null],
])("the verified address of %j is %s", (claims, email) => {
  expect(verifiedEmail(claims)).toBe(email)
})
