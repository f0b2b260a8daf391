// How many tools there are of each bucket, in one row; each of them is a filter.
import type { ReactNode } from "react"
import type { ToolSummary } from "toolplane/client"
import { TOOL_BUCKETS } from "toolplane/tool-types"

type BucketsProps = {
  /** Undefined while it is being counted. */
  readonly counts: ToolSummary | undefined
  readonly chosen: string | undefined
  readonly onChoose: (bucket: string | undefined) => void
}

export const Buckets = ({ counts, chosen, onChoose }: BucketsProps): ReactNode => (
  <div
    role="group"
    aria-label="Bucket"
    className="flex max-w-full shrink-0 gap-1 overflow-x-auto rounded-card border border-line bg-surface p-1"
  >
    <Bucket label="All" count={counts?.total} isChosen={chosen === undefined} onChoose={() => onChoose(undefined)} />
    {TOOL_BUCKETS.map(({ id, label, description }) => (
      <Bucket
        key={id}
        label={label}
        title={description}
        count={counts?.buckets[id]}
        isChosen={chosen === id}
        onChoose={() => onChoose(id)}
      />
    ))}
  </div>
)

type BucketProps = {
  readonly label: string
  readonly title?: string
  readonly count: number | undefined
  readonly isChosen: boolean
  readonly onChoose: () => void
}

const Bucket = ({ label, title, count, isChosen, onChoose }: BucketProps): ReactNode => (
  <button
    type="button"
    aria-pressed={isChosen}
    title={title}
    onClick={onChoose}
    className={`control-height flex flex-1 items-center justify-between gap-2 rounded-control px-2.5 whitespace-nowrap ${isChosen ? "bg-raised font-medium text-text shadow-sm outline-1 outline-line" : "text-secondary hover:bg-hover"}`}
  >
    <span>{label}</span> <span className="tabular text-tertiary">{count === undefined ? "–" : count.toLocaleString("en")}</span>
  </button>
)
