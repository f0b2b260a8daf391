// Running an agent: what it is asked, its latest runs, and the one that is watched.
import type { ReactNode } from "react"
import { useQuery } from "@tanstack/react-query"
import type { AgentView } from "toolplane/client"
import { useFilters } from "../../../app/search.ts"
import { Empty } from "../../../ui/states.tsx"
import { Line } from "../../../ui/text/text.tsx"
import { Time } from "../../../ui/text/time.tsx"
import { ExecutionStatusBadge } from "../../executions/status.tsx"
import { inputOf } from "../../executions/summary.ts"
import type { AgentFilters } from "../detail-page.tsx"
import { runsQuery } from "../queries.ts"
import { RunForm } from "./form.tsx"
import { Watch } from "./watch.tsx"

type TabProps = { readonly agent: AgentView; readonly isDirty: boolean; readonly missing: string | null }

export function RunTab({ agent, isDirty, missing }: TabProps): ReactNode {
  const [{ run }, set] = useFilters<AgentFilters>()
  const runs = useQuery(runsQuery(agent.slug))
  const open = (id: string): void => set({ run: id })
  return (
    <div className="grid gap-6 min-[1100px]:grid-cols-[minmax(280px,360px)_minmax(0,1fr)]">
      <div className="flex min-w-0 flex-col gap-6">
        <RunForm agent={agent} isDirty={isDirty} missing={missing} onStarted={open} />
        {runs.data === undefined || runs.data.length === 0 ? null : (
          <section>
            <h2 className="pb-1 font-semibold">Latest runs</h2>
            <ul aria-label="Latest runs" className="flex flex-col">
              {runs.data.map((one) => (
                <li key={one.executionId} className="border-b border-line">
                  <button
                    type="button"
                    aria-current={one.executionId === run}
                    onClick={() => open(one.executionId)}
                    className={`control-height flex w-full items-center gap-2 px-1 py-1 text-left hover:bg-hover ${one.executionId === run ? "bg-surface shadow-[inset_2px_0_0_var(--accent)]" : ""}`}
                  >
                    <ExecutionStatusBadge status={one.status} />
                    <Line className="min-w-0 flex-1 truncate">{inputOf(one) ?? "Without input"}</Line>
                    <span className="shrink-0 text-sm text-secondary">
                      <Time at={one.createdAt} />
                    </span>
                  </button>
                </li>
              ))}
            </ul>
          </section>
        )}
      </div>
      {run === undefined ? (
        <Empty title="No run is being watched" command={`executor agents run ${agent.slug} "…"`}>
          Run the agent, or choose one of its latest runs.
        </Empty>
      ) : (
        <Watch key={run} id={run} />
      )}
    </div>
  )
}
