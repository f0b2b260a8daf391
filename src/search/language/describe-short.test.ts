// Checks that descriptions are cut to whole sentences without markup.
import { describe, expect, test } from "vitest"
import { describeShort } from "./describe-short.ts"

describe("describeShort", () => {
  test.each([
    ["Create an issue", 80, "Create an issue"],
    ["Sends a message. It is kept for 30 days. Then it goes.", 45, "Sends a message. It is kept for 30 days."],
    ["Use e.g. this one. And not that.", 20, "Use e.g. this one."],
    ["See [the docs](https://example.com/x) for **more** `code`.", 80, "See the docs for more code."],
    ["# Title\n\n- one\n- two", 80, "Title one two"],
    ["<p>Hello <b>you</b></p>", 80, "Hello you"],
    ["", 80, ""],
    ["aaaa bbbb cccc dddd eeee", 16, "aaaa bbbb cccc…"],
  ])("%j", (text, charsMax, expected) => expect(describeShort(text, charsMax)).toBe(expected))

  test("never answers more than it may, and never half a character", () => {
    for (const text of ["😀".repeat(100), "x".repeat(1000), ". ".repeat(1000), "[".repeat(100_000), "a b ".repeat(50_000)]) {
      for (const charsMax of [1, 2, 7, 110]) {
        const short = describeShort(text, charsMax)
        expect(short.length).toBeLessThanOrEqual(charsMax)
        expect(short.isWellFormed()).toBe(true)
      }
    }
  })
})
