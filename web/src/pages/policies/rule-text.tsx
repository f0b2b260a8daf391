// A rule in the words that people read it in.
import type { ReactNode } from "react"
import type { PolicyAction, PolicyRule } from "toolplane/client"
import { conditionText } from "../../../../src/core/policy.ts"
import { Status } from "../../ui/badge.tsx"
import type { Tone } from "../../ui/badge.tsx"
import { Line, Mono } from "../../ui/text/text.tsx"

const actions: Readonly<Record<PolicyAction, { readonly tone: Tone; readonly label: string }>> = {
  allow: { tone: "ok", label: "Allow" },
  require_approval: { tone: "waiting", label: "Ask" },
  block: { tone: "danger", label: "Block" },
}

export const ActionBadge = ({ action }: { readonly action: PolicyAction }): ReactNode => (
  <Status tone={actions[action].tone}>{actions[action].label}</Status>
)

/** Short patterns are kept in full; the part that means "whoever owns the connection, whichever it is" is left out for people. */
export const shortPattern = (pattern: string): string => pattern.replace(/^([^.*]+)\.\*\.\*\./, "$1.")

/** When it counts, for whom, and who answers. */
export function Limits({ rule }: { readonly rule: Pick<PolicyRule, "when" | "role" | "by"> }): ReactNode {
  const { when, role, by } = rule
  if (when.length === 0 && role === undefined && by === undefined) return null
  return (
    <span className="flex flex-wrap gap-x-3 gap-y-0.5 text-sm text-secondary">
      {when.length === 0 ? null : (
        <span className="break-all">
          when <Mono>{when.map(conditionText).join(" and ")}</Mono>
        </span>
      )}
      {role === undefined ? null : (
        <span>
          only for <Line>{role}</Line>
        </span>
      )}
      {by === undefined ? null : (
        <span>
          answered by {by.role === undefined ? "anybody" : <Line>{by.role}</Line>}
          {by.notRequester === true ? " except the requester" : ""}
        </span>
      )}
    </span>
  )
}
