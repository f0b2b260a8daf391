// The head of a section: what it is for, and what is added to it.
import type { ReactNode } from "react"
import { Empty, Failure, Skeleton } from "../../ui/states.tsx"

type SectionProps = {
  readonly about: string
  readonly action: ReactNode
  /** Null: the person may see it. */
  readonly refused: { readonly title: string; readonly text: string } | null
  readonly error: Error | null
  readonly isLoading: boolean
  readonly onRetry: () => void
  readonly children: ReactNode
}

export const Section = ({ about, action, refused, error, isLoading, onRetry, children }: SectionProps): ReactNode => (
  <div className="flex max-w-4xl flex-col gap-4">
    <div className="flex flex-wrap items-center justify-between gap-2">
      <p className="max-w-2xl text-secondary">{about}</p>
      {action}
    </div>
    {refused !== null ? (
      <Empty title={refused.title}>{refused.text}</Empty>
    ) : error !== null ? (
      <Failure error={error} onRetry={onRetry} />
    ) : isLoading ? (
      <Skeleton rows={3} />
    ) : (
      children
    )}
  </div>
)
