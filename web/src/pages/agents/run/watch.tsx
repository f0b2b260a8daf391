// One run as it happens: what the model says, what it calls, what it waits for, and what it cost.
import type { ReactNode } from "react"
import { useQuery } from "@tanstack/react-query"
import type { CallDetail, ExecutionView } from "toolplane/client"
import { LinkButton } from "../../../ui/button.tsx"
import { CopyButton } from "../../../ui/text/copy.tsx"
import { Json } from "../../../ui/text/json.tsx"
import { lazily } from "../../../ui/lazily.tsx"
import { Failure, Skeleton } from "../../../ui/states.tsx"
import { Mono, Prose } from "../../../ui/text/text.tsx"
import { CancelButton } from "../../executions/cancel.tsx"
import { executionQuery, isEnded, useCalls, useFollow } from "../../executions/queries.ts"
import { ExecutionStatusBadge } from "../../executions/status.tsx"
import { stepOf } from "../../executions/timeline/segments.ts"
import { Transcript } from "./transcript.tsx"
import { Usage } from "./usage.tsx"

const AnswerInPlace = lazily(() => import("../../inbox/in-place.tsx").then((part) => part.AnswerInPlace))

export function Watch({ id }: { readonly id: string }): ReactNode {
  const { data, error, refetch } = useQuery(executionQuery(id))
  if (data !== undefined) return <Run execution={data} />
  return error === null ? <Skeleton rows={6} /> : <Failure error={error} onRetry={() => void refetch()} />
}

function Run({ execution }: { readonly execution: ExecutionView }): ReactNode {
  const { executionId: id, status, mode } = execution
  const calls = useCalls(id, status)
  const live = useFollow(id, status === "running")
  const all = calls.data?.all ?? []
  return (
    <section aria-label="Run" className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <span className="inline-flex flex-wrap items-center gap-1.5" role="status">
          <ExecutionStatusBadge status={status} />
          {mode === "debug" ? <span className="text-warn">Working copy</span> : null}
          <Mono>{id}</Mono>
          <CopyButton text={id} label="Copy the run's id" />
        </span>
        <span className="inline-flex flex-wrap gap-2">
          <LinkButton to="/executions/$id" params={{ id }}>
            Open the execution
          </LinkButton>
          <CancelButton execution={execution} />
        </span>
      </div>
      <Usage execution={execution} calls={all} />
      {calls.error !== null && calls.data === undefined ? (
        <Failure error={calls.error} onRetry={() => void calls.refetch()} />
      ) : (
        <Transcript calls={all} words={status === "running" ? live.words : ""} isEnded={isEnded(status)} />
      )}
      {status === "paused" ? <AnswerInPlace executionId={id} /> : null}
      {isEnded(status) ? <Ending execution={execution} calls={all} /> : null}
    </section>
  )
}

type EndingProps = { readonly execution: ExecutionView; readonly calls: readonly CallDetail[] }

/** What is not among the words above: an error, or an answer in JSON. */
function Ending({ execution: { structured, status }, calls }: EndingProps): ReactNode {
  if (structured.status === "waiting_for_interaction") return null
  const { error, result } = structured
  if (error !== undefined) return <Prose className="tint-danger rounded-control p-2">{`${error.name}: ${error.message}`}</Prose>
  if (status !== "completed") return null
  const said = calls.findLast((call) => call.depth === undefined && stepOf(call) !== null)
  if (typeof result === "string" && said !== undefined && stepOf(said)?.words === result) return null
  return typeof result === "string" ? <Prose>{result}</Prose> : <Json value={result} label="Answer" />
}
