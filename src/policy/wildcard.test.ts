// Tests the wildcard algorithm against the obvious one, and that no pattern takes it forever.
import * as fc from "fast-check"
import { expect, test } from "vitest"
import { fitsText } from "./wildcard.ts"

const obvious = (pattern: string, text: string): boolean => {
  if (pattern === "") return text === ""
  const [part, rest] = [pattern[0], pattern.slice(1)]
  if (part === "*") return obvious(rest, text) || (text !== "" && obvious(pattern, text.slice(1)))
  return text !== "" && (part === "?" || part === text[0]) && obvious(rest, text.slice(1))
}

test("it agrees with the obvious way", () => {
  const letters = (...alphabet: readonly string[]) => fc.string({ unit: fc.constantFrom(...alphabet), maxLength: 8 })
  fc.assert(
    fc.property(letters("a", "b", "*", "?"), letters("a", "b"), (pattern, text) => fitsText(pattern, text) === obvious(pattern, text)),
  )
})

// The obvious way would not end within the life of this machine.
test("a pattern that could be tried in endless ways is answered", () => {
  expect(fitsText("*a".repeat(200), "a".repeat(5000) + "b")).toBe(false)
})
