// The versions of an agent, what differs between two of them, and the way back.
import type { ReactNode } from "react"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import type { AgentView } from "toolplane/client"
import { client } from "../../api/client.ts"
import { useMissingRight } from "../../api/rights.ts"
import { Versions } from "../../ui/lifecycle/versions.tsx"
import { Empty, Failure, Skeleton } from "../../ui/states.tsx"
import { publishedOf } from "./actions.tsx"
import { agentVersionsQuery } from "./queries.ts"

export function VersionsTab({ agent }: { readonly agent: AgentView }): ReactNode {
  const { data, error, refetch } = useQuery(agentVersionsQuery(agent.id))
  const missing = useMissingRight("registry.publish")
  const queries = useQueryClient()
  if (error !== null) return <Failure error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Skeleton />
  if (data.items.length === 0) return <Empty title="No versions yet">Publishing the agent writes the first one.</Empty>
  return (
    <div className="flex max-w-3xl flex-col gap-4">
      <Versions
        rows={data.items.map((row) => ({ ...row, note: null }))}
        rollback={{
          reason: missing ?? (agent.status === "disabled" ? "It is disabled: publish it again first" : null),
          send: async (version) => ({ version: publishedOf(await client.agents.rollback(agent.id, version)) }),
          onDone: () => queries.invalidateQueries({ queryKey: ["agents"] }),
        }}
        hasWorkingCopy={agent.hasUnpublishedChanges}
        diffKey={["agents", "diff", agent.id, agent.updatedAt]}
        loadDiff={(between) => client.agents.diff(agent.id, between)}
      />
    </div>
  )
}
