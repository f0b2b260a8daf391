// Measures how well search finds the tools of this catalog, for admins.
import type { CatalogEvaluation, EvaluationCase } from "../../core/evaluation.ts"
import { requireAdmin } from "../../core/principal.ts"
import type { Principal } from "../../core/principal.ts"
import type { ToolView } from "../../core/tool.ts"
import { evaluateCatalog } from "../../search/search.ts"
import type { EvaluatedCatalog } from "../../search/search.ts"
import { listTools } from "./list.ts"
import type { ToolListParts } from "./list.ts"

type EvaluationParts = ToolListParts

export async function evaluateTools(
  principal: Principal,
  cases: readonly EvaluationCase[],
  search: EvaluatedCatalog["search"],
  parts: EvaluationParts,
  signal?: AbortSignal,
): Promise<CatalogEvaluation> {
  requireAdmin(principal, "measure search")
  const list = async (): Promise<ToolView[]> =>
    (await listTools(principal, { includeBlocked: false }, signal === undefined ? {} : { signal }, parts)).filter(isFound)
  return evaluateCatalog({ list, search }, cases, signal)
}

/** What production does not resolve is not searched. */
const isFound = ({ status, isActive }: ToolView): boolean => isActive !== false && (status === "published" || status === "deprecated")
