// What kind of tool it is and where it stands, in badges.
import type { ReactNode } from "react"
import type { ToolView } from "toolplane/client"
import { TOOL_BUCKETS, getSubtypeLabel, getToolBucket } from "toolplane/tool-types"
import { Badge, Status } from "./badge.tsx"
import type { Tone } from "./badge.tsx"
import { safeLine } from "./text/text.tsx"

const bucketTones: Readonly<Record<string, Tone>> = { built_in: "neutral", mcp: "info", artifact: "waiting", custom: "ok" }

export function BucketBadge({ tool }: { readonly tool: ToolView }): ReactNode {
  const bucket = TOOL_BUCKETS.find(({ id }) => id === getToolBucket(tool))
  return (
    <Badge tone={bucketTones[bucket?.id ?? ""] ?? "neutral"} {...(bucket === undefined ? {} : { title: bucket.description })}>
      {bucket?.label}
    </Badge>
  )
}

export const SubtypeBadge = ({ tool }: { readonly tool: ToolView }): ReactNode => (
  <Badge>{safeLine(getSubtypeLabel(tool.implementationType))}</Badge>
)

const statusTones: Readonly<Record<ToolView["status"], Tone>> = {
  draft: "waiting",
  published: "ok",
  deprecated: "warn",
  disabled: "neutral",
}

export const statusLabels: Readonly<Record<ToolView["status"], string>> = {
  draft: "Draft",
  published: "Published",
  deprecated: "Deprecated",
  disabled: "Disabled",
}

export const StatusBadge = ({ tool }: { readonly tool: ToolView }): ReactNode => (
  <Status tone={statusTones[tool.status]}>{statusLabels[tool.status]}</Status>
)

/** `1.0.2 ↑`: something newer waits, an edit that is not published or a change that nobody accepted. */
export function VersionBadge({ tool }: { readonly tool: ToolView }): ReactNode {
  const waits = waitingChange(tool)
  return (
    <span className="inline-flex items-center gap-1">
      <Badge title="Version">
        <span className="font-mono">{safeLine(tool.version)}</span>
      </Badge>
      {waits === null ? null : (
        <span title={waits} className="text-warn">
          <span aria-hidden="true">↑</span>
          <span className="sr-only">{waits}</span>
        </span>
      )}
    </span>
  )
}

export function waitingChange(tool: ToolView): string | null {
  if (tool.changed === true) return "It changed at its source and waits to be accepted"
  return tool.hasUnpublishedChanges === true && tool.status !== "draft" ? "It has changes that are not published" : null
}

const effects = {
  read: { tone: "neutral", label: "Reads" },
  write: { tone: "warn", label: "Writes" },
  destroy: { tone: "danger", label: "Destroys" },
} as const

export const EffectBadge = ({ tool }: { readonly tool: ToolView }): ReactNode =>
  tool.effect === undefined ? null : <Status tone={effects[tool.effect].tone}>{effects[tool.effect].label}</Status>
