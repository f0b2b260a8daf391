// How connections are doing and whose they are, in words.
import type { ReactNode } from "react"
import type { ConnectionConsent, ConnectionView } from "toolplane/client"
import { Badge, Status } from "./badge.tsx"
import type { Tone } from "./badge.tsx"

export type ConnectionState = "failed" | "expired" | "needs_credentials" | "needs_review" | "syncing" | "ok"

/** The one that most needs somebody comes first. */
export const connectionStates: readonly ConnectionState[] = ["failed", "expired", "needs_credentials", "needs_review", "syncing", "ok"]

export const stateLabels: Readonly<Record<ConnectionState, string>> = {
  failed: "Failed",
  expired: "Expired",
  needs_credentials: "Needs credentials",
  needs_review: "Needs review",
  syncing: "Reading tools",
  ok: "OK",
}

const tones: Readonly<Record<ConnectionState, Tone>> = {
  failed: "danger",
  expired: "danger",
  needs_credentials: "warn",
  needs_review: "warn",
  syncing: "waiting",
  ok: "ok",
}

const states = { ready: "ok", error: "failed", needs_review: "needs_review", syncing: "syncing" } as const

type Looked = Pick<ConnectionView, "status" | "consent">

export function connectionState({ status, consent }: Looked): ConnectionState {
  if (status === "ready" && consent !== null && isOver(consent)) return "expired"
  if (status !== "needs_credentials") return states[status]
  return consent === null || consent.ended === null ? "needs_credentials" : "expired"
}

/** Its token is worth nothing any more, and no other comes without a person. */
const isOver = ({ renewable, expiresAt }: ConnectionConsent): boolean =>
  !renewable && expiresAt !== null && Date.parse(expiresAt) < Date.now()

export const worstState = (connections: readonly Looked[]): ConnectionState | null =>
  connectionStates.find((state) => connections.some((one) => connectionState(one) === state)) ?? null

export const StateBadge = ({ state }: { readonly state: ConnectionState }): ReactNode => (
  <Status tone={tones[state]}>{stateLabels[state]}</Status>
)

export const OwnerChip = ({ owner }: Pick<ConnectionView, "owner">): ReactNode =>
  owner === "org" ? <Badge title="Shared in the organization">org</Badge> : <Badge title="Only yours">me</Badge>
