// Measures search on somebody's own catalog with their own requests, beside plain BM25 over the same tools.
import { withoutRoot } from "../../core/address.ts"
import type { CatalogEvaluation, EvaluationCase } from "../../core/evaluation.ts"
import type { ExecutorApi } from "../../core/executor-api.ts"
import { systemClock } from "../../io/clock.ts"
import { evaluateQueries } from "./evaluation.ts"
import { plainBm25 } from "./plain-bm25.ts"

const shownHits = 5

/** Paths in the cases may be full or short: `github.org.main.issues.create` or `github.issues.create`. */
export async function evaluateCatalog(
  tools: Pick<ExecutorApi["tools"], "list" | "search">,
  cases: readonly EvaluationCase[],
): Promise<CatalogEvaluation> {
  const views = await tools.list()
  const described = views.map((view) => ({ path: withoutRoot(view.address), description: `${view.title} ${view.description}` }))
  const fullPaths = new Map<string, string>()
  for (const view of views) {
    const short = view.static ? withoutRoot(view.address) : `${view.integration}.${view.name}`
    if (!fullPaths.has(short)) fullPaths.set(short, withoutRoot(view.address))
  }
  const known = new Set(described.map((tool) => tool.path))
  const toFull = (path: string): string => (known.has(withoutRoot(path)) ? withoutRoot(path) : (fullPaths.get(withoutRoot(path)) ?? path))
  const graded = cases.map(({ query, tools: wanted }) => ({
    query,
    tools: Object.fromEntries(Object.entries(wanted).map(([path, grade]) => [toFull(path), grade])),
  }))
  const misses: { query: string; wanted: string[]; found: readonly string[] }[] = []
  const find = async (query: string, limit: number): Promise<readonly string[]> => {
    const { items } = await tools.search({ query, limit })
    return items.map((item) => item.path)
  }
  let asked = 0
  const search = await evaluateQueries(
    async (query, limit) => {
      const found = await find(query, limit)
      const wanted = bestOf(graded[asked])
      asked += 1
      if (!wanted.includes(found[0] ?? "")) misses.push({ query, wanted, found: found.slice(0, shownHits) })
      return found
    },
    graded,
    systemClock,
  )
  return {
    search,
    plainBm25: await evaluateQueries(plainBm25(described), graded, systemClock),
    unknownPaths: [...new Set(graded.flatMap((entry) => Object.keys(entry.tools)))].filter((path) => !known.has(path)),
    misses,
  }
}

function bestOf({ tools }: EvaluationCase = { query: "", tools: {} }): string[] {
  const best = Math.max(...Object.values(tools))
  return Object.keys(tools).filter((path) => tools[path] === best)
}
