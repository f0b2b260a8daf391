// Measures how well search finds the tools of this catalog, for admins.
import type { CatalogEvaluation, EvaluationCase } from "../../core/evaluation.ts"
import { requireAdmin } from "../../core/principal.ts"
import type { Principal } from "../../core/principal.ts"
import { evaluateCatalog } from "../../search/search.ts"
import type { EvaluatedCatalog } from "../../search/search.ts"
import { listTools } from "./list.ts"

type EvaluationParts = Parameters<typeof listTools>[2]

export async function evaluateTools(
  principal: Principal,
  cases: readonly EvaluationCase[],
  search: EvaluatedCatalog["search"],
  parts: EvaluationParts,
  signal?: AbortSignal,
): Promise<CatalogEvaluation> {
  requireAdmin(principal, "measure search")
  return evaluateCatalog({ list: () => listTools(principal, { includeBlocked: false }, parts, signal), search }, cases, signal)
}
