// Cuts texts into chunks: along headings and paragraphs, within their size, without losing anything.
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { ChunkWrite } from "../../store/retrieval/retrieval-store.ts"
import { chunksOf } from "./chunk.ts"

const chunking = { tokens: 50, overlap: 10 }
const cut = (text: string, format: "text" | "markdown" = "markdown", given = chunking): ChunkWrite[] =>
  [...chunksOf(text, format, given)].filter((chunk) => chunk !== null)
const bodies = (...given: Parameters<typeof cut>): string[] => cut(...given).map(({ body }) => body)

describe("chunks", () => {
  it("of a short text are one", () => {
    expect(cut("# Tea\n\nGinger.\n")).toEqual([{ heading: "Tea", body: "# Tea\n\nGinger." }])
    expect(cut("# Tea\n\nGinger.", "text")).toEqual([{ heading: "", body: "# Tea\n\nGinger." }])
    expect(bodies("")).toEqual([])
    expect(bodies(" \n\n\t\n")).toEqual([])
  })

  it("begin with sections, and know the headings above", () => {
    const text = "word ".repeat(20).trim()
    const found = cut(`# A\n\n${text}\n\n## B\n\n${text}\n\n### C\n\n${text}\n\n## D\n\n${text}`)
    expect(found.map(({ heading }) => heading)).toEqual(["A", "A › B", "A › B › C", "A › D"])
    expect(found[1]?.body.startsWith("## B")).toBe(true)
  })

  it("join tiny sections", () => {
    expect(bodies("# A\n\none\n\n# B\n\ntwo")).toEqual(["# A\n\none\n\n# B\n\ntwo"])
  })

  it("never end with a heading", () => {
    const text = `# A\n\n${"first ".repeat(15)}\n\n## B\n\n${"second ".repeat(24)}\n\n## C\n\n${"third ".repeat(60)}`
    for (const body of bodies(text)) expect(body.trim().split("\n").at(-1)).not.toMatch(/^#/)
  })

  it("overlap where a section goes on", () => {
    const words = Array.from({ length: 100 }, (_, at) => `word${at}`)
    const found = bodies(words.join(" "))
    expect(found.length).toBeGreaterThan(2)
    for (const [at, body] of found.slice(1).entries()) {
      const before = found[at]?.split(/\s+/) ?? []
      expect(before).toContain(body.split(/\s+/)[0])
    }
    const apart = bodies(words.join(" "), "markdown", { tokens: 50, overlap: 0 })
    expect(apart.join(" ").split(/\s+/)).toEqual(words)
  })

  it("do not take a line of code for a heading, and read underlined headings", () => {
    const found = cut("```sh\n# not a heading\n\nmake\n```\n\nTitle\n=====\n\ntext")
    expect(found[0]?.body).toContain("# not a heading\n\nmake")
    expect(cut(`Title\n=====\n\n${"text ".repeat(50)}`).every(({ heading }) => heading === "Title")).toBe(true)
  })

  it("are as large as they may be, whatever the text is", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary", maxLength: 2000 }),
      fc
        .array(fc.oneof(fc.lorem(), fc.constant("# Heading"), fc.constant("```"), fc.constant(""), fc.constant("東京都の天気予報。")), {
          maxLength: 80,
        })
        .map((lines) => lines.join("\n")),
      fc.integer({ min: 1, max: 3000 }).map((length) => "x".repeat(length)),
      fc.integer({ min: 1, max: 900 }).map((length) => "😀".repeat(length)),
    )
    fc.assert(
      fc.property(text, fc.constantFrom("text" as const, "markdown" as const), fc.constantFrom(0, 10, 25), (given, format, overlap) => {
        for (const { body, heading } of cut(given, format, { tokens: 50, overlap })) {
          expect(Buffer.byteLength(body)).toBeLessThanOrEqual(50 * 4 * 1.5 + 2)
          expect(body.isWellFormed() && heading.isWellFormed()).toBe(true)
          expect(body.trim()).not.toBe("")
        }
      }),
    )
  })

  it("are cut in time that grows with the text, and give way while they are", () => {
    const hostile = {
      "a line that is nearly a heading": `#${" ".repeat(200_000)}\u2028x`,
      "marks that nearly close a heading": `# ${" #".repeat(100_000)}\u2028x`,
      "headings without end": "# a\n".repeat(200_000),
      "headings without a title": "#\n".repeat(200_000),
      "one endless heading below another": `# a\n## ${"b".repeat(1_000_000)}`,
      "empty lines": "\n".repeat(1_000_000),
      "code without end": `\`\`\`\n${"x\n".repeat(500_000)}`,
    }
    for (const [name, text] of Object.entries(hostile)) {
      // What grows with the square of this would take minutes, which ends the test.
      const steps = [...chunksOf(text, "markdown", chunking)]
      const bytes = steps.map((chunk) => Buffer.byteLength(chunk?.body ?? ""))
      expect(Math.max(...bytes), name).toBeLessThanOrEqual(50 * 4 * 1.5 + 2)
      expect(steps.length, name).toBeGreaterThan(text.split("\n").length / 1001 - 1)
    }
  })

  it("know a heading with and without the marks that close it", () => {
    const title = (line: string): string | undefined => cut(`${line}\n\ntext`)[0]?.heading
    expect(["# Tea #", "## Tea ##  ", "#\tTea", "# C#", "# Tea # or #", "# #", "#"].map(title)).toEqual([
      "Tea",
      "Tea",
      "Tea",
      "C#",
      "Tea # or",
      "",
      "",
    ])
    expect(title("#Tea")).toBe("")
  })

  it("hold every word of the text", () => {
    fc.assert(
      fc.property(fc.array(fc.lorem({ maxCount: 40 }), { maxLength: 30 }), (paragraphs) => {
        const all = bodies(paragraphs.join("\n\n")).join(" ")
        for (const word of paragraphs.join(" ").split(/\s+/)) expect(all).toContain(word)
      }),
    )
  })
})
