// What became of the code: its calls as they come, what waits for an answer, its console and its result.
import type { ReactNode } from "react"
import { useQuery } from "@tanstack/react-query"
import type { CallDetail, ExecutionView } from "toolplane/client"
import { LinkButton } from "../../ui/button.tsx"
import { Json } from "../../ui/text/json.tsx"
import { lazily } from "../../ui/lazily.tsx"
import { Failure, Skeleton } from "../../ui/states.tsx"
import { Tabs } from "../../ui/tabs.tsx"
import { duration, useNow } from "../../ui/text/time.tsx"
import { CallDetails } from "../executions/call-details.tsx"
import { CancelButton } from "../executions/cancel.tsx"
import { Logs, Result } from "../executions/outcome.tsx"
import { executionQuery, isEnded, useCalls, useFollow } from "../executions/queries.ts"
import { ExecutionStatusBadge } from "../executions/status.tsx"
import { Timeline } from "../executions/timeline/timeline.tsx"

const Waiting = lazily(() => import("./waiting.tsx").then((part) => part.Waiting))

type Shown = { readonly out: string | undefined; readonly call: string | undefined; readonly detail: string | undefined }
type Show = (shown: Partial<Shown>) => void

type PanelProps = { readonly id: string; readonly shown: Shown; readonly onShow: Show }

export default function RunPanel({ id, shown, onShow }: PanelProps): ReactNode {
  const { data, error, refetch } = useQuery(executionQuery(id))
  if (data !== undefined) return <Run key={id} execution={data} shown={shown} onShow={onShow} />
  return error === null ? <Skeleton rows={8} /> : <Failure error={error} onRetry={() => void refetch()} />
}

const drawMs = 250

type RunProps = { readonly execution: ExecutionView; readonly shown: Shown; readonly onShow: Show }

function Run({ execution, shown, onShow }: RunProps): ReactNode {
  const { executionId: id, status, structured } = execution
  const calls = useCalls(id, status)
  const live = useFollow(id, status === "running")
  const now = useNow(drawMs, !isEnded(status))
  const end = Math.max(execution.endedAt === null ? now : Date.parse(execution.endedAt), Date.parse(execution.createdAt))
  const all = calls.data?.all ?? []
  const logs = status === "running" ? [...structured.logs, ...live.logs] : structured.logs
  const tabs = [
    {
      id: "result",
      label: "Result",
      content:
        structured.status === "waiting_for_interaction" ? (
          <p className="text-secondary">It waits for your answer.</p>
        ) : (
          <Result execution={execution} live={live} />
        ),
    },
    {
      id: "calls",
      label: `Calls (${all.length.toLocaleString("en")}${calls.data?.isMore === true ? "+" : ""})`,
      content:
        calls.error !== null && calls.data === undefined ? (
          <Failure error={calls.error} onRetry={() => void calls.refetch()} />
        ) : (
          <Calls execution={execution} calls={all} isMore={calls.data?.isMore ?? false} end={end} shown={shown} onShow={onShow} />
        ),
    },
    { id: "console", label: `Console (${logs.length.toLocaleString("en")})`, content: <Logs logs={logs} /> },
    {
      id: "emitted",
      label: `Emitted (${structured.emitted.length.toLocaleString("en")})`,
      content:
        structured.emitted.length === 0 ? (
          <p className="text-secondary">The code emitted nothing.</p>
        ) : (
          <Json value={structured.emitted} label="Emitted" />
        ),
    },
  ]
  const open = tabs.find((tab) => tab.id === shown.out)?.id ?? (isEnded(status) ? "result" : "calls")
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <span role="status">
          <ExecutionStatusBadge status={status} />
        </span>
        <span className="tabular flex-1 text-secondary">{duration(end - Date.parse(execution.createdAt))}</span>
        {isEnded(status) ? null : <CancelButton execution={execution} />}
        <LinkButton to="/executions/$id" params={{ id }}>
          Open the execution
        </LinkButton>
      </div>
      {structured.status === "waiting_for_interaction" ? (
        <Waiting interactions={structured.interactions} more={structured.more ?? 0} />
      ) : null}
      <Tabs label="What became of it" tabs={tabs} open={open} onOpen={(out) => onShow({ out })} />
    </>
  )
}

type CallsProps = RunProps & { readonly calls: readonly CallDetail[]; readonly isMore: boolean; readonly end: number }

function Calls({ execution, calls, isMore, end, shown, onShow }: CallsProps): ReactNode {
  const selected = calls.find(({ key }) => key === shown.call)
  return (
    <div className="flex flex-col gap-4">
      <Timeline
        execution={execution}
        calls={calls}
        isMore={isMore}
        end={end}
        selected={selected?.key ?? ""}
        onSelect={(call) => onShow({ call })}
        isTable={false}
        onTable={null}
      />
      {selected === undefined ? null : (
        <section aria-label="The selected call" className="flex flex-col gap-3">
          <CallDetails call={selected} isEnded={isEnded(execution.status)} tab={shown.detail} onTab={(detail) => onShow({ detail })} />
        </section>
      )}
    </div>
  )
}
