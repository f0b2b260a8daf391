// Several calls of one tool as a table of what differs: some rows or all of them are answered at once.
import type { ReactNode } from "react"
import { useRef, useState } from "react"
import { useQueries } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import type { ApprovalView } from "toolplane/client"
import { withoutRoot } from "../../../../src/core/address.ts"
import { Button } from "../../ui/button.tsx"
import { Failure, Skeleton } from "../../ui/states.tsx"
import { Line, Mono, safeLine } from "../../ui/text/text.tsx"
import { AnswerBar } from "./answer.tsx"
import { Rows, Value } from "./arguments.tsx"
import { CodeOfAll } from "./code.tsx"
import { EffectBadge, Facts, askerText } from "./facts.tsx"
import { compareArguments } from "./groups.ts"
import type { ApprovalGroup } from "./groups.ts"
import { NextUp } from "./outcome.tsx"
import { approvalQuery, isPending } from "./queries.ts"
import type { Answering } from "./queries.ts"

type GroupProps = {
  readonly group: ApprovalGroup
  /** What was in sight before it became a table; undefined: nothing. */
  readonly known?: ReadonlySet<string> | undefined
  readonly isBusy: boolean
  readonly onAnswer: (answering: Answering) => void
  readonly onOpen: (approvalId: string) => void
}

/** A table of more rows is answered in parts. */
const rowsMax = 100

export function Group({ group, known, isBusy, onAnswer, onOpen }: GroupProps): ReactNode {
  const shown = group.items.slice(0, rowsMax)
  const read = useQueries({ queries: shown.map(({ approvalId }) => approvalQuery(approvalId)) })
  const failed = read.find(({ error }) => error !== null)
  const items = read.flatMap(({ data }) => (data === undefined ? [] : [data])).filter(isPending)
  const [before] = useState(known)
  const wasRead = useRef(false)
  wasRead.current ||= read.every(({ data }) => data !== undefined)
  // What comes in later joins the table once it is read, and what was read stays.
  if (!wasRead.current) return failed === undefined ? <Skeleton /> : <Failure error={failed.error} onRetry={() => void failed.refetch()} />
  const [first] = items
  if (first === undefined)
    return (
      <section aria-label="The calls" className="flex flex-col gap-3">
        <h2 className="text-lg font-semibold">All of these were answered</h2>
        <Mono className="break-all">{withoutRoot(group.address)}</Mono>
        <NextUp but={group.key} />
      </section>
    )
  return (
    <section aria-label="The calls" className="fade-in flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-2">
        <h2 className="min-w-0 text-lg font-semibold break-all">
          <Mono className="!text-lg">{withoutRoot(group.address)}</Mono> × {items.length}
        </h2>
        <EffectBadge {...first} />
      </div>
      {group.items.length > shown.length ? (
        <p className="tint-warn rounded-control px-2 py-1">
          The first {shown.length} of {group.items.length} are shown; the others follow once these are answered.
        </p>
      ) : null}
      <Calls items={items} first={first} known={before} isBusy={isBusy} onAnswer={onAnswer} onOpen={onOpen} />
    </section>
  )
}

type CallsProps = Pick<GroupProps, "known" | "isBusy" | "onAnswer" | "onOpen"> & {
  readonly items: readonly ApprovalView[]
  readonly first: ApprovalView
}

