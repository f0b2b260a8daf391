// The filters of the audit. They live in the address, and the server applies them.
import type { ReactNode } from "react"
import { X } from "lucide-react"
import type { AuditFilter } from "toolplane/client"
import type { Filters } from "../../app/search.ts"
import { Button } from "../../ui/button.tsx"
import { Input } from "../../ui/field.tsx"
import { Typed } from "../../ui/lists/typed.tsx"

/** `entry`: the id of the one that is open. */
export type AuditFilters = Filters<"who" | "subject" | "action" | "outcome" | "execution" | "rule" | "from" | "to" | "entry">

export const noFilters = {
  who: undefined,
  subject: undefined,
  action: undefined,
  outcome: undefined,
  execution: undefined,
  rule: undefined,
  from: undefined,
  to: undefined,
}

export const toFilter = ({ who, subject, action, outcome, execution, rule, from, to }: AuditFilters): AuditFilter => ({
  ...(who === undefined ? {} : { user: who }),
  ...(subject === undefined ? {} : { subject }),
  ...(action === undefined ? {} : { action }),
  ...(outcome === undefined ? {} : { outcome }),
  ...(execution === undefined ? {} : { executionId: execution }),
  ...(rule === undefined ? {} : { rule }),
  ...dayFilter("from", from, 0),
  // The last day is part of it.
  ...dayFilter("to", to, 1),
})

/** A day as the reader's clock has it; what is typed into the address and is no day does not count. */
function dayFilter(name: "from" | "to", day: string | undefined, daysLater: number): AuditFilter {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day ?? "") ?? []
  if (year === undefined) return {}
  return { [name]: new Date(Number(year), Number(month) - 1, Number(date) + daysLater).toISOString() }
}

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
    <Typed label="Who" value={filters.who ?? ""} onTyped={(who) => onChange({ who })} />
    <Typed label="Tool or subject" value={filters.subject ?? ""} onTyped={(subject) => onChange({ subject })} />
    <Typed label="Action" value={filters.action ?? ""} options={actions} isMain onTyped={(action) => onChange({ action })} />
    <Typed label="Outcome" value={filters.outcome ?? ""} options={outcomes} onTyped={(outcome) => onChange({ outcome })} />
    <Typed label="Execution" value={filters.execution ?? ""} onTyped={(execution) => onChange({ execution })} />
    <Typed label="Rule" value={filters.rule ?? ""} onTyped={(rule) => onChange({ rule })} />
    <Day label="From" value={filters.from} onDay={(from) => onChange({ from })} />
    <Day label="To" value={filters.to} onDay={(to) => onChange({ to })} />
    {Object.keys(toFilter(filters)).length === 0 ? null : (
      <Button kind="quiet" onClick={() => onChange(noFilters)}>
        <X size={14} aria-hidden="true" /> Clear filters
      </Button>
    )}
  </search>
)

type DayProps = { readonly label: string; readonly value: string | undefined; readonly onDay: (day: string | undefined) => void }

const Day = ({ label, value = "", onDay }: DayProps): ReactNode => (
  <label className="flex items-center gap-1.5 text-secondary max-[899px]:w-[calc(50%-4px)]">
    {label}
    <Input
      type="date"
      value={value}
      className="!w-36 max-[899px]:min-w-0 max-[899px]:flex-1"
      onChange={(event) => onDay(event.target.value || undefined)}
    />
  </label>
)
