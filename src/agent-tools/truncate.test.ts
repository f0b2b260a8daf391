// The middle cut: its budget, its one marker, and whole characters.
import fc from "fast-check"
import { expect, test } from "vitest"
import { truncateText, truncateTexts } from "./truncate.ts"

const bytesOf = (text: string): number => Buffer.byteLength(text)
const markers = (text: string): string[] => text.match(/…\d+ tokens truncated…/g) ?? []

test("a text within its budget stays as it is", () => {
  expect(truncateText("example output", 4)).toBe("example output")
  expect(truncateText("", 1)).toBe("")
})

test("beyond it the middle is cut, half before and half after", () => {
  expect(truncateText("example output", 1)).toBe("ex…3 tokens truncated…ut")
  expect(truncateText("a".repeat(60) + "b".repeat(60), 5)).toBe(`${"a".repeat(10)}…25 tokens truncated…${"b".repeat(10)}`)
})

test("no character is broken", () => {
  const cut = truncateText("😀".repeat(10) + "é".repeat(10), 3)
  expect(cut).toMatch(/^😀…\d+ tokens truncated…ééé$/)
})

test("texts of any characters keep their budget and get one marker, however often they pass and with whatever is put around them", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme", minLength: 0, maxLength: 400 }),
      fc.integer({ min: 1, max: 40 }),
      fc.string({ maxLength: 60 }),
      (text, tokens, around) => {
        const once = truncateText(text, tokens)
        expect(once.includes("�")).toBe(text.includes("�"))
        if (bytesOf(text) <= tokens * 4) {
          expect(once).toBe(text)
          return
        }
        expect(markers(once)).toHaveLength(1)
        expect(bytesOf(once.replace(/…\d+ tokens truncated…/, ""))).toBeLessThanOrEqual(tokens * 4)
        expect(truncateText(once, tokens)).toBe(once)
        expect(markers(truncateText(`${around}${once}${around}`, tokens))).toHaveLength(1)
        expect(markers(truncateText(once, Math.ceil(tokens / 2)))).toHaveLength(1)
      },
    ),
    { numRuns: 2000 },
  )
})

test("a second cut counts what the first one removed", () => {
  const once = truncateText("x".repeat(4000), 100)
  expect(markers(once)).toEqual(["…900 tokens truncated…"])
  expect(markers(truncateText(once, 50))).toEqual(["…950 tokens truncated…"])
})

test("a text that quotes a marker is cut to its budget all the same", () => {
  const text = `…5 tokens truncated…${"x".repeat(1000)}`
  const cut = truncateText(text, 50)
  expect(markers(cut)).toEqual([`…${5 + 200} tokens truncated…`])
  expect(truncateText(cut, 50)).toBe(cut)
})

test("a text of nothing but markers is cut like any other", () => {
  const cut = truncateText("…1 tokens truncated…".repeat(300_000), 100)
  expect(bytesOf(cut)).toBeLessThan(500)
  expect(truncateText(cut, 100)).toBe(cut)
})

test("several texts share one budget and one marker", () => {
  const texts = truncateTexts(["a".repeat(30), "b".repeat(30), "c".repeat(30)], 5)
  expect(texts).toEqual([`${"a".repeat(10)}…18 tokens truncated…`, "", "c".repeat(10)])
})
