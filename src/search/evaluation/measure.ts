// Measures how well a search finds what people ask for, on cases that someone has graded.
import type { Evaluation, EvaluationCase } from "../../core/evaluation.ts"
import type { Clock } from "../../io/clock.ts"

/** Paths, best first. */
export type FindPaths = (query: string, limit: number) => readonly string[] | Promise<readonly string[]>

const depth = 5

export async function evaluateQueries(find: FindPaths, cases: readonly EvaluationCase[], clock: Clock): Promise<Evaluation> {
  const times: number[] = []
  const judged: ReturnType<typeof judge>[] = []
  for (const entry of cases) {
    const before = clock.monotonicMs()
    const found = await find(entry.query, depth)
    times.push(clock.monotonicMs() - before)
    judged.push(judge(found.slice(0, depth), entry.tools))
  }
  const sorted = times.toSorted((a, b) => a - b)
  return {
    queries: cases.length,
    ndcg5: mean(judged.map((one) => one.ndcg)),
    recall5: mean(judged.map((one) => one.recall)),
    hit1: mean(judged.map((one) => one.hit)),
    p50Ms: sorted[Math.floor(sorted.length / 2)] ?? 0,
    p99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
  }
}

function judge(found: readonly string[], tools: Readonly<Record<string, number>>): { ndcg: number; recall: number; hit: number } {
  const grades = new Map(Object.entries(tools))
  const best = Math.max(0, ...grades.values())
  const right = [...grades].filter(([, grade]) => grade === best).map(([path]) => path)
  const ideal = [...grades.values()].toSorted((a, b) => b - a).slice(0, depth)
  const reached = right.filter((path) => found.includes(path)).length
  return {
    ndcg: ideal.length === 0 ? 0 : gain(found.map((path) => grades.get(path) ?? 0)) / gain(ideal),
    recall: right.length === 0 ? 0 : reached / Math.min(depth, right.length),
    hit: right.includes(found[0] ?? "") ? 1 : 0,
  }
}

const gain = (grades: readonly number[]): number => grades.reduce((sum, grade, index) => sum + (2 ** grade - 1) / Math.log2(index + 2), 0)

const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length
