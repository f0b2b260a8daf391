// Measures search on somebody's own catalog with their own requests, beside plain BM25 over the same tools.
import { withoutRoot } from "../../core/address.ts"
import type { CatalogEvaluation, EvaluationCase } from "../../core/evaluation.ts"
import type { ToolView } from "../../core/tool.ts"
import { systemClock } from "../../io/clock.ts"
import { inSlices } from "../../io/time-slices.ts"
import { evaluateQueries } from "./measure.ts"
import { plainBm25 } from "./plain-bm25.ts"
import type { PlainTool } from "./plain-bm25.ts"

export type EvaluatedCatalog = {
  list(): Promise<ToolView[]>
  search(query: { readonly query: string; readonly limit: number }): Promise<{ readonly hits: readonly { readonly path: string }[] }>
}

const shownHits = 5

/** Paths in the cases may be full or short: `github.org.main.issues.create` or `github.issues.create`. */
export async function evaluateCatalog(
  catalog: EvaluatedCatalog,
  cases: readonly EvaluationCase[],
  signal?: AbortSignal,
): Promise<CatalogEvaluation> {
  const paths = await inSlices(readPaths(await catalog.list()), signal)
  const { graded, unknownPaths } = await inSlices(readCases(cases, paths), signal)
  const misses: { query: string; wanted: string[]; found: readonly string[] }[] = []
  let asked = 0
  const find = async (query: string, limit: number): Promise<readonly string[]> => {
    signal?.throwIfAborted()
    const found = (await catalog.search({ query, limit })).hits.map((hit) => hit.path)
    const wanted = bestOf(graded[asked])
    asked += 1
    if (!wanted.includes(found[0] ?? "")) misses.push({ query, wanted, found: found.slice(0, shownHits) })
    return found
  }
  const search = await evaluateQueries(find, graded, systemClock)
  const plain = await evaluateQueries(await plainBm25(paths.described, signal), graded, systemClock)
  return { search, plainBm25: plain, unknownPaths, misses }
}

type Paths = { readonly described: readonly PlainTool[]; readonly full: ReadonlyMap<string, string> }

/** `full`: the full path of every path that a case may name. */
function* readPaths(views: readonly ToolView[]): Generator<void, Paths> {
  const described: PlainTool[] = []
  const full = new Map<string, string>()
  for (const view of views) {
    const path = withoutRoot(view.address)
    described.push({ path, description: `${view.title} ${view.description}` })
    const short = view.static ? path : `${view.integration}.${view.name}`
    if (!full.has(short)) full.set(short, path)
    yield
  }
  for (const { path } of described) {
    full.set(path, path)
    yield
  }
  return { described, full }
}

type Cases = { readonly graded: readonly EvaluationCase[]; readonly unknownPaths: readonly string[] }

function* readCases(cases: readonly EvaluationCase[], { full }: Paths): Generator<void, Cases> {
  const graded: EvaluationCase[] = []
  const unknown = new Set<string>()
  for (const { query, tools } of cases) {
    const grades = Object.entries(tools).map(([path, grade]) => {
      const known = full.get(withoutRoot(path))
      if (known === undefined) unknown.add(path)
      return [known ?? path, grade] as const
    })
    graded.push({ query, tools: Object.fromEntries(grades) })
    yield
  }
  return { graded, unknownPaths: [...unknown] }
}

function bestOf({ tools }: EvaluationCase = { query: "", tools: {} }): string[] {
  const best = Math.max(...Object.values(tools))
  return Object.keys(tools).filter((path) => tools[path] === best)
}
