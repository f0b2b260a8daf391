// What learning from use is worth on a simulated journal of our golden set: the same requests again, and others.
import type { EvaluationCase } from "../src/core/evaluation.ts"
import { preferenceOf, toolKey } from "../src/catalog/search-use/preference.ts"
import type { SearchUse } from "../src/catalog/search-use/preference.ts"
import { subjectsOf } from "../src/search/search.ts"
import { goldenCases, goldenCatalog } from "../test/eval/golden-catalog.ts"
import { table } from "./measure.ts"

const people = 20
/** What one person alone called counts for nobody else. */
const askedBy = 3
/** One of so many calls the first hit, whatever they needed. */
const carelessEvery = 5
const blockHits = 24
const reader = "person0"

const { index, mounts } = await goldenCatalog()
const cases = goldenCases()
const made = cases.filter((_, at) => at % 2 === 0)
const others = cases.filter((_, at) => at % 2 === 1)
const journal = Array.from({ length: askedBy }, (_, asking) => made.map((entry, at) => useOf(entry, at * askedBy + asking))).flat()
const rows: string[][] = []
for (const [name, asked] of [["the same requests again", made] as const, ["the other half", others] as const]) {
  rows.push([name, "without", ...scores(asked, [])], ["", "learned", ...scores(asked, journal)])
}
table(["golden set", "order", "requests", "first hit right", "right in the first five"], rows)

function hitsOf(query: string, uses: readonly SearchUse[]): string[] {
  const preference = preferenceOf(query, reader, uses)
  const { hits } = index.search({ query, limit: blockHits, offset: 0 }, mounts)
  const raised = hits.map((hit) => ({
    key: toolKey(hit.path),
    worth: hit.score === 1 ? 1 : Math.min(0.999, hit.score * preference(hit.path)),
  }))
  return raised.toSorted((a, b) => b.worth - a.worth).map(({ key }) => key)
}

function useOf({ query, tools }: EvaluationCase, at: number): SearchUse {
  const found = hitsOf(query, [])
  const needed = Object.keys(tools).filter((path) => found.includes(path))
  const called = at % carelessEvery === 0 ? found.slice(0, 1) : needed
  return { user: `person${at % people}`, words: new Set(subjectsOf(query)), tools: called }
}

function scores(asked: readonly EvaluationCase[], uses: readonly SearchUse[]): string[] {
  let first = 0
  let found = 0
  for (const { query, tools } of asked) {
    const wanted = Object.keys(tools)
    const top = hitsOf(query, uses).slice(0, 5)
    first += wanted.includes(top[0] ?? "") ? 1 : 0
    found += wanted.filter((path) => top.includes(path)).length / wanted.length
  }
  return [String(asked.length), (first / asked.length).toFixed(3), (found / asked.length).toFixed(3)]
}
