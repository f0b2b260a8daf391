// How far the index of a pipeline is: ready, under way, or failing with its reason.
import type { ReactNode } from "react"
import type { PipelineView } from "toolplane/client"
import { Status } from "../../ui/badge.tsx"
import { safeText } from "../../ui/text/text.tsx"
import { counted, isIndexing } from "./queries.ts"

export function IndexStatus({ pipeline }: { readonly pipeline: PipelineView }): ReactNode {
  const { error, rebuild, vectorsLeft } = pipeline.index
  if (!isIndexing(pipeline)) return <Status tone="ok">Ready</Status>
  if (error !== null) return <Status tone="warn">Indexing fails</Status>
  const left = (rebuild?.documentsLeft ?? 0) > 0 ? counted(rebuild?.documentsLeft ?? 0, "document") : counted(vectorsLeft, "vector")
  return <Status tone="info">Indexing, {left} left</Status>
}

/** What it means for those who ask meanwhile. Nothing while the index is complete. */
export function IndexProgress({ pipeline }: { readonly pipeline: PipelineView }): ReactNode {
  const { error, rebuild, vectorsLeft } = pipeline.index
  return (
    <div role="status" className="flex flex-col gap-2 not-empty:pb-3">
      {isIndexing(pipeline) ? (
        <div className="tint-info flex flex-col gap-1 rounded-control px-3 py-2">
          <span className="font-medium">
            {rebuild === null ? "Vectors are being made" : "A new index is being built"}:{" "}
            {[
              ...(rebuild === null ? [] : [`${counted(rebuild.documentsLeft, "document")} left`]),
              ...(pipeline.embedding === null ? [] : [`${counted(vectorsLeft, "vector")} left`]),
            ].join(", ")}
          </span>
          <span>
            {rebuild === null
              ? "Until then, chunks without a vector are found by their words alone."
              : "Answers come from the old index until it is done."}
          </span>
        </div>
      ) : null}
      {isIndexing(pipeline) && error !== null ? (
        <div className="tint-warn stranger rounded-control px-3 py-2 break-words">
          <span className="font-medium">The last attempt failed, and is repeated:</span> {safeText(error)}
        </div>
      ) : null}
    </div>
  )
}
