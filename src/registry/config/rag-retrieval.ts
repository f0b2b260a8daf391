// The config of a tool that queries a retrieval pipeline.
import { ExecutorError } from "../../core/errors.ts"
import { isRecord } from "../../core/json/record.ts"
import type { ToolSchemas } from "../../core/registry/tool.ts"
import type { ConfigCheck } from "./context.ts"
import { refuseUnknown, requireText, wrong } from "./fields.ts"

export const checkRagRetrieval: ConfigCheck = async (config, { scope, schema, store, parts: { references, limits } }) => {
  refuseUnknown(config, "rag_retrieval", ["pipeline_id", "top_k"])
  const id = requireText(config, "pipeline_id", "write the id of a retrieval pipeline of this tenant")
  if (!(await references.hasPipeline(scope, id, store)))
    throw new ExecutorError(
      "invalid_request",
      `This tenant has no retrieval pipeline '${id.slice(0, 80)}': make one with POST /pipelines, or name one of your own in implementationConfig.pipeline_id`,
    )
  const { top_k: topK } = config
  const topKMax = limits.pipelineTopKMax
  if (topK !== undefined && !(Number.isInteger(topK) && Number(topK) >= 1 && Number(topK) <= topKMax))
    throw wrong("top_k", `must be an integer from 1 to ${topKMax}`)
  return withQuery(schema)
}

/** `query` is there and required, whatever else the schema says. */
export function withQuery(schema: ToolSchemas): ToolSchemas {
  const { input } = schema
  const properties = isRecord(input["properties"]) ? input["properties"] : {}
  const required = Array.isArray(input["required"]) ? (input["required"] as unknown[]) : []
  const query = isRecord(properties["query"]) ? properties["query"] : { type: "string", description: "What to look for." }
  return {
    ...schema,
    input: { ...input, type: "object", properties: { ...properties, query }, required: [...new Set([...required, "query"])] },
  }
}
