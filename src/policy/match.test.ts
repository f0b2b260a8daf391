// The matcher against examples, a naive reference, and patterns made to cost.
import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { ExecutorError } from "../core/errors.ts"
import { compilePattern, matchesPattern, normalizePolicyPattern, normalizeRolePattern } from "./match.ts"
import { fitsPattern, fitsText } from "./wildcard.ts"

const matches = (pattern: string, subject: string): boolean => matchesPattern(compilePattern(pattern), subject)

test.each([
  ["*", "github.org.main.repos.get", true],
  ["*", "executor", true],
  ["**", "github.org.main.repos.get", true],
  ["github.**", "github.org.main.repos.get", true],
  ["github.**", "github", true],
  ["github.**", "githubber.org.main.repos.get", false],
  ["github.*", "github.repos", true],
  ["github.*", "github.repos.get", false],
  ["github.org.*.repos.get", "github.org.main.repos.get", true],
  ["github.*.repos.get", "github.org.main.repos.get", false],
  ["github.**.get", "github.org.main.repos.get", true],
  ["github.**.get", "github.org.main.repos.getAll", false],
  ["github.**.list*", "github.org.main.repos.listForOrg", true],
  ["github.**.list*", "github.org.main.repos.list", true],
  ["**.*delete*.**", "github.org.main.repos.bulkDelete", false],
  ["**.*elete*", "github.org.main.repos.bulkDeleteAll", true],
  ["**.repos.**", "github.org.main.repos", true],
  ["**.a.**.b.**", "x.a.y.z.b", true],
  ["**.a.**.b.**", "x.b.y.z.a", false],
  ["executor.coreTools.connections.list", "executor.coreTools.connections.list", true],
  ["GitHub.**", "github.org.main.repos.get", false],
  ["a*b*c", "aXbYc", true],
  ["a*b*c", "aXbY", false],
  ["$a.*_", "$a.x_", true],
])("%s matches %s: %s", (pattern, subject, expected) => {
  expect(matches(pattern, subject)).toBe(expected)
})

describe("patterns", () => {
  test("of policies mean the subtree when they end with .*, those of roles do not", () => {
    expect(normalizePolicyPattern("github.*")).toBe("github.**")
    expect(normalizePolicyPattern("tools.github.org.main.*")).toBe("github.org.main.**")
    expect(normalizePolicyPattern("github.**")).toBe("github.**")
    expect(normalizePolicyPattern("github.list*")).toBe("github.list*")
    expect(normalizePolicyPattern("*")).toBe("*")
    expect(normalizeRolePattern("linear.issues.*")).toBe("linear.issues.*")
  })

  test("are stored once: what was normalised stays as it is", () => {
    const segments = fc.constantFrom("*", "**", "a", "list*", "org")
    fc.assert(
      fc.property(fc.array(segments, { minLength: 1, maxLength: 5 }), (parts) => {
        const once = normalizePolicyPattern(parts.join("."))
        expect(normalizePolicyPattern(once)).toBe(once)
      }),
    )
  })

  test.each([
    ["", "it is empty"],
    ["tools.", "it is empty"],
    ["a..b", "an empty segment"],
    [".a", "an empty segment"],
    ["a.***", "** must be a segment of its own"],
    ["a.b**", "** must be a segment of its own"],
    ["a.[bc]", '"[" at position 3 is not'],
    ["tools.a b", '" " at position 8 is not a letter, digit, _, $, * or dot; a valid one is github.issues.*'],
    ["ä", '"ä" at position 1 is not'],
    ["a.😀", '"😀" at position 3 is not'],
    ["a".repeat(257), "over 256 characters"],
  ])("%s is refused: %s", (pattern, reason) => {
    expect(() => normalizePolicyPattern(pattern)).toThrow(reason)
    expect(() => normalizeRolePattern(pattern)).toThrow(ExecutorError)
  })
})

/** Obviously right and exponentially slow. */
function naive(pattern: readonly string[], subject: readonly string[]): boolean {
  const [part, ...parts] = pattern
  const [segment, ...segments] = subject
  if (part === undefined) return segment === undefined
  if (part === "**") return naive(parts, subject) || (segment !== undefined && naive(pattern, segments))
  return segment !== undefined && new RegExp(`^${part.replaceAll("*", ".*")}$`).test(segment) && naive(parts, segments)
}

const subjectSegments = fc.string({ unit: fc.constantFrom("a", "b"), minLength: 1, maxLength: 3 })
const patternSegments = fc.oneof(fc.constant("**"), fc.string({ unit: fc.constantFrom("a", "b", "*"), minLength: 1, maxLength: 3 }))

test("agrees with a naive matcher", () => {
  const patterns = fc.array(
    patternSegments.filter((segment) => segment === "**" || !segment.includes("**")),
    { minLength: 1, maxLength: 5 },
  )
  fc.assert(
    fc.property(patterns, fc.array(subjectSegments, { minLength: 1, maxLength: 6 }), (pattern, subject) => {
      const expected = pattern.join(".") === "*" || naive(pattern, subject)
      expect(matches(pattern.join("."), subject.join("."))).toBe(expected)
    }),
    { numRuns: 5000 },
  )
})

test("like agrees with a regular expression", () => {
  const patterns = fc.string({ unit: fc.constantFrom("a", "b", "*", "?"), maxLength: 6 })
  const texts = fc.string({ unit: fc.constantFrom("a", "b", "\n"), maxLength: 6 })
  fc.assert(
    fc.property(patterns, texts, (pattern, text) => {
      const expression = new RegExp(`^${pattern.replaceAll("?", ".").replaceAll("*", ".*")}$`, "s")
      expect(fitsText(pattern, text)).toBe(expression.test(text))
    }),
    { numRuns: 5000 },
  )
})

test("a hostile pattern costs no more than the product of both lengths", () => {
  let comparisons = 0
  const count = (pattern: string, text: string): void => {
    comparisons = 0
    fitsPattern(
      pattern,
      text,
      (part) => part === "*",
      (part, character) => {
        comparisons++
        return part === character
      },
    )
    expect(comparisons).toBeLessThanOrEqual(pattern.length * (text.length + 1))
  }
  count(`${"*a".repeat(100)}b`, "a".repeat(256))
  count(`*${"a".repeat(128)}b`, "a".repeat(256))
  expect(comparisons).toBeGreaterThan(1000)
  expect(matches(`${"**.*a*.".repeat(30)}b`, "a.".repeat(100) + "c")).toBe(false)
})
