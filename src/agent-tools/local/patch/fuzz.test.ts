// Random patches never end in anything but an answer, and patches made of two texts lead from one to the other.
import fc from "fast-check"
import { structuredPatch } from "diff"
import { describe, expect, test } from "vitest"
import { FunctionCallError } from "../../function-call-error.ts"
import { applyHunks } from "./apply-hunks.ts"
import { parsePatch } from "./parse.ts"
import type { FilePatch } from "./parse.ts"

const attempt = (work: () => unknown): void => {
  try {
    work()
  } catch (error) {
    if (!(error instanceof FunctionCallError)) throw error
    expect(error.kind).toBe("respond_to_model")
  }
}

const piece = fc.oneof(
  fc.constantFrom(
    "*** Begin Patch",
    "*** End Patch",
    "*** Add File: a",
    "*** Update File: a",
    "*** Delete File: a",
    "*** Move to: b",
    "*** End of File",
    "***",
    "@@",
    "@@ x",
    "@@x",
    "+",
    "-",
    " ",
    "",
    "\r",
    "+x",
    "-x",
    " x",
    "<<EOF",
    "EOF",
  ),
  fc.string({ unit: "binary", maxLength: 10 }),
)

describe("hostile patches", () => {
  test("any text is a patch or is refused", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => attempt(() => parsePatch(text))))
  })

  test("any lines of patches are a patch or are refused, and apply or do not match", () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), fc.array(fc.constantFrom("x", "", "y", " x"), { maxLength: 8 }), (pieces, file) => {
        attempt(() => {
          for (const part of parsePatch(["*** Begin Patch", ...pieces, "*** End Patch"].join("\n"))) {
            if (part.type === "update") attempt(() => applyHunks(file.join("\n"), part.hunks, "a", { count: 0 }))
          }
        })
      }),
      { numRuns: 2000 },
    )
  })

  test("a million lines of any kind do not exhaust the stack", () => {
    for (const line of ["", " ", "+", "-", "@@", "*** Delete File: a", "@@ x", "***"]) {
      const lines = Array.from({ length: 1_000_000 }, () => line).join("\n")
      attempt(() => parsePatch(`*** Begin Patch\n*** Update File: a\n@@\n-x\n${lines}\n+y\n*** End Patch`))
    }
  })

  test("a patch made to compare for hours is stopped", () => {
    const [first] = parsePatch(
      ["*** Begin Patch", "*** Update File: a", "@@", ...Array.from({ length: 5000 }, () => "-"), "-end", "*** End Patch"].join("\n"),
    )
    if (first?.type !== "update") throw new Error("The patch updates a file")
    expect(() => applyHunks("\n".repeat(100_000), first.hunks, "a", { count: 0 })).toThrow("takes too long to compare")
  })
})

/** As a careful model writes it: hunks of a diff, with a context where one is needed. */
function patchOf(before: string, after: string, context: number): string {
  const { hunks } = structuredPatch("a", "a", before, after, undefined, undefined, { context })
  const lines = hunks.flatMap((hunk) => [
    "@@",
    ...hunk.lines.filter((line) => !line.startsWith("\\")),
    // Only the last hunk can be at the end of the file.
    ...(hunk.oldStart + hunk.oldLines > before.split("\n").length - 1 ? ["*** End of File"] : []),
  ])
  return ["*** Begin Patch", "*** Update File: a", ...lines, "*** End Patch"].join("\n")
}

const updateOf = (input: string): Extract<FilePatch, { type: "update" }> => {
  const [file] = parsePatch(input)
  if (file?.type !== "update") throw new Error("The patch updates a file")
  return file
}

/** Lines that are all different, so that a hunk can only mean one place. */
const distinctText = (line: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.uniqueArray(line, { selector: (text) => text.trim(), maxLength: 40 }).map((lines) => lines.map((text) => `${text}\n`).join(""))

describe("patches made of two texts", () => {
  const plainLine = fc.oneof(
    fc.integer({ min: 0, max: 60 }).map((number) => `line ${number}`),
    fc.stringMatching(/^[a-zé文🎈 +@*-]{0,12}$/u),
  )

  test("lead from the first to the second", () => {
    fc.assert(
      fc.property(distinctText(plainLine), distinctText(plainLine), fc.integer({ min: 1, max: 4 }), (before, after, context) => {
        if (before === after) return
        expect(applyHunks(before, updateOf(patchOf(before, after, context)).hunks, "a", { count: 0 })).toBe(after)
      }),
      { numRuns: 1000 },
    )
  })

  test("with the whole file as context they do so for any lines", () => {
    const text = fc.array(fc.constantFrom("a", "b", "", "  ", "}"), { minLength: 1, maxLength: 20 }).map((lines) => `${lines.join("\n")}\n`)
    fc.assert(
      fc.property(text, text, (before, after) => {
        if (before === after) return
        expect(applyHunks(before, updateOf(patchOf(before, after, 1000)).hunks, "a", { count: 0 })).toBe(after)
      }),
      { numRuns: 1000 },
    )
  })

  test("keep CRLF", () => {
    fc.assert(
      fc.property(distinctText(plainLine), distinctText(plainLine), (before, after) => {
        if (before === after || before === "") return
        const { hunks } = updateOf(patchOf(before, after, 3))
        expect(applyHunks(before.replaceAll("\n", "\r\n"), hunks, "a", { count: 0 })).toBe(after.replaceAll("\n", "\r\n"))
      }),
    )
  })
})
