// The columns of the list of executions.
import type { ReactNode } from "react"
import type { ExecutionSummary } from "toolplane/client"
import { Bot } from "lucide-react"
import type { Column } from "../../ui/data-table.tsx"
import { Mono } from "../../ui/text.tsx"
import { Time, duration, useNow } from "../../ui/time.tsx"
import { ExecutionStatusBadge, Who } from "./status.tsx"
import { summaryOf } from "./summary.ts"

export const columns: readonly Column<ExecutionSummary>[] = [
  { id: "status", label: "Status", width: "104px", cell: ({ status }) => <ExecutionStatusBadge status={status} /> },
  { id: "code", label: "Code", width: "minmax(120px, 4fr)", cell: (one) => <Ran one={one} /> },
  { id: "who", label: "Who", width: "minmax(120px, 1.5fr)", cell: ({ principal }) => <Who principal={principal} />, isWideOnly: true },
  { id: "calls", label: "Calls", width: "64px", cell: ({ callCount }) => callCount.toLocaleString("en"), isWideOnly: true },
  { id: "duration", label: "Duration", width: "104px", cell: (one) => <Duration one={one} />, isWideOnly: true },
  { id: "started", label: "Started", width: "92px", cell: ({ createdAt }) => <Time at={createdAt} /> },
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