/** Ticked is what was there when the table, or the one call before it, appeared: nobody approves what came in a moment before the click. */
function Calls({ items, first, known, isBusy, onAnswer, onOpen }: CallsProps): ReactNode {
  const [chosen, setChosen] = useState(() => known ?? idsOf(items))
  const [seen, setSeen] = useState(chosen)
  const { same, differing, valueAt } = compareArguments(items.map(({ args }) => args))
  const ticked = items.filter(({ approvalId }) => chosen.has(approvalId))
  const late = items.filter(({ approvalId }) => !seen.has(approvalId)).length
  const refused = items.find(({ mayAnswer }) => !mayAnswer)
  const choose = (next: ReadonlySet<string>): void => {
    setChosen(next)
    setSeen(idsOf(items))
  }
  const toggle = (id: string): void => choose(new Set(chosen.has(id) ? [...chosen].filter((one) => one !== id) : [...chosen, id]))
  const [told = first, ...others] = ticked
  const isAll = ticked.length === items.length
  return (
    <>
      {same.length === 0 ? null : (
        <div>
          <h3 className="pb-1 font-medium">The same in all of them</h3>
          <Rows rows={same} />
        </div>
      )}
      <div>
        <h3 className="pb-1 font-medium">{differing.length === 0 ? "The calls do not differ" : "What differs"}</h3>
        <div tabIndex={0} role="region" aria-label="Calls" className="max-h-[50vh] overflow-auto rounded-control border border-line">
          <table className="w-full text-left">
            <thead className="sticky top-0 bg-surface text-sm text-secondary">
              <tr>
                <th scope="col" className="w-8 px-2 py-1">
                  <input
                    type="checkbox"
                    aria-label="All calls"
                    checked={isAll}
                    onChange={() => choose(isAll ? new Set() : idsOf(items))}
                    className="size-4 accent-(--solid)"
                  />
                </th>
                {differing.map((path) => (
                  <th scope="col" key={path} className="stranger px-2 py-1 font-mono font-medium break-all">
                    {safeLine(path)}
                  </th>
                ))}
                <th scope="col" className="px-2 py-1 font-medium">
                  Asked by
                </th>
                <th scope="col" className="px-2 py-1">
                  <span className="sr-only">Open</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {items.map((item, at) => (
                <tr key={item.approvalId} className="border-t border-line align-top">
                  <td className="px-2 py-1.5">
                    <input
                      type="checkbox"
                      aria-label={`Call ${at + 1}`}
                      checked={chosen.has(item.approvalId)}
                      onChange={() => toggle(item.approvalId)}
                      className="size-4 accent-(--solid)"
                    />
                  </td>
                  {differing.map((path) => (
                    <td key={path} className="max-w-80 px-2 py-1.5 font-mono text-sm leading-5">
                      <Value value={valueAt(at, path)} />
                    </td>
                  ))}
                  <td className="px-2 py-1.5 text-secondary">
                    <Asker one={item} />
                  </td>
                  <td className="px-2 py-0.5 text-right">
                    <Button kind="quiet" onClick={() => onOpen(item.approvalId)}>
                      Details
                    </Button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        {late === 0 ? null : (
          <p role="status" className="tint-waiting mt-2 rounded-control px-2 py-1">
            {late === 1 ? "1 call is new here, and not ticked." : `${late} calls are new here, and not ticked.`}
          </p>
        )}
      </div>
      <AnswerBar
        what={ticked.length === 1 ? "1 call" : `${ticked.length} calls`}
        one={refused ?? first}
        items={[told, ...others]}
        reason={ticked.length === 0 ? "Tick at least one call" : null}
        isBusy={isBusy}
        onAnswer={(action, remember) =>
          onAnswer({
            ids: ticked.map(({ approvalId }) => approvalId),
            action,
            ...(remember === "once" || action === "decline" ? {} : { remember }),
          })
        }
      />
      <Facts items={[told, ...others]} />
      <CodeOfAll items={[told, ...others]} />
    </>
  )
}

export const idsOf = (items: readonly ApprovalView[]): ReadonlySet<string> => new Set(items.map(({ approvalId }) => approvalId))

/** Who asks, and the execution it is for: the end of its id tells it from others. */
const Asker = ({ one }: { readonly one: ApprovalView }): ReactNode => (
  <>
    <Line>{askerText(one)}</Line>
    {one.executionId === null || !one.isOwn ? null : (
      <>
        {" · "}
        <Link to="/executions/$id" params={{ id: one.executionId }} title={one.executionId} className="whitespace-nowrap">
          <Mono>{`exe_…${one.executionId.slice(-5)}`}</Mono>
        </Link>
      </>
    )}
  </>
)
