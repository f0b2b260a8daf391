// The columns of the list of executions.
import type { ReactNode } from "react"
import type { ExecutionSummary } from "toolplane/client"
import { Bot } from "lucide-react"
import type { Column } from "../../ui/lists/data-table.tsx"
import { Mono } from "../../ui/text/text.tsx"
import { Time, duration, useNow } from "../../ui/text/time.tsx"
import { ExecutionStatusBadge, Who } from "./status.tsx"
import { summaryOf } from "./summary.ts"

export const wideColumns: readonly Column<ExecutionSummary>[] = [
  { id: "status", label: "Status", width: "104px", cell: ({ status }) => <ExecutionStatusBadge status={status} /> },
  { id: "code", label: "Code", width: "minmax(120px, 4fr)", cell: (one) => <Ran one={one} /> },
  { id: "who", label: "Who", width: "minmax(120px, 1.5fr)", cell: ({ principal }) => <Who principal={principal} /> },
  { id: "calls", label: "Calls", width: "64px", cell: ({ callCount }) => callCount.toLocaleString("en") },
  { id: "duration", label: "Duration", width: "104px", cell: (one) => <Duration one={one} /> },
  { id: "started", label: "Started", width: "92px", cell: ({ createdAt }) => <Time at={createdAt} /> },
]

/** On a phone, a row has two lines. */
export const narrowColumns: readonly Column<ExecutionSummary>[] = [
  {
    id: "execution",
    label: "Execution",
    width: "minmax(0, 1fr)",
    cell: (one) => (
      <span className="flex min-w-0 flex-col gap-1">
        <Ran one={one} />
        <span className="flex min-w-0 items-center gap-2">
          <ExecutionStatusBadge status={one.status} />
          <span className="min-w-0 flex-1 truncate text-sm text-secondary">
            <Who principal={one.principal} />
          </span>
          <span className="text-sm text-tertiary">
            <Time at={one.createdAt} />
          </span>
        </span>
      </span>
    ),
  },
]

const Ran = ({ one }: { readonly one: ExecutionSummary }): ReactNode => (
  <span className="flex items-center gap-1.5">
    {one.program === "agent" ? <Bot size={14} aria-label="An agent's run" className="shrink-0 text-secondary" /> : null}
    <Mono className="truncate">{summaryOf(one)}</Mono>
    {one.mode === "debug" ? <span className="shrink-0 text-sm text-warn">debug</span> : null}
  </span>
)

function Duration({ one }: { readonly one: ExecutionSummary }): ReactNode {
  const now = useNow(1000, one.endedAt === null)
  const ms = (one.endedAt === null ? now : Date.parse(one.endedAt)) - Date.parse(one.createdAt)
  return <span className="whitespace-nowrap">{duration(Math.max(0, ms))}</span>
}
