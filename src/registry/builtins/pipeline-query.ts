// The port of retrieval pipelines, and what answers where there are none.
import type { Scope } from "../../core/principal.ts"
import type { ToolResult } from "../../core/result.ts"

export interface PipelineQuery {
  /** Null when the scope has no such pipeline. */
  query(scope: Scope, request: PipelineRequest): Promise<ToolResult> | null
}

export type PipelineRequest = {
  readonly pipelineId: string
  readonly query: string
  /** Null: as the pipeline says. */
  readonly topK: number | null
  readonly signal: AbortSignal
  readonly timeoutMs: number
}

export const noPipelines: PipelineQuery = { query: () => null }
