// How well search finds the right tools: the graded cases that users write, and the measurements.
import { ExecutorError } from "./errors.ts"

/** A request and the paths that answer it: 2 for the right tool, 1 for an acceptable one. A request for several things has several right ones. */
export type EvaluationCase = { readonly query: string; readonly tools: Readonly<Record<string, number>> }

export type Evaluation = {
  readonly queries: number
  /** How good the first five results are and how well they are ordered, from 0 to 1. */
  readonly ndcg5: number
  /** The share of right tools among the first five results. */
  readonly recall5: number
  /** How often the first result is right. */
  readonly hit1: number
  readonly p50Ms: number
  readonly p99Ms: number
}

export type CatalogEvaluation = {
  readonly search: Evaluation
  /** The baseline: textbook BM25 over path and description, in the same run. */
  readonly plainBm25: Evaluation
  /** Paths in the cases that are not in the catalog and can never be found. */
  readonly unknownPaths: readonly string[]
  /** Requests whose first result is wrong. */
  readonly misses: readonly { readonly query: string; readonly wanted: readonly string[]; readonly found: readonly string[] }[]
}

/** A JSON array of cases, `{ "cases": [...] }`, or one case per line; `tools` maps paths to grades (2 right, 1 acceptable) or lists the right paths. */
export function parseEvaluationCases(text: string): EvaluationCase[] {
  const cases = readValues(text).map(readCase)
  if (cases.length === 0) throw new ExecutorError("invalid_request", `There are no cases. ${caseForm}`)
  return cases
}

const gradeMax = 10
const caseForm = 'A case is { "query": "create an issue", "tools": { "github.issues.create": 2 } }'

function readValues(text: string): readonly unknown[] {
  const whole = parse(text)
  if (Array.isArray(whole)) return whole as unknown[]
  if (typeof whole === "object" && whole !== null && "cases" in whole && Array.isArray(whole.cases)) return whole.cases as unknown[]
  return text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map(parse)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function readCase(value: unknown, index: number): EvaluationCase {
  const wrong = new ExecutorError("invalid_request", `Case ${index + 1} cannot be read. ${caseForm}`)
  if (typeof value !== "object" || value === null || !("query" in value) || !("tools" in value)) throw wrong
  const { query, tools } = value
  if (typeof query !== "string" || query.trim() === "" || typeof tools !== "object" || tools === null) throw wrong
  const grades = Array.isArray(tools) ? tools.map((path: unknown) => [path, 2] as const) : Object.entries(tools)
  const isGraded =
    grades.length > 0 &&
    grades.every(([path, grade]) => typeof path === "string" && Number.isFinite(grade) && Number(grade) > 0 && Number(grade) <= gradeMax)
  if (!isGraded) throw wrong
  return { query, tools: Object.fromEntries(grades) as Record<string, number> } // just checked
}
