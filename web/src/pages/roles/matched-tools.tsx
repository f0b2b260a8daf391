// The tools that the patterns of a role match at this moment, while they are written.
import type { ReactNode } from "react"
import { useQuery } from "@tanstack/react-query"
import { Failure, Skeleton } from "../../ui/states.tsx"
import { Mono } from "../../ui/text/text.tsx"
import { previewQuery } from "./queries.ts"

export function MatchedTools({ patterns }: { readonly patterns: readonly string[] }): ReactNode {
  const preview = useQuery(previewQuery(patterns))
  return (
    <section aria-label="Matched tools" aria-busy={preview.isFetching} className="flex min-w-0 flex-col gap-2">
      <h2 className="text-lg font-semibold">
        {preview.data === undefined
          ? "Matched now"
          : `Matches ${preview.data.count.toLocaleString("en")} ${preview.data.count === 1 ? "tool" : "tools"} now`}
      </h2>
      {preview.error !== null ? (
        <Failure error={preview.error} onRetry={() => void preview.refetch()} />
      ) : preview.data === undefined ? (
        <Skeleton rows={4} />
      ) : preview.data.count === 0 ? (
        <p className="text-secondary">
          {patterns.length === 0 ? "Without a pattern, its people see no tool by this role." : "No tool that you see is matched."}
        </p>
      ) : (
        <ul
          aria-label="Matched tools"
          tabIndex={0}
          className="max-h-[440px] divide-y divide-line overflow-y-auto rounded-card border border-line"
        >
          {preview.data.tools.map((tool) => (
            <li key={tool} className="px-2 py-1">
              <Mono className="break-all">{tool}</Mono>
            </li>
          ))}
        </ul>
      )}
      {preview.data === undefined || preview.data.isComplete ? null : (
        <p className="text-sm text-tertiary">The first {preview.data.tools.length.toLocaleString("en")} of them.</p>
      )}
    </section>
  )
}
