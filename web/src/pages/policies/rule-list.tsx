// The rules of one owner in the order in which they are evaluated. ⌥↑ and ⌥↓ move the rule that has the focus.
import type { KeyboardEvent, ReactNode } from "react"
import { ArrowDown, ArrowUp, Pencil, Trash2 } from "lucide-react"
import type { PatternCount, PolicyView } from "toolplane/client"
import { IconButton } from "../../ui/button.tsx"
import { Mono, safeLine } from "../../ui/text/text.tsx"
import { ActionBadge, Limits, shortPattern } from "./rule-text.tsx"

export type RuleActs = {
  readonly onMove: (id: string, by: -1 | 1) => void
  readonly onEdit: (id: string) => void
  readonly onRemove: (rule: PolicyView) => void
}

type RuleListProps = RuleActs & {
  readonly title: string
  readonly about: string
  readonly rules: readonly PolicyView[]
  readonly counts: ReadonlyMap<string, PatternCount>
  /** Why they cannot be changed. */
  readonly missing: string | null
}

export const RuleList = ({ title, about, rules, counts, missing, ...acts }: RuleListProps): ReactNode => (
  <section aria-label={title} className="flex flex-col gap-2">
    <div>
      <h2 className="text-lg font-semibold">{title}</h2>
      <p className="text-secondary">{about}</p>
    </div>
    {rules.length === 0 ? (
      <p className="rounded-card border border-dashed border-line px-3 py-3 text-tertiary">No rule.</p>
    ) : (
      <ol aria-label={title} className="divide-y divide-line rounded-card border border-line">
        {rules.map((rule, at) => (
          <RuleRow
            key={rule.id}
            rule={rule}
            number={at + 1}
            count={counts.get(rule.pattern)}
            isFirst={at === 0}
            isLast={at === rules.length - 1}
            missing={missing}
            {...acts}
          />
        ))}
      </ol>
    )}
  </section>
)

type RuleRowProps = RuleActs & {
  readonly rule: PolicyView
  readonly number: number
  readonly count: PatternCount | undefined
  readonly isFirst: boolean
  readonly isLast: boolean
  readonly missing: string | null
}

function RuleRow({ rule, number, count, isFirst, isLast, missing, onMove, onEdit, onRemove }: RuleRowProps): ReactNode {
  const name = safeLine(shortPattern(rule.pattern))
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : null
    if (!event.altKey || by === null || missing !== null) return
    event.preventDefault()
    onMove(rule.id, by)
  }
  return (
    <li
      tabIndex={0}
      aria-label={`Rule ${number}: ${name}`}
      aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
      onKeyDown={onKeyDown}
      className="grid grid-cols-[20px_72px_minmax(0,1fr)] items-start min-[900px]:items-center gap-x-3 gap-y-1 px-3 py-1.5 hover:bg-surface min-[900px]:grid-cols-[20px_72px_minmax(0,1fr)_88px_auto]"
    >
      <span aria-hidden="true" className="tabular text-right text-tertiary">
        {number}
      </span>
      <span>
        <ActionBadge action={rule.action} />
      </span>
      <span className="flex min-w-0 flex-col">
        <Mono className="break-all">{shortPattern(rule.pattern)}</Mono>
        <Limits rule={rule} />
      </span>
      <span
        className={`tabular col-start-3 text-sm min-[900px]:col-auto min-[900px]:text-right ${count?.count === 0 ? "text-warn" : "text-secondary"}`}
      >
        {count === undefined ? "" : toolCount(count.count)}
      </span>
      <span className="col-span-3 flex justify-end gap-0.5 min-[900px]:col-span-1">
        <IconButton
          label={`Move up: ${name}`}
          reason={missing ?? (isFirst ? "It is the first rule" : null)}
          onClick={() => onMove(rule.id, -1)}
        >
          <ArrowUp size={14} aria-hidden="true" />
        </IconButton>
        <IconButton
          label={`Move down: ${name}`}
          reason={missing ?? (isLast ? "It is the last rule" : null)}
          onClick={() => onMove(rule.id, 1)}
        >
          <ArrowDown size={14} aria-hidden="true" />
        </IconButton>
        <IconButton label={`Edit: ${name}`} reason={missing} onClick={() => onEdit(rule.id)}>
          <Pencil size={14} aria-hidden="true" />
        </IconButton>
        <IconButton label={`Remove: ${name}`} reason={missing} onClick={() => onRemove(rule)}>
          <Trash2 size={14} aria-hidden="true" />
        </IconButton>
      </span>
    </li>
  )
}

export const toolCount = (count: number): string => `${count.toLocaleString("en")} ${count === 1 ? "tool" : "tools"}`
