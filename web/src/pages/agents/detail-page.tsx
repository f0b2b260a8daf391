// One agent: its config, its runs and its versions, with what can be done with it.
import type { ReactNode } from "react"
import { useNavigate, useParams } from "@tanstack/react-router"
import { useQuery } from "@tanstack/react-query"
import type { AgentView } from "toolplane/client"
import { useMissingRight } from "../../api/rights.ts"
import { useFilters } from "../../app/search.ts"
import { LinkButton } from "../../ui/button.tsx"
import { CopyButton } from "../../ui/text/copy.tsx"
import { PageFrame } from "../../ui/page.tsx"
import { lazily } from "../../ui/lazily.tsx"
import { Empty, Failure, Skeleton } from "../../ui/states.tsx"
import { Tabs } from "../../ui/tabs.tsx"
import { Mono, safeLine } from "../../ui/text/text.tsx"
import { AgentActions } from "./actions.tsx"
import { Editor, LeaveQuestion } from "./config/editor.tsx"
import { useDraft } from "./config/use-draft.ts"
import { agentQuery } from "./queries.ts"
import { AgentStatus } from "./status.tsx"

const RunTab = lazily(() => import("./run/tab.tsx").then((part) => part.RunTab))
const VersionsTab = lazily(() => import("./versions-tab.tsx").then((part) => part.VersionsTab))

export function DetailPage(): ReactNode {
  const { slug } = useParams({ from: "/agents/$slug" })
  const { data, error, refetch } = useQuery(agentQuery(slug))
  if (data != null) return <Agent key={data.id} agent={data} />
  return (
    <PageFrame title="Agent" note={<Mono>{slug}</Mono>} actions={<LinkButton to="/agents">All agents</LinkButton>}>
      {error !== null ? (
        <Failure error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton rows={10} />
      ) : (
        <Empty title="There is no such agent" command="executor agents list">
          It was removed, is not published yet, or is not one that you may see.
        </Empty>
      )}
    </PageFrame>
  )
}

export type AgentFilters = "tab" | "run" | "from" | "to"

function Agent({ agent }: { readonly agent: AgentView }): ReactNode {
  const [{ tab }, set] = useFilters<AgentFilters>()
  const missing = useMissingRight("registry.write")
  const editing = useDraft(agent)
  const navigate = useNavigate()
  const tabs = [
    { id: "config", label: editing.isDirty ? "Config •" : "Config", content: <Editor agent={agent} editing={editing} missing={missing} /> },
    { id: "run", label: "Run", content: <RunTab agent={agent} isDirty={editing.isDirty} missing={missing} /> },
    { id: "versions", label: "Versions", content: <VersionsTab agent={agent} /> },
  ]
  return (
    <PageFrame
      title={safeLine(agent.name)}
      note={
        <span className="inline-flex flex-wrap items-center gap-1.5">
          <Mono>{agent.slug}</Mono>
          <CopyButton text={agent.address} label="Copy its address as a tool" />
          <AgentStatus agent={agent} />
          {agent.publishedVersion === null ? null : <span className="tabular">{agent.publishedVersion}</span>}
        </span>
      }
      actions={
        <AgentActions
          agent={agent}
          isDirty={editing.isDirty}
          onRun={() => set({ tab: "run" })}
          onGone={() => void navigate({ to: "/agents", ignoreBlocker: true })}
        />
      }
    >
      <Tabs
        label="Agent"
        tabs={tabs}
        open={tabs.some(({ id }) => id === tab) ? (tab ?? "config") : "config"}
        onOpen={(next) => set({ tab: next === "config" ? undefined : next })}
      />
      <LeaveQuestion isDirty={editing.isDirty} />
    </PageFrame>
  )
}
