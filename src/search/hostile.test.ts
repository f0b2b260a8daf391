// Throws at the index what a stranger may write into a request or a catalog.
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import type { IndexedTool } from "./indexed-tool.ts"
import { indexedTool } from "./testing/tool.ts"
import { createSearchIndex } from "./search-index.ts"
import { textLimits } from "./tuning.ts"

const mounts = [{ toolSet: "x", prefix: "x.org.main", integration: "x", integrationName: "X" }]
const tool = (name: string, description: string, more: Partial<IndexedTool> = {}): IndexedTool =>
  indexedTool(name, "", { description, effect: "write", ...more })
const strange = ["__proto__", "constructor", "hasOwnProperty", "toString", "valueOf", "prototype"]

describe("requests", () => {
  test.each([
    ["a megabyte of words", "create issue ".repeat(80_000)],
    ["a megabyte without a space", "x".repeat(1_000_000)],
    ["ten thousand unknown words", Array.from({ length: 10_000 }, (_, at) => `wort${at}zz`).join(" ")],
    ["spaces", " ".repeat(1_000_000)],
    ["line ends", "\n".repeat(100_000)],
    ["dots", ".".repeat(100_000)],
    ["verbs without their particles", "take the label ".repeat(20_000)],
    ["beginnings without an end", "please could you to and then ".repeat(20_000)],
    ["one prefix after another", "re un self ".repeat(20_000)],
    ["commas and ands", "get it, and ".repeat(50_000)],
    ["a deep path", "a.".repeat(50_000)],
    ["regular expressions", "(.*)+$ [a-z]{1,99} \\d+ ^(a+)+$ (?<=x)"],
    ["half a character", "\ud800 \udfff create"],
    ["marks", `e${"\u0301".repeat(50_000)}`],
    ["emoji", "👩‍👩‍👧‍👦".repeat(10_000)],
    ["null bytes", "\0create\0issue\0"],
    ["values that leave nothing but spaces", "1.11 /".repeat(1000)],
    ["what could be many ids, names and addresses", "a-a.a@".repeat(1000)],
  ])("%s", async (_, query) => {
    const index = createSearchIndex()
    await index.put("x", [tool("issues.create", "Create an issue"), tool("issues.get", "Get an issue")])
    const { hits, total } = index.search({ query, limit: 5, offset: 0 }, mounts)
    expect(hits.length).toBe(Math.min(5, total))
    expect(index.suggest(query, 5, mounts).length).toBeLessThanOrEqual(5)
  })

  test.each([".", "*", ".*", "a.", "tools.", " ", "\0"])("a namespace of a million '%s'", async (piece) => {
    const index = createSearchIndex()
    await index.put("x", [tool("issues.create", "Create an issue")])
    const namespace = `${piece.repeat(1_000_000)}x`
    expect(index.search({ query: "issue", namespace, limit: 5, offset: 0 }, mounts).total).toBe(piece === " " ? 1 : 0)
  })

  test("names of built-in properties are words like any other", async () => {
    const index = createSearchIndex()
    await index.put("x", [
      ...strange.map((word) => tool(`${word}.read`, `Reads the ${word} of a thing`)),
      tool("other.thing", "Something else"),
    ])
    for (const word of strange) expect(index.search({ query: word, limit: 3, offset: 0 }, mounts).hits[0]?.name).toBe(`${word}.read`)
    const empty = createSearchIndex()
    await empty.put("x", [tool("other.thing", "Something else")])
    for (const word of strange) expect(empty.search({ query: word, namespace: word, limit: 3, offset: 0 }, mounts).total).toBe(0)
  })
})

describe("catalogs", () => {
  test("endless texts cost no more than long ones", async () => {
    const index = createSearchIndex()
    const words = Array.from({ length: 50_000 }, (_, at) => `w${at.toString(36)}q`).join(" ")
    const parameters = Array.from({ length: 5000 }, (_, at) => ({ name: `p${at}${"x".repeat(1000)}`, description: words }))
    await index.put("x", [
      tool("big.tool", words, { summary: words, title: words, tags: Array.from({ length: 5000 }, () => words), parameters }),
    ])
    expect(index.stats().postings).toBeLessThan(1000)
    expect(index.stats().textChars).toBeLessThan(1000)
    expect(index.search({ query: "big tool", limit: 1, offset: 0 }, mounts).hits[0]?.name).toBe("big.tool")
  })

  test("a flood of different words ends at the limit", async () => {
    const index = createSearchIndex()
    // Letters only: digits would cut the words apart.
    const word = (number: number): string => `x${number.toString(26).replaceAll(/\d/g, (digit) => "qrstuvwxyz".charAt(Number(digit)))}x`
    const tools = Array.from({ length: 2500 }, (_, at) =>
      tool(`t.n${at}`, Array.from({ length: 50 }, (__, more) => word(at * 50 + more)).join(" ")),
    )
    await index.put("x", tools)
    expect(index.stats().words).toBe(textLimits.wordsPerSet)
    expect(index.search({ query: word(0), limit: 1, offset: 0 }, mounts).hits[0]?.name).toBe("t.n0")
  })

  test("any tool can be indexed and found by its path", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.stringMatching(/^[A-Za-z_$][\w$]{0,12}(?:\.[A-Za-z_$][\w$]{0,12}){0,3}$/), {
          minLength: 1,
          maxLength: 12,
          selector: (name) => name.toLowerCase(),
        }),
        fc.string({ unit: "binary", maxLength: 60 }),
        async (names, text) => {
          const index = createSearchIndex()
          await index.put(
            "x",
            names.map((name) => tool(name, text, { summary: text, tags: [text], parameters: [{ name: text, description: text }] })),
          )
          for (const name of names)
            expect(index.search({ query: `x.org.main.${name}`, limit: 1, offset: 0 }, mounts).hits[0]?.name).toBe(name)
          expect(index.search({ query: text, limit: 100, offset: 0 }, mounts).total).toBeLessThanOrEqual(names.length)
          index.drop("x")
          expect(index.stats().words).toBe(0)
        },
      ),
      { numRuns: 60 },
    )
  })
})
