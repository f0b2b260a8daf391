// The agents as a table: what each is, what runs, and how much it is used.
import type { ReactNode } from "react"
import { useMemo } from "react"
import { useNavigate } from "@tanstack/react-router"
import { useQuery } from "@tanstack/react-query"
import type { AgentView } from "toolplane/client"
import { useMissingRight } from "../../api/rights.ts"
import { Button } from "../../ui/button.tsx"
import { DataTable } from "../../ui/lists/data-table.tsx"
import type { Column } from "../../ui/lists/data-table.tsx"
import { Empty, Failure, Skeleton } from "../../ui/states.tsx"
import { Line, Mono } from "../../ui/text/text.tsx"
import { Time } from "../../ui/text/time.tsx"
import { agentsQuery, runCountsQuery } from "./queries.ts"
import { AgentStatus } from "./status.tsx"

export function AgentList({ onNew }: { readonly onNew: () => void }): ReactNode {
  const agents = useQuery(agentsQuery)
  const missing = useMissingRight("registry.write")
  const navigate = useNavigate()
  const columns = useColumns()
  if (agents.error !== null) return <Failure error={agents.error} onRetry={() => void agents.refetch()} />
  if (agents.data === undefined) return <Skeleton />
  const all = agents.data
  if (all.length === 0)
    return (
      <Empty
        title="No agent yet"
        action={
          <Button kind="primary" reason={missing} onClick={onNew}>
            New agent
          </Button>
        }
        command='executor agents create support --model openai/gpt-5 --tools "shop.orders.*" --instructions "Answer customers."'
      >
        An agent is instructions, a model and tools: it runs here, asks before it changes anything, and is a tool for others once it is
        published.
      </Empty>
    )
  return (
    <DataTable
      label="Agents"
      columns={columns}
      rowCount={all.length}
      rowAt={(index) => all[index]}
      rowKey={({ id }) => id}
      rowHeight={44}
      onOpen={({ slug }) => void navigate({ to: "/agents/$slug", params: { slug } })}
    />
  )
}

const toolsText = ([first = "None", ...rest]: readonly string[]): string => (rest.length === 0 ? first : `${first} +${rest.length}`)

function useColumns(): readonly Column<AgentView>[] {
  const { data: runs } = useQuery(runCountsQuery)
  return useMemo(
    () => [
      {
        id: "name",
        label: "Agent",
        width: "minmax(120px, 2fr)",
        cell: ({ name, slug }) => (
          <span className="flex flex-col leading-4">
            <Line className="truncate">{name}</Line>
            <Mono className="truncate text-tertiary">{slug}</Mono>
          </span>
        ),
      },
      {
        id: "model",
        label: "Model",
        width: "minmax(100px, 1.5fr)",
        cell: ({ model }) => <Mono className="truncate">{`${model.provider}/${model.name}`}</Mono>,
        isWideOnly: true,
      },
      { id: "status", label: "Status", width: "minmax(110px, 180px)", cell: (agent) => <AgentStatus agent={agent} /> },
      { id: "version", label: "Version", width: "72px", cell: ({ publishedVersion }) => publishedVersion ?? "–", isWideOnly: true },
      {
        id: "tools",
        label: "Tools",
        width: "minmax(80px, 1.5fr)",
        cell: ({ tools }) => <Mono className="truncate">{toolsText(tools)}</Mono>,
        isWideOnly: true,
      },
      {
        id: "runs",
        label: "Runs, 30 days",
        width: "104px",
        cell: ({ slug }) => (runs === undefined ? "–" : `${runs.of(slug).toLocaleString("en")}${runs.isMore ? "+" : ""}`),
        isWideOnly: true,
      },
      { id: "changed", label: "Changed", width: "100px", cell: ({ updatedAt }) => <Time at={updatedAt} />, isWideOnly: true },
    ],
    [runs],
  )
}
