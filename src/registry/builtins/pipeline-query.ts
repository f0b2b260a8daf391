// The port of retrieval pipelines.
import type { Scope } from "../../core/principal.ts"
import type { ToolResult } from "../../core/result.ts"
import type { PipelineFilter } from "../../core/retrieval/pipeline.ts"

export interface PipelineQuery {
  /** Null when the scope has no such pipeline. */
  query(scope: Scope, request: PipelineRequest): Promise<ToolResult | null>
}

export type PipelineRequest = {
  readonly pipelineId: string
  readonly query: string
  /** Null: five. */
  readonly topK: number | null
  readonly filter: PipelineFilter | null
  readonly signal: AbortSignal
  readonly timeoutMs: number
}
