// The filters of the audit. They live in the address, and the server applies them.
import type { ReactNode } from "react"
import { X } from "lucide-react"
import type { AuditFilter } from "toolplane/client"
import type { Filters } from "../../app/search.ts"
import { Button } from "../../ui/button.tsx"
import { Typed } from "../../ui/typed.tsx"

/** `entry`: the id of the one that is open. */
export type AuditFilters = Filters<"action" | "outcome" | "execution" | "rule" | "entry">

export const noFilters = { action: undefined, outcome: undefined, execution: undefined, rule: undefined }

export const toFilter = ({ action, outcome, execution, rule }: AuditFilters): AuditFilter => ({
  ...(action === undefined ? {} : { action }),
  ...(outcome === undefined ? {} : { outcome }),
  ...(execution === undefined ? {} : { executionId: execution }),
  ...(rule === undefined ? {} : { rule }),
})

/** Suggestions: any other action or outcome can be typed. */
const actions = [
  "call",
  "policy.create",
  "policy.update",
  "policy.remove",
  "connection.create",
  "integration.add",
  "token.create",
  "token.remove",
  "user.create",
  "role.update",
  "session.create",
  "session.remove",
  "audit.export",
]
const outcomes = ["ok", "forbidden", "tool_blocked", "approval_declined", "invalid_request", "not_found", "upstream_error"]

type FilterBarProps = {
  readonly filters: AuditFilters
  readonly onChange: (change: { [name in keyof AuditFilters]?: string | undefined }) => void
}

export const FilterBar = ({ filters, onChange }: FilterBarProps): ReactNode => (
  <search className="flex flex-wrap items-center gap-2">
    <Typed label="Action" value={filters.action ?? ""} options={actions} isMain onTyped={(action) => onChange({ action })} />
    <Typed label="Outcome" value={filters.outcome ?? ""} options={outcomes} onTyped={(outcome) => onChange({ outcome })} />
    <Typed label="Execution" value={filters.execution ?? ""} onTyped={(execution) => onChange({ execution })} />
    <Typed label="Rule" value={filters.rule ?? ""} onTyped={(rule) => onChange({ rule })} />
    {Object.keys(toFilter(filters)).length === 0 ? null : (
      <Button kind="quiet" onClick={() => onChange(noFilters)}>
        <X size={14} aria-hidden="true" /> Clear filters
      </Button>
    )}
  </search>
)
