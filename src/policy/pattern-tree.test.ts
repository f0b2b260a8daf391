// The tree against the plain matcher, and patterns made to cost.
import * as fc from "fast-check"
import { expect, test } from "vitest"
import { compilePattern, matchesPattern } from "./match.ts"
import { createPatternTree } from "./pattern-tree.ts"

const subjectSegments = fc.string({ unit: fc.constantFrom("a", "b"), minLength: 1, maxLength: 2 })
const patternSegments = fc
  .oneof(fc.constantFrom("**", "*", "a", "b"), fc.string({ unit: fc.constantFrom("a", "b", "*"), minLength: 1, maxLength: 3 }))
  .filter((segment) => segment === "**" || !segment.includes("**"))
const pattern = fc.array(patternSegments, { minLength: 1, maxLength: 5 }).map((segments) => segments.join("."))
const patterns = fc.array(pattern, { maxLength: 8 })
const subject = fc.array(subjectSegments, { minLength: 1, maxLength: 6 }).map((segments) => segments.join("."))
const plainly = (all: readonly string[], one: string): boolean => all.some((text) => matchesPattern(compilePattern(text), one))

test("matches exactly what one of its patterns matches", () => {
  fc.assert(
    fc.property(patterns, fc.array(subject, { maxLength: 20 }), (all, subjects) => {
      const tree = createPatternTree(all)
      for (const one of subjects) expect([all, one, tree.matches(one)]).toEqual([all, one, plainly(all, one)])
    }),
    { numRuns: 3000 },
  )
})

test("says no more of a first segment than what is true of all that begins with it", () => {
  fc.assert(
    fc.property(patterns, subjectSegments, fc.array(subject, { minLength: 1, maxLength: 20 }), (all, first, rests) => {
      const tree = createPatternTree(all)
      const matched = rests.map((rest) => plainly(all, `${first}.${rest}`))
      if (tree.coverage(first) === "all") expect(matched).not.toContain(false)
      if (tree.coverage(first) === "none" || tree.firsts?.has(first) === false) expect(matched).not.toContain(true)
      if (tree.firsts !== null) expect(tree.firsts.has(first)).toBe(tree.coverage(first) !== "none")
    }),
    { numRuns: 3000 },
  )
})

test.each([
  [["github.**"], "github", "all", ["github"]],
  [["github.*", "linear.issues.*"], "github", "some", ["github", "linear"]],
  [["github"], "github", "none", []],
  [["git*.issues.list"], "github", "some", null],
  [["**.list"], "github", "some", null],
  [["*"], "github", "all", null],
  [[], "github", "none", []],
] as const)("%j covers of %s: %s", (all, first, coverage, firsts) => {
  const tree = createPatternTree(all)
  expect(tree.coverage(first)).toBe(coverage)
  expect(tree.firsts === null ? null : [...tree.firsts]).toEqual(firsts)
})

test("hostile patterns cost no more than their size times the subject's length, or this would never end", () => {
  const hostile = Array.from({ length: 1000 }, (_, number) => `${"**.*a*.".repeat(20)}b${number}`)
  const tree = createPatternTree(hostile)
  expect(tree.matches("a.".repeat(100) + "c")).toBe(false)
})
