// Opens retrieval: its parts, the work in the background, and what tools ask.
import { ExecutorError } from "../core/errors.ts"
import { fail, succeed } from "../core/result.ts"
import type { ToolResult } from "../core/result.ts"
import type { Models } from "../models/model.ts"
import type { PipelineQuery, PipelineRequest } from "../registry/builtins/pipeline-query.ts"
import { createWebPages } from "../registry/builtins/web-fetch/pages.ts"
import type { RegistryReferences } from "../registry/parts.ts"
import { noEmbedders } from "./embedder.ts"
import { startIndexer } from "./indexer.ts"
import type { IndexerParts } from "./index-work.ts"
import { modelEmbedders } from "./model-embedder.ts"
import type { RetrievalParts } from "./parts.ts"
import { lookUpPipeline } from "./pipelines.ts"
import { queryPipeline } from "./query.ts"
import { createToolMeaning } from "./tool-meaning/tool-meaning.ts"
import type { ToolMeaningSearch } from "./tool-meaning/tool-meaning.ts"
import { createVectorSearch } from "./vectors/vector-search.ts"
import { createVectorThread } from "./vectors/vector-thread.ts"

export type Retrieval = {
  readonly parts: RetrievalParts
  readonly pipelines: PipelineQuery
  readonly toolMeaning: ToolMeaningSearch
  close(): Promise<void>
}

export function openRetrieval({ models, ...given }: Omit<IndexerParts, "embedders"> & { readonly models: Models }): Retrieval {
  const pages = createWebPages()
  const vectors = createVectorSearch(given)
  const embedders = modelEmbedders(models)
  const toolMeaning = createToolMeaning({ ...given, embedders, thread: createVectorThread() })
  const indexer = startIndexer({ ...given, embedders })
  const parts: RetrievalParts = { ...given, embedders, vectors, pages, wake: () => indexer.wake() }
  return {
    parts,
    pipelines: pipelineCalls(parts),
    toolMeaning,
    async close() {
      await toolMeaning.close()
      await indexer.stop()
      await vectors.close()
      await pages.close()
    },
  }
}

/** Without work in the background: nothing has vectors. */
export const idleRetrieval = (given: Pick<RetrievalParts, "store" | "limits" | "clock" | "log">): RetrievalParts => ({
  ...given,
  embedders: noEmbedders,
  vectors: createVectorSearch(given),
  pages: createWebPages(),
  wake: () => {},
})

/** Vectors of tools, where nothing makes any. */
export const idleToolMeaning = (given: Pick<RetrievalParts, "store" | "limits" | "clock" | "log">): ToolMeaningSearch =>
  createToolMeaning({ ...given, embedders: noEmbedders, thread: createVectorThread() })

/** For tools, to which everything is a result. */
export const pipelineCalls = (parts: RetrievalParts): PipelineQuery => ({
  async query(scope, { timeoutMs, signal: given, ...request }) {
    const signal = AbortSignal.any([given, AbortSignal.timeout(timeoutMs)])
    try {
      const answer = await queryPipeline(scope, request.pipelineId, questionOf(request), signal, parts)
      return answer === null ? null : succeed(answer)
    } catch (error) {
      return toFailure(error, given, signal)
    }
  },
})

const questionOf = ({ query, topK, filter }: Pick<PipelineRequest, "query" | "topK" | "filter">) => ({
  query,
  ...(topK === null ? {} : { topK }),
  ...(filter === null ? {} : { filter }),
})

function toFailure(error: unknown, given: AbortSignal, signal: AbortSignal): ToolResult {
  if (error instanceof ExecutorError) return fail(error.code === "invalid_request" ? "invalid_arguments" : error.code, error.message)
  if (given.aborted) return fail("timeout", "The call was cancelled", { retryable: false })
  if (signal.aborted) return fail("timeout", "The pipeline did not answer in time; ask for less, or again")
  throw error
}

export const pipelineExists: RegistryReferences["hasPipeline"] = async (scope, id, store) =>
  (await lookUpPipeline(scope, id, store)) !== null
