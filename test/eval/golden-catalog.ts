// The catalog that the golden set asks about: GitHub and the demo catalogs, each behind one connection.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { EvaluationCase } from "../../src/core/evaluation.ts"
import type { FindPaths } from "../../src/catalog/search/evaluation.ts"
import type { Mount } from "../../src/catalog/search/indexed-tool.ts"
import type { PlainTool } from "../../src/catalog/search/plain-bm25.ts"
import { createSearchIndex } from "../../src/catalog/search/search-index.ts"
import type { SearchIndex } from "../../src/catalog/search/search-index.ts"
import { demoCatalogs } from "./catalogs.ts"
import { githubCatalog } from "./github.ts"

export type GoldenCatalog = {
  readonly index: SearchIndex
  readonly mounts: readonly Mount[]
  /** The golden set names tools by integration and name, without owner and connection. */
  readonly find: FindPaths
  readonly plainTools: readonly PlainTool[]
}

export async function goldenCatalog(): Promise<GoldenCatalog> {
  const catalogs = [githubCatalog(), ...demoCatalogs]
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

export function goldenCases(): EvaluationCase[] {
  const { cases } = JSON.parse(readFileSync(join(import.meta.dirname, "golden.json"), "utf8")) as { cases: EvaluationCase[] } // our own file
  return cases
}
