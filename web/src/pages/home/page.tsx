// Home: what waits, what is wrong, what ran, and the first steps until they are done.
import type { ReactNode } from "react"
import { Link } from "@tanstack/react-router"
import { useQuery } from "@tanstack/react-query"
import { client } from "../../api/client.ts"
import { waitingQuery } from "../../api/waiting.ts"
import { lazily } from "../../ui/lazily.tsx"
import { PageFrame } from "../../ui/page.tsx"
import { Failure, Skeleton } from "../../ui/states.tsx"
import { Line } from "../../ui/text/text.tsx"
import { Time } from "../../ui/text/time.tsx"
import { ExecutionStatusBadge, Who } from "../executions/status.tsx"
import { summaryOf } from "../executions/summary.ts"

/** What waits and what ran need not wait for these. */
const NeedsAttention = lazily(() => import("./needs-attention.tsx").then((part) => part.NeedsAttention), 2)
const FirstSteps = lazily(() => import("./first-steps.tsx").then((part) => part.FirstSteps), 4)

const ranMax = 8

export const Page = (): ReactNode => (
  <PageFrame title="Home">
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6 min-[900px]:grid-cols-[repeat(2,minmax(0,1fr))]">
      <div className="flex flex-col gap-6">
        <Waiting />
        <Ran />
      </div>
      <div className="flex flex-col gap-6">
        <NeedsAttention />
        <FirstSteps />
      </div>
    </div>
  </PageFrame>
)

export const Section = ({ title, children }: { readonly title: string; readonly children: ReactNode }): ReactNode => (
  <section aria-label={title} className="flex flex-col gap-2">
    <h2 className="text-lg font-semibold">{title}</h2>
    {children}
  </section>
)

function Waiting(): ReactNode {
  const { data, error, refetch } = useQuery(waitingQuery)
  return (
    <Section title="Waits for you">
      {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
      {data === undefined ? null : data.count === 0 ? (
        <p className="text-secondary">Nothing waits for you.</p>
      ) : (
        <Link to="/inbox" className="tint-waiting rounded-card px-3 py-2 font-medium no-underline">
          {data.isMore ? `${data.count}+ calls wait` : data.count === 1 ? "1 call waits" : `${data.count} calls wait`} for your answer
        </Link>
      )}
    </Section>
  )
}

function Ran(): ReactNode {
  const { data, error, refetch } = useQuery({ queryKey: ["executions", "home"], queryFn: () => client.executions.list({ limit: ranMax }) })
  return (
    <Section title="What ran">
      {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null ? <Skeleton rows={4} /> : null}
      {data?.items.length === 0 ? <p className="text-secondary">Nothing has run yet.</p> : null}
      <ul className="divide-y divide-line rounded-card border border-line empty:hidden">
        {data?.items.map(({ executionId, status, principal, createdAt, code, program }) => (
          <li key={executionId}>
            <Link
              to="/executions/$id"
              params={{ id: executionId }}
              className="flex items-center gap-3 px-3 py-1.5 text-text no-underline hover:bg-hover"
            >
              <span className="w-24 shrink-0">
                <ExecutionStatusBadge status={status} />
              </span>
              <span className="min-w-0 flex-1 truncate font-mono text-sm">
                <Line>{summaryOf({ code, program })}</Line>
              </span>
              <span className="hidden text-secondary min-[900px]:inline">
                <Who principal={principal} />
              </span>
              <span className="text-tertiary">
                <Time at={createdAt} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  )
}
