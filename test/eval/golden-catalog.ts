// The catalogs that the golden sets ask about, each integration behind one connection.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { EvaluationCase } from "../../src/core/evaluation.ts"
import type { FindPaths } from "../../src/search/evaluation/measure.ts"
import type { Mount } from "../../src/search/indexed-tool.ts"
import type { PlainTool } from "../../src/search/evaluation/plain-bm25.ts"
import { createSearchIndex } from "../../src/search/search-index.ts"
import type { SearchIndex } from "../../src/search/search-index.ts"
import { demoCatalogs } from "./catalogs.ts"
import type { DemoCatalog } from "./catalogs.ts"
import { httpCatalogs } from "./catalogs-http.ts"
import { mcpCatalogs } from "./catalogs-mcp.ts"
import { githubCatalog } from "./github.ts"

export type GoldenCatalog = {
  readonly index: SearchIndex
  readonly mounts: readonly Mount[]
  /** The golden set names tools by integration and name, without owner and connection. */
  readonly find: FindPaths
  readonly plainTools: readonly PlainTool[]
}

/** GitHub and the demo catalogs. */
export const goldenCatalog = (): Promise<GoldenCatalog> => catalogOf([githubCatalog(), ...demoCatalogs])

/** Catalogs whose names say what a tool does only by methods of HTTP, plurals and paths. */
export const httpCatalog = (): Promise<GoldenCatalog> => catalogOf(httpCatalogs)

/** Catalogs in the style of MCP servers, among which the right server has to be found as well. */
export const mcpCatalog = (): Promise<GoldenCatalog> => catalogOf(mcpCatalogs)

async function catalogOf(catalogs: readonly DemoCatalog[]): Promise<GoldenCatalog> {
  const index = createSearchIndex()
  for (const catalog of catalogs) await index.put(catalog.integration, catalog.tools)
  const mounts = catalogs.map(({ integration, integrationName }) => ({
    toolSet: integration,
    prefix: `${integration}.org.main`,
    integration,
    integrationName,
  }))
  return {
    index,
    mounts,
    find: (query, limit) => index.search({ query, limit, offset: 0 }, mounts).hits.map((hit) => `${hit.mount.integration}.${hit.name}`),
    plainTools: catalogs.flatMap(({ integration, tools }) =>
      tools.map((tool) => ({ path: `${integration}.${tool.name}`, description: `${tool.summary} ${tool.description}` })),
    ),
  }
}

export const goldenCases = (): EvaluationCase[] => casesIn("golden.json")
export const httpCases = (): EvaluationCase[] => casesIn("golden-http.json")
export const mcpCases = (): EvaluationCase[] => casesIn("golden-mcp.json")

function casesIn(file: string): EvaluationCase[] {
  const { cases } = JSON.parse(readFileSync(join(import.meta.dirname, file), "utf8")) as { cases: EvaluationCase[] } // our own file
  return cases
}
