// Cuts texts into chunks: along headings and paragraphs, within their size, without losing anything.
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { chunksOf } from "./chunk.ts"

const chunking = { tokens: 50, overlap: 10 }
const bodies = (text: string, format: "text" | "markdown" = "markdown", given = chunking): string[] =>
  [...chunksOf(text, format, given)].map(({ body }) => body)

describe("chunks", () => {
  it("of a short text are one", () => {
    expect([...chunksOf("# Tea\n\nGinger.\n", "markdown", chunking)]).toEqual([{ heading: "Tea", body: "# Tea\n\nGinger." }])
    expect([...chunksOf("# Tea\n\nGinger.", "text", chunking)]).toEqual([{ heading: "", body: "# Tea\n\nGinger." }])
    expect(bodies("")).toEqual([])
    expect(bodies(" \n\n\t\n")).toEqual([])
  })

  it("begin with sections, and know the headings above", () => {
    const text = "word ".repeat(20).trim()
    const found = [...chunksOf(`# A\n\n${text}\n\n## B\n\n${text}\n\n### C\n\n${text}\n\n## D\n\n${text}`, "markdown", chunking)]
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
    const found = [...chunksOf("```sh\n# not a heading\n\nmake\n```\n\nTitle\n=====\n\ntext", "markdown", chunking)]
    expect(found[0]?.body).toContain("# not a heading\n\nmake")
    expect([...chunksOf(`Title\n=====\n\n${"text ".repeat(50)}`, "markdown", chunking)].every(({ heading }) => heading === "Title")).toBe(
      true,
    )
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
        for (const { body, heading } of chunksOf(given, format, { tokens: 50, overlap })) {
          expect(Buffer.byteLength(body)).toBeLessThanOrEqual(50 * 4 * 1.5 + 2)
          expect(body.isWellFormed() && heading.isWellFormed()).toBe(true)
          expect(body.trim()).not.toBe("")
        }
      }),
    )
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
