// Holds the floor under what search finds on the golden set, beside plain BM25 in the same run.
import { describe, expect, test } from "vitest"
import { evaluateQueries } from "../../src/search/evaluation/measure.ts"
import { plainBm25 } from "../../src/search/evaluation/plain-bm25.ts"
import { standsOut } from "../../src/search/stands-out.ts"
import { indexedTool } from "../../src/search/testing/tool.ts"
import { systemClock } from "../../src/io/clock.ts"
import { goldenCases, goldenCatalog, httpCases, httpCatalog, mcpCases, mcpCatalog } from "./golden-catalog.ts"

const catalog = await goldenCatalog()
const cases = goldenCases()

describe("the golden set", () => {
  test("asks for tools that exist, in at least 200 ways", () => {
    const known = new Set(catalog.plainTools.map((tool) => tool.path))
    expect(cases.flatMap((entry) => Object.keys(entry.tools)).filter((path) => !known.has(path))).toEqual([])
    expect(new Set(cases.map((entry) => entry.query)).size).toBeGreaterThanOrEqual(200)
  })

  test("is answered well, and far better than by plain BM25", async () => {
    const ours = await evaluateQueries(catalog.find, cases, systemClock)
    const plain = await evaluateQueries(await plainBm25(catalog.plainTools), cases, systemClock)
    expect(ours.ndcg5).toBeGreaterThan(0.83)
    expect(ours.hit1).toBeGreaterThan(0.75)
    expect(ours.recall5).toBeGreaterThan(0.89)
    expect(ours.ndcg5 - plain.ndcg5).toBeGreaterThan(0.25)
  })

  test("a tool that is stuffed with the words people ask with comes first for hardly anything", async () => {
    const { index, mounts } = await goldenCatalog()
    const words = [...new Set(cases.flatMap(({ query }) => query.toLowerCase().match(/[a-z]{4,}/g) ?? []))].slice(0, 60)
    const text = words.join(" ")
    const parameters = words.map((name) => ({ name, description: text }))
    const stuffed = indexedTool(words.join("_").slice(0, 300), text, { title: text, description: text, tags: words, parameters })
    await index.put("stuffed", [stuffed])
    const mount = { toolSet: "stuffed", prefix: "stuffed.org.main", integration: "stuffed", integrationName: words.slice(0, 5).join(" ") }
    const firsts = cases.map(({ query }) => index.search({ query, limit: 1, offset: 0 }, [...mounts, mount]).hits[0]?.mount.integration)
    expect(firsts.filter((integration) => integration === "stuffed").length / cases.length).toBeLessThan(0.03)
  })

  test("a hit that stands out is nearly always the right one", () => {
    const clear = cases
      .map((entry) => ({ entry, hits: catalog.index.search({ query: entry.query, limit: 2, offset: 0 }, catalog.mounts).hits }))
      .filter(({ hits }) => standsOut(hits))
    const right = clear.filter(({ entry, hits }) => entry.tools[`${hits[0]?.mount.integration}.${hits[0]?.name}`] !== undefined)
    expect(clear.length / cases.length).toBeGreaterThan(0.3)
    expect(right.length / clear.length).toBeGreaterThan(0.92)
  })
})

describe("names that follow HTTP", () => {
  test("are told apart by method, number and path", async () => {
    const http = await httpCatalog()
    const asked = httpCases()
    const known = new Set(http.plainTools.map((tool) => tool.path))
    expect(asked.flatMap((entry) => Object.keys(entry.tools)).filter((path) => !known.has(path))).toEqual([])
    const ours = await evaluateQueries(http.find, asked, systemClock)
    expect(ours.ndcg5).toBeGreaterThan(0.95)
    expect(ours.hit1).toBeGreaterThan(0.91)
  })
})

describe("servers of many kinds", () => {
  test("are found by what their tools take and by the kind of a request's values", async () => {
    const mcp = await mcpCatalog()
    const asked = mcpCases()
    const known = new Set(mcp.plainTools.map((tool) => tool.path))
    expect(asked.flatMap((entry) => Object.keys(entry.tools)).filter((path) => !known.has(path))).toEqual([])
    const ours = await evaluateQueries(mcp.find, asked, systemClock)
    expect(ours.ndcg5).toBeGreaterThan(0.71)
    expect(ours.recall5).toBeGreaterThan(0.87)
  })
})
