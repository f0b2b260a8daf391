// A tool that queries a retrieval pipeline.
import { fail } from "../../../core/result.ts"
import { readFilter } from "../../../core/retrieval/filter-args.ts"
import { textOf } from "./typed-call.ts"
import type { PerformCall } from "./typed-call.ts"

export const callRagRetrieval: PerformCall = async ({ plan, implementation, request, timeoutMs }, { pipelines }) => {
  const { args, signal, connection } = request
  const pipelineId = textOf(implementation, "pipeline_id")
  const topK = args["top_k"] ?? implementation["top_k"]
  const answer = await pipelines.query(connection.scope, {
    pipelineId,
    query: typeof args["query"] === "string" ? args["query"] : "",
    topK: typeof topK === "number" ? topK : null,
    filter: readFilter(args["filter"]),
    signal,
    timeoutMs,
  })
  return (
    answer ??
    fail(
      "not_found",
      `registry.${plan.binding.slug} queries the retrieval pipeline '${pipelineId.slice(0, 80)}', which this tenant does not have: whoever maintains the tool has to give it another one`,
    )
  )
}
