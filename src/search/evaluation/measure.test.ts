// Checks the measures by cases that can be worked out by hand.
import { expect, test } from "vitest"
import { evaluateQueries } from "./measure.ts"
import { plainBm25 } from "./plain-bm25.ts"
import { standsOut } from "../stands-out.ts"
import type { SearchHit } from "../indexed-tool.ts"

const clock = { now: () => new Date(0), monotonicMs: () => 0 }
const answering =
  (...paths: string[]): (() => string[]) =>
  () =>
    paths

test("a perfect answer scores one, an empty one zero", async () => {
  const cases = [{ query: "q", tools: { a: 2, b: 1 } }]
  expect(await evaluateQueries(answering("a", "b"), cases, clock)).toMatchObject({ queries: 1, ndcg5: 1, recall5: 1, hit1: 1 })
  expect(await evaluateQueries(answering(), cases, clock)).toMatchObject({ ndcg5: 0, recall5: 0, hit1: 0 })
  expect(await evaluateQueries(answering("a"), [], clock)).toMatchObject({ queries: 0, ndcg5: 0 })
})

test("grades, order and depth count", async () => {
  const cases = [{ query: "q", tools: { a: 2, b: 1 } }]
  const swapped = await evaluateQueries(answering("b", "a"), cases, clock)
  expect(swapped.ndcg5).toBeCloseTo((1 + 3 / Math.log2(3)) / (3 + 1 / Math.log2(3)))
  expect(swapped.hit1).toBe(0)
  expect(await evaluateQueries(answering("1", "2", "3", "4", "5", "a"), cases, clock)).toHaveProperty("recall5", 0)
  expect(await evaluateQueries(answering("a"), [{ query: "q", tools: { a: 2, b: 2 } }], clock)).toHaveProperty("recall5", 0.5)
})

test("plain BM25 finds by stemmed words of path and description", async () => {
  const find = await plainBm25([
    { path: "issues.create", description: "Create an issue" },
    { path: "issues.list", description: "List issues" },
    { path: "repos.get", description: "Get a repository" },
  ])
  expect(await find("creating an issue", 5)).toEqual(["issues.create", "issues.list"])
  expect(await find("zebra", 5)).toEqual([])
})

test("only a clear first hit stands out", () => {
  const hits = (...scores: number[]): SearchHit[] => scores.map((score) => ({ score }) as SearchHit) // nothing else is read
  expect(standsOut(hits(0.8, 0.5))).toBe(true)
  expect(standsOut(hits(0.8))).toBe(true)
  expect(standsOut(hits(1, 0.95))).toBe(true)
  expect(standsOut(hits(1, 1))).toBe(false)
  expect(standsOut(hits(0.8, 0.7))).toBe(false)
  expect(standsOut(hits(0.3, 0.1))).toBe(false)
  expect(standsOut([])).toBe(false)
})
