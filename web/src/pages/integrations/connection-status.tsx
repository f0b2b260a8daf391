// How connections are called and how they are doing, in words.
import type { ReactNode } from "react"
import type { ConnectionKey, ConnectionView } from "toolplane/client"
import { Badge, Status } from "../../ui/badge.tsx"
import type { Tone } from "../../ui/badge.tsx"

type ConnectionStatus = ConnectionView["status"]

const looks: Readonly<Record<ConnectionStatus, { readonly tone: Tone; readonly label: string }>> = {
  ready: { tone: "ok", label: "Ready" },
  syncing: { tone: "waiting", label: "Reading tools" },
  needs_credentials: { tone: "warn", label: "Needs credentials" },
  needs_review: { tone: "warn", label: "Needs review" },
  error: { tone: "danger", label: "Error" },
}

/** The one that most needs somebody comes first. */
const worstFirst: readonly ConnectionStatus[] = ["error", "needs_credentials", "needs_review", "syncing", "ready"]

export const ConnectionBadge = ({ status }: { readonly status: ConnectionStatus }): ReactNode => (
  <Status tone={looks[status].tone}>{looks[status].label}</Status>
)

export const worstStatus = (connections: readonly ConnectionView[]): ConnectionStatus | null =>
  worstFirst.find((status) => connections.some((one) => one.status === status)) ?? null

export const OwnerChip = ({ owner }: Pick<ConnectionView, "owner">): ReactNode =>
  owner === "org" ? <Badge title="Shared in the organization">org</Badge> : <Badge title="Only yours">me</Badge>

export const connectionPath = ({ integration, owner, name }: ConnectionKey): string => `${integration}.${owner}.${name}`
