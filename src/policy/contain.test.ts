// Tests that nobody hands out more than they have: what counts as included is matched by what includes it.
import fc from "fast-check"
import { expect, test } from "vitest"
import { containsPattern, missingIn } from "./contain.ts"
import { compilePattern, matchesPattern } from "./match.ts"

test.each([
  ["*", "github.**", true],
  ["**", "*", true],
  ["github.**", "github.issues.*", true],
  ["github.**", "github", true],
  ["github.*", "github.issues", true],
  ["github.*", "github.is*", true],
  ["github.is*es", "github.is*su*es", true],
  ["github.**.delete*", "github.repos.**.deleteAll", true],
  ["github.*", "github.**", false],
  ["github.issues.*", "github.**", false],
  ["github.is*", "github.*", false],
  ["github.issues", "github.*", false],
  ["github.**", "*", false],
  ["*.issues", "**.issues", false],
])("%s contains %s: %s", (outer, inner, isContained) => {
  expect(containsPattern(outer, inner)).toBe(isContained)
})

const letters = fc.constantFrom("a", "b")
const text = fc.array(letters, { minLength: 1, maxLength: 3 }).map((all) => all.join(""))
const glob = fc.array(fc.oneof(letters, fc.constant("*")), { minLength: 1, maxLength: 4 }).map((all) => all.join("").replace(/\*+/g, "*"))
const pattern = fc.array(fc.oneof(text, glob, fc.constant("**")), { minLength: 1, maxLength: 4 }).map((all) => all.join("."))
const subject = fc.array(text, { minLength: 1, maxLength: 4 }).map((all) => all.join("."))

test("whatever an included pattern matches, the including one matches too", () => {
  let included = 0
  fc.assert(
    fc.property(pattern, pattern, fc.array(subject, { minLength: 20, maxLength: 20 }), (outer, inner, subjects) => {
      if (!containsPattern(outer, inner)) return
      included += 1
      const [wide, narrow] = [compilePattern(outer), compilePattern(inner)]
      for (const one of subjects)
        if (matchesPattern(narrow, one)) expect([outer, inner, one, matchesPattern(wide, one)]).toEqual([outer, inner, one, true])
    }),
    { numRuns: 20_000 },
  )
  expect(included).toBeGreaterThan(100)
})

test("every pattern contains itself, and everything contains it", () => {
  fc.assert(fc.property(pattern, (one) => containsPattern(one, one) && containsPattern("*", one)))
})

test("rights are contained one by one, approvals by their patterns, and an admin has all", () => {
  const outer = { patterns: ["github.**"], rights: ["people.invite", "approve:github.**"] as const }
  expect(missingIn(outer, { patterns: ["github.issues.*"], rights: ["people.invite", "approve:github.issues.*"] })).toBeNull()
  expect(missingIn(outer, { patterns: ["github.issues.*", "slack.**"], rights: [] })).toBe("slack.**")
  expect(missingIn(outer, { patterns: [], rights: ["auditor"] })).toBe("auditor")
  expect(missingIn(outer, { patterns: [], rights: ["admin"] })).toBe("admin")
  expect(missingIn(outer, { patterns: [], rights: ["approve:**"] })).toBe("approve:**")
  expect(missingIn({ patterns: [], rights: ["admin"] }, { patterns: ["*"], rights: ["admin", "approve:*"] })).toBeNull()
})
