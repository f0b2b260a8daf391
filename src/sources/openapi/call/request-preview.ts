// The request that a call of an OpenAPI tool would send, for the human who is asked about it: without credentials.
import type { RequestPreview } from "../../../core/execution.ts"
import type { PreviewRequest } from "../../source-adapter.ts"
import type { OpenApiConfig } from "../binding.ts"
import { baseOf, planOf } from "./request-plan.ts"
import { buildUrl } from "./request-url.ts"
import { ArgumentProblem } from "./serialize-problem.ts"

export function previewOpenApiRequest({ config, binding, args }: PreviewRequest<OpenApiConfig>): RequestPreview | null {
  const plan = planOf(binding)
  const base = baseOf(config.baseUrl ?? plan.binding.servers[0] ?? "")
  if (base === null) return null
  try {
    // What the config itself puts into the query is secret.
    return { method: plan.binding.method.toUpperCase(), url: buildUrl(plan, { ...base, query: [] }, args, []) }
  } catch (error) {
    if (error instanceof ArgumentProblem) return null
    throw error
  }
}
