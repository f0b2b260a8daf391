// The inbox: what waits for the person who is signed in, and what theirs waits for from others.
import type { ReactNode } from "react"
import { useEffect, useMemo, useRef, useState } from "react"
import { useQuery } from "@tanstack/react-query"
import { useKeys } from "../../app/keys.ts"
import { useFilters } from "../../app/search.ts"
import { Button } from "../../ui/button.tsx"
import { PageFrame } from "../../ui/page.tsx"
import { Failure, Skeleton } from "../../ui/states.tsx"
import { useIsWide } from "../../ui/use-is-wide.ts"
import { Group, idsOf } from "./group.tsx"
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
  const [answeredHere, setAnsweredHere] = useState<ReadonlySet<string>>(new Set())
  const answering = useAnswering((ids) => {
    setAnsweredHere((before) => new Set([...before, ...ids]))
    set({ group: undefined })
  })
  const isNamed = approval !== undefined || openGroup !== undefined
  const open = groups.find(({ key, items }) => key === openGroup || items.some(({ approvalId }) => approvalId === approval)) ?? null
  const first = useFirst(groups, answeredHere, isNamed || execution !== undefined ? null : tab)
  const chosen = isNamed ? open : first
  const openIt = (group: ApprovalGroup): void => {
    const [one] = group.items
    set(group.items.length === 1 ? { approval: one?.approvalId, group: undefined } : { group: group.key, approval: undefined }, {
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
  const isDetail = isNamed || (execution !== undefined && groups.length === 1)
  const isWide = useIsWide()
  const isNothing = groups.length === 0 && !isDetail && (chosen === null || !isWide)
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
      {error !== null ? <Failure error={error} onRetry={() => void refetch()} /> : data === undefined ? <Skeleton /> : null}
      {data === undefined || !isNothing ? null : execution === undefined ? <Nothing tab={tab} /> : <ExecutionState id={execution} />}
      {isNothing ? null : (
        <div className={`grid min-h-0 flex-1 gap-4 ${groups.length === 0 ? "" : "min-[900px]:grid-cols-[minmax(280px,400px)_1fr]"}`}>
          {groups.length === 0 ? null : (
            <div className={`-m-1 min-h-0 overflow-y-auto p-1 ${isDetail ? "max-[899px]:hidden" : ""}`}>
              <GroupList groups={groups} openKey={isWide ? (chosen?.key ?? null) : null} onOpen={openIt} />
            </div>
          )}
          <div
            className={`-m-1 min-h-0 overflow-y-auto p-1 ${groups.length === 0 ? "" : "min-[900px]:ml-0 min-[900px]:border-l min-[900px]:border-line min-[900px]:pl-4"} ${isDetail ? "" : "max-[899px]:hidden"}`}
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

type Kept = { readonly scope: string; readonly group: ApprovalGroup }

/**
 * The group that is open beside the list without having been chosen. It stays in sight when somebody else answers it:
 * nothing takes its place under the pointer. `scope`: null where another one is open.
 */
function useFirst(groups: readonly ApprovalGroup[], answeredHere: ReadonlySet<string>, scope: string | null): ApprovalGroup | null {
  const [last, setLast] = useState<Kept | null>(null)
  const kept = last?.scope === scope ? last.group : null
  const now = groups.find(({ key }) => key === kept?.key)
  const stays = now === undefined && kept?.items.some(({ approvalId }) => !answeredHere.has(approvalId)) === true
  const first = stays ? kept : (now ?? groups[0] ?? null)
  useEffect(() => setLast(scope === null || first === null ? null : { scope, group: first }), [scope, first])
  return first
}

type ChosenProps = {
  readonly group: ApprovalGroup | null
  readonly approval: string | undefined
  readonly isBusy: boolean
  readonly onAnswer: (answering: Answering) => void
  readonly onOpen: (approvalId: string) => void
}

function Chosen({ group, approval, isBusy, onAnswer, onOpen }: ChosenProps): ReactNode {
  const known = useKnown(group)
  if (approval !== undefined) return <Single id={approval} isBusy={isBusy} onAnswer={onAnswer} />
  const [first] = group?.items ?? []
  if (group === null || first === undefined) return <p className="py-8 text-center text-secondary">This was answered. Choose another.</p>
  return group.items.length === 1 ? (
    <Single id={first.approvalId} isBusy={isBusy} onAnswer={onAnswer} />
  ) : (
    <Group key={group.key} group={group} known={known} isBusy={isBusy} onAnswer={onAnswer} onOpen={onOpen} />
  )
}

/** What was in sight of this group before now. */
function useKnown(group: ApprovalGroup | null): ReadonlySet<string> | undefined {
  const before = useRef<ApprovalGroup | null>(null)
  useEffect(() => {
    before.current = group
  }, [group])
  return group !== null && before.current?.key === group.key ? idsOf(before.current.items) : undefined
}

/** J and K choose; A and D press the buttons that are in sight. */
function useInboxKeys(step: (by: number) => void): void {
  const [latest] = useState<{ step: (by: number) => void }>(() => ({ step }))
  latest.step = step
  const actions = useMemo(
    () => ({
      j: () => latest.step(1),
      k: () => latest.step(-1),
      a: (event: KeyboardEvent) => press("a", event),
      d: (event: KeyboardEvent) => press("d", event),
    }),
    [latest],
  )
  useKeys(actions)
}

/** A key that is held down answers once, and on a narrow screen a card that is not in sight is not answered. */
function press(key: "a" | "d", { repeat }: KeyboardEvent): void {
  const button = document.querySelector<HTMLElement>(`[aria-keyshortcuts=${key}]`)
  if (!repeat && button?.checkVisibility() === true) button.click()
}
