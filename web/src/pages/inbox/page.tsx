// The inbox: what waits for the person who is signed in, and what theirs waits for from others.
import type { ReactNode } from "react"
import { useMemo, useState } from "react"
import { useQuery } from "@tanstack/react-query"
import { isSignedOut } from "../../api/query.ts"
import { useKeys } from "../../app/keys.ts"
import { useFilters } from "../../app/search.ts"
import { Button } from "../../ui/button.tsx"
import { PageFrame } from "../../ui/page.tsx"
import { Failure, Skeleton } from "../../ui/states.tsx"
import { Group } from "./group.tsx"
import { groupApprovals } from "./groups.ts"
import type { ApprovalGroup } from "./groups.ts"
import { GroupList } from "./list.tsx"
import { NotifyButton } from "./notify.tsx"
import { Nothing } from "./nothing.tsx"
import { ExecutionState } from "./outcome.tsx"
import { executionInboxQuery, inboxQuery } from "./queries.ts"
import type { Answering, Tab } from "./queries.ts"
import { Scope } from "./scope.tsx"
import { Single } from "./single.tsx"
import { useAnswering } from "./use-answering.ts"

export function Page(): ReactNode {
  const [{ tab: given, approval, execution, group: openGroup }, set] = useFilters<"tab" | "approval" | "execution" | "group">()
  const tab: Tab = given === "others" ? "others" : "me"
  const all = useQuery({ ...inboxQuery(tab), enabled: execution === undefined })
  const ofOne = useQuery({ ...executionInboxQuery(execution ?? ""), enabled: execution !== undefined })
  const { data, error, refetch } = execution === undefined ? all : ofOne
  const groups = useMemo(() => groupApprovals(data?.items ?? []), [data])
  const answering = useAnswering(() => set({ group: undefined }))
  const open = groups.find(({ key, items }) => key === openGroup || items.some(({ approvalId }) => approvalId === approval)) ?? null
  const chosen = approval === undefined && openGroup === undefined ? (groups[0] ?? null) : open
  const openIt = (group: ApprovalGroup): void => {
    const [first] = group.items
    set(group.items.length === 1 ? { approval: first?.approvalId, group: undefined } : { group: group.key, approval: undefined }, {
      isStep: true,
    })
  }
  const step = (by: number): void => {
    const next = groups[groups.findIndex(({ key }) => key === chosen?.key) + by]
    if (next !== undefined) openIt(next)
  }
  useInboxKeys(step)
  const count = data === undefined ? null : `${data.items.length}${data.nextCursor === null ? "" : "+"}`
  // What is the only one of an execution needs no list to be found in.
  const isDetail = approval !== undefined || openGroup !== undefined || (execution !== undefined && groups.length === 1)
  return (
    <PageFrame
      title="Inbox"
      note={count === null || count === "0" ? undefined : `${count} waiting${execution === undefined ? "" : " in this execution"}`}
      tabNote={tab === "me" && count !== null && count !== "0" ? `${count} waiting` : null}
      actions={<NotifyButton />}
    >
      <Scope
        tab={tab}
        execution={execution}
        onTab={(one) => set({ tab: one === "me" ? undefined : one, approval: undefined, group: undefined, execution: undefined })}
      />
      {error !== null && !(data !== undefined && isSignedOut(error)) ? (
        <Failure error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton />
      ) : null}
      {data === undefined || groups.length > 0 || isDetail ? null : execution === undefined ? (
        <Nothing tab={tab} />
      ) : (
        <ExecutionState id={execution} />
      )}
      {groups.length === 0 && !isDetail ? null : (
        <div className={`grid min-h-0 flex-1 gap-4 ${groups.length === 0 ? "" : "min-[900px]:grid-cols-[minmax(280px,400px)_1fr]"}`}>
          {groups.length === 0 ? null : (
            <div className={`min-h-0 overflow-y-auto ${isDetail ? "max-[899px]:hidden" : ""}`}>
              <GroupList groups={groups} openKey={chosen?.key ?? null} onOpen={openIt} />
            </div>
          )}
          <div
            className={`min-h-0 overflow-y-auto ${groups.length === 0 ? "" : "min-[900px]:border-l min-[900px]:border-line min-[900px]:pl-4"} ${isDetail ? "" : "max-[899px]:hidden"}`}
          >
            {isDetail ? (
              <Button
                kind="quiet"
                className="mb-2 min-[900px]:hidden"
                onClick={() => set({ approval: undefined, group: undefined, execution: undefined })}
              >
                ‹ All
              </Button>
            ) : null}
            <Chosen
              group={chosen}
              approval={approval}
              isBusy={answering.isPending}
              onAnswer={answering.mutate}
              onOpen={(id) => set({ approval: id, group: undefined }, { isStep: true })}
            />
          </div>
        </div>
      )}
    </PageFrame>
  )
}

type ChosenProps = {
  readonly group: ApprovalGroup | null
  readonly approval: string | undefined
  readonly isBusy: boolean
  readonly onAnswer: (answering: Answering) => void
  readonly onOpen: (approvalId: string) => void
}

function Chosen({ group, approval, isBusy, onAnswer, onOpen }: ChosenProps): ReactNode {
  if (approval !== undefined) return <Single id={approval} isBusy={isBusy} onAnswer={onAnswer} />
  const [first] = group?.items ?? []
  if (group === null || first === undefined) return <p className="py-8 text-center text-secondary">This was answered. Choose another.</p>
  return group.items.length === 1 ? (
    <Single id={first.approvalId} isBusy={isBusy} onAnswer={onAnswer} />
  ) : (
    <Group key={group.key} group={group} isBusy={isBusy} onAnswer={onAnswer} onOpen={onOpen} />
  )
}

/** J and K choose; A and D press the buttons that are in sight. */
function useInboxKeys(step: (by: number) => void): void {
  const [latest] = useState<{ step: (by: number) => void }>(() => ({ step }))
  latest.step = step
  const actions = useMemo(
    () => ({
      j: () => latest.step(1),
      k: () => latest.step(-1),
      a: () => document.querySelector<HTMLElement>("[aria-keyshortcuts=a]")?.click(),
      d: () => document.querySelector<HTMLElement>("[aria-keyshortcuts=d]")?.click(),
    }),
    [latest],
  )
  useKeys(actions)
}
