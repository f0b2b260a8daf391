// The groups that wait, oldest first.
import type { ReactNode } from "react"
import type { ApprovalView } from "toolplane/client"
import { withoutRoot } from "../../../../src/core/address.ts"
import { questionSource } from "../../../../src/core/text/question.ts"
import { Mono, safeLine } from "../../ui/text/text.tsx"
import { Time } from "../../ui/text/time.tsx"
import { EffectBadge, askedBy, askerText } from "./facts.tsx"
import type { ApprovalGroup } from "./groups.ts"

type ListProps = {
  readonly groups: readonly ApprovalGroup[]
  readonly openKey: string | null
  readonly onOpen: (group: ApprovalGroup) => void
}

export const GroupList = ({ groups, openKey, onOpen }: ListProps): ReactNode => (
  <ul aria-label="What waits" className="flex flex-col">
    {groups.map((group) => (
      <li key={group.key}>
        <GroupRow group={group} isOpen={group.key === openKey} onOpen={() => onOpen(group)} />
      </li>
    ))}
  </ul>
)

const askerOf = (one: ApprovalView): string => JSON.stringify([askedBy(one), one.agent?.slug])

function GroupRow({
  group,
  isOpen,
  onOpen,
}: {
  readonly group: ApprovalGroup
  readonly isOpen: boolean
  readonly onOpen: () => void
}): ReactNode {
  const [first] = group.items
  if (first === undefined) return null
  const source = questionSource(first)
  return (
    <button
      type="button"
      aria-current={isOpen}
      onClick={onOpen}
      className={`flex w-full flex-col gap-0.5 rounded-control px-3 py-2 text-left hover:bg-hover ${isOpen ? "bg-hover shadow-[inset_2px_0_0_var(--accent)]" : ""}`}
    >
      <span className="flex w-full items-center gap-2">
        <span className="min-w-0 flex-1 truncate font-medium">
          {source === null ? <Mono>{withoutRoot(group.address)}</Mono> : `${safeLine(source)} asks`}
        </span>
        {group.items.length === 1 ? null : <span className="tabular text-secondary">× {group.items.length}</span>}
        <EffectBadge {...first} />
      </span>
      <span className="flex w-full gap-2 text-sm text-secondary">
        <span className="min-w-0 flex-1 truncate">
          {safeLine(askerText(first))}
          {group.items.some((one) => askerOf(one) !== askerOf(first)) ? " and others" : null}
        </span>
        <Time at={first.createdAt} />
      </span>
    </button>
  )
}
