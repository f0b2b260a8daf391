// How the states of agents are told.
import type { ReactNode } from "react"
import type { AgentView } from "toolplane/client"
import { Status } from "../../ui/badge.tsx"
import type { Tone } from "../../ui/badge.tsx"

type Shown = Pick<AgentView, "status" | "hasUnpublishedChanges">

function stateOf({ status, hasUnpublishedChanges }: Shown): readonly [Tone, string] {
  if (status === "draft") return ["neutral", "Draft"]
  if (status === "disabled") return ["danger", "Disabled"]
  return hasUnpublishedChanges ? ["warn", "Changed since published"] : ["ok", "Published"]
}

export function AgentStatus({ agent }: { readonly agent: Shown }): ReactNode {
  const [tone, name] = stateOf(agent)
  return <Status tone={tone}>{name}</Status>
}
