// `builtin.retrieval_pipeline`: asks a retrieval pipeline of the tenant.
import { fail } from "../../core/result.ts"
import { input, toBuiltin } from "./builtin.ts"
import type { BuiltinParts, BuiltinTool } from "./builtin.ts"

export const retrievalPipelineTool = ({ pipelines }: Pick<BuiltinParts, "pipelines">): BuiltinTool =>
  toBuiltin({
    key: "retrieval_pipeline",
    description:
      "Search the documents of a retrieval pipeline of your organization and get the passages nearest in meaning to a query, best first.",
    effect: "read",
    input: input(
      {
        pipeline_id: { type: "string", minLength: 1, maxLength: 200, description: "The id of the pipeline." },
        query: { type: "string", minLength: 1, maxLength: 10_000, description: "What to look for, in plain words." },
        top_k: { type: "integer", minimum: 1, maximum: 100, description: "How many passages to return at most." },
      },
      ["pipeline_id", "query"],
    ),
    output: {
      type: "object",
      properties: {
        results: {
          type: "array",
          items: { type: "object", properties: { text: { type: "string" }, score: { type: "number" }, metadata: { type: "object" } } },
        },
      },
    },
    async call({ principal, args, signal, timeoutMs }) {
      const pipelineId = String(args["pipeline_id"])
      const topK = typeof args["top_k"] === "number" ? args["top_k"] : null
      const answer = pipelines.query(principal, { pipelineId, query: String(args["query"]), topK, signal, timeoutMs })
      return answer ?? fail("not_found", `There is no retrieval pipeline '${pipelineId}' in your organization; check its id`)
    },
  })
