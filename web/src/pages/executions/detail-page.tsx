// One execution: its timeline, its code, and the details of what is selected.
import type { ReactNode } from "react"
import { Link, useParams } from "@tanstack/react-router"
import { useQuery } from "@tanstack/react-query"
import type { CallDetail, ExecutionView } from "toolplane/client"
import { useFilters } from "../../app/search.ts"
import { LinkButton } from "../../ui/button.tsx"
import { CodeLines } from "../../ui/text/code-lines.tsx"
import type { LineMark } from "../../ui/text/code-lines.tsx"
import { CopyButton } from "../../ui/text/copy.tsx"
import { PageFrame } from "../../ui/page.tsx"
import { Failure, Skeleton } from "../../ui/states.tsx"
import { Mono, Prose } from "../../ui/text/text.tsx"
import { Time, duration, useNow } from "../../ui/text/time.tsx"
import { CallDetails } from "./call-details.tsx"
import { CancelButton } from "./cancel.tsx"
import { Outcome } from "./outcome.tsx"
import { executionQuery, isEnded, useCalls, useFollow } from "./queries.ts"
import { ExecutionStatusBadge, Who } from "./status.tsx"
import { lengthOf, pausesOf } from "./timeline/axis.ts"
import { segmentsOf } from "./timeline/segments.ts"
import { Timeline } from "./timeline/timeline.tsx"

export function DetailPage(): ReactNode {
  const { id } = useParams({ from: "/executions/$id" })
  const { data, error, refetch } = useQuery(executionQuery(id))
  if (data !== undefined) return <Execution key={id} execution={data} />
  return (
    <PageFrame title="Execution" note={<Mono>{id}</Mono>} actions={<LinkButton to="/executions">All executions</LinkButton>}>
      {error === null ? <Skeleton rows={10} /> : <Failure error={error} onRetry={() => void refetch()} />}
    </PageFrame>
  )
}

const drawMs = 250

function Execution({ execution }: { readonly execution: ExecutionView }): ReactNode {
  const { executionId: id, status } = execution
  const [{ call: key = "", tab, view }, set] = useFilters<"call" | "tab" | "view">()
  const { data, error, refetch } = useCalls(id, status)
  const live = useFollow(id, status === "running")
  const now = useNow(drawMs, !isEnded(status))
  const calls = data?.all ?? []
  const end = Math.max(execution.endedAt === null ? now : Date.parse(execution.endedAt), Date.parse(execution.createdAt))
  const selected = calls.find((call) => call.key === key)
  const onTab = (next: string): void => set({ tab: next })
  return (
    <PageFrame
      title="Execution"
      note={
        <span className="inline-flex flex-wrap items-center gap-1">
          <Mono>{id}</Mono>
          <CopyButton text={id} label="Copy the id" />
          <ExecutionStatusBadge status={status} />
        </span>
      }
      actions={
        <>
          {execution.program === "code" ? (
            <LinkButton to="/playground" search={{ from: id }}>
              Open in playground
            </LinkButton>
          ) : null}
          <CancelButton execution={execution} />
        </>
      }
    >
      <About execution={execution} calls={calls} end={end} />
      <div className="grid gap-4 min-[1200px]:min-h-0 min-[1200px]:flex-1 min-[1200px]:grid-cols-[minmax(0,1fr)_360px] min-[1500px]:grid-cols-[minmax(0,1fr)_440px]">
        <div className="flex min-h-0 min-w-0 flex-col gap-4">
          {error !== null && data === undefined ? (
            <Failure error={error} onRetry={() => void refetch()} />
          ) : data === undefined ? (
            <Skeleton rows={8} />
          ) : (
            <Timeline
              execution={execution}
              calls={calls}
              isMore={data.isMore}
              end={end}
              selected={selected?.key ?? ""}
              onSelect={(next) => set({ call: next })}
              isTable={view === "table"}
              onTable={(isTable) => set({ view: isTable ? "table" : "" })}
            />
          )}
          <Program execution={execution} call={selected} />
        </div>
        <section aria-label="Details" className="-m-1 flex min-w-0 flex-col gap-3 p-1 min-[1200px]:overflow-y-auto">
          {selected === undefined ? (
            <Outcome execution={execution} live={live} tab={tab} onTab={onTab} />
          ) : (
            <CallDetails call={selected} isEnded={isEnded(status)} tab={tab} onTab={onTab} />
          )}
        </section>
      </div>
    </PageFrame>
  )
}

type AboutProps = { readonly execution: ExecutionView; readonly calls: readonly CallDetail[]; readonly end: number }

function About({ execution, calls, end }: AboutProps): ReactNode {
  const { createdAt, principal, mode, parentId } = execution
  const waiting = lengthOf(pausesOf(calls.flatMap((call) => segmentsOf(call, end))))
  const active = Math.max(0, end - Date.parse(createdAt) - waiting)
  return (
    <p className="flex flex-wrap gap-x-3 text-secondary">
      <Link to="/executions">All executions</Link>
      <span>
        By <Who principal={principal} />
      </span>
      <span>
        Started <Time at={createdAt} />
      </span>
      <span className="tabular">
        {duration(active)} active{waiting === 0 ? "" : `, ${duration(waiting)} waiting`}
      </span>
      {mode === "debug" ? <span className="text-warn">Debug mode</span> : null}
      {parentId === undefined ? null : (
        <Link to="/executions/$id" params={{ id: parentId }}>
          Called by {parentId}
        </Link>
      )}
    </p>
  )
}

type ProgramProps = { readonly execution: ExecutionView; readonly call: CallDetail | undefined }

/** Lines are those of the execution's own code: what a tool's code called has none here. */
function Program({ execution, call }: ProgramProps): ReactNode {
  const { structured, code, program } = execution
  if (program === "agent")
    return (
      <section aria-label="Agent">
        <h2 className="pb-2 text-lg font-semibold">Agent</h2>
        <div
          tabIndex={0}
          role="region"
          aria-label="What it was asked"
          className="max-h-60 overflow-auto rounded-control border border-line bg-surface p-2"
        >
          <Prose>{code}</Prose>
        </div>
      </section>
    )
  const marks = new Map<number, LineMark>()
  const failedAt = "error" in structured ? structured.error?.line : undefined
  if (failedAt !== undefined) marks.set(failedAt, { tone: "danger", note: "This line failed" })
  const line = call?.depth === undefined ? call?.line : undefined
  if (line !== undefined) marks.set(line, { tone: "info", note: "This line makes the selected call" })
  return (
    <section aria-label="Program">
      <h2 className="pb-2 text-lg font-semibold">Code</h2>
      <CodeLines code={code} marks={marks} shown={line ?? failedAt ?? null} />
    </section>
  )
}
