// What is kept of an output: its beginning and its end, in whole characters.
import fc from "fast-check"
import { expect, test } from "vitest"
import { OutputCapture } from "./output-capture.ts"

function captured(chunks: readonly Buffer[], bytesMax: number): string {
  const capture = new OutputCapture(bytesMax)
  for (const chunk of chunks) capture.add(chunk)
  return capture.text()
}

test("an output within the limit is kept as it came", () => {
  expect(captured([Buffer.from("ab"), Buffer.from("cd")], 4)).toBe("abcd")
  expect(captured([], 4)).toBe("")
})

test("beyond it the middle is left out, and it is said how much", () => {
  expect(captured([Buffer.from("abcdefghij")], 4)).toBe("ab\n[6 bytes of output were not kept]\nij")
  expect(
    captured(
      "abcdefghij".split("").map((character) => Buffer.from(character)),
      4,
    ),
  ).toBe("ab\n[6 bytes of output were not kept]\nij")
})

test("however it is divided, the same is kept, and no character is broken", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme", maxLength: 200 }),
      fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1 }),
      fc.integer({ min: 8, max: 100 }),
      (text, sizes, bytesMax) => {
        const bytes = Buffer.from(text)
        const chunks: Buffer[] = []
        for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
          const size = sizes[turn % sizes.length] ?? 1
          chunks.push(bytes.subarray(at, at + size))
          at += size
        }
        const kept = captured(chunks, bytesMax)
        expect(kept).toBe(captured([bytes], bytesMax))
        if (bytes.length <= bytesMax) expect(kept).toBe(text)
        else expect(kept).toMatch(new RegExp(`\\n\\[${bytes.length - bytesMax} bytes of output were not kept\\]\\n`))
        expect(kept.includes("\ufffd")).toBe(text.includes("\ufffd"))
      },
    ),
    { numRuns: 1000 },
  )
})
