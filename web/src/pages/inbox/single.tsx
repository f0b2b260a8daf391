// One approval with everything that is needed to answer it.
import type { ReactNode } from "react"
import { useCallback, useEffect, useRef, useState } from "react"
import { useQuery } from "@tanstack/react-query"
import type { ApprovalView } from "toolplane/client"
import { withoutRoot } from "../../../../src/core/address.ts"
import { Failure, Skeleton } from "../../ui/states.tsx"
import { Mono, Prose } from "../../ui/text/text.tsx"
import { AnswerBar } from "./answer.tsx"
import type { Remember } from "./answer.tsx"
import { Arguments } from "./arguments.tsx"
import { CodeOf } from "./code.tsx"
import { EffectBadge, Facts } from "./facts.tsx"
import { QuestionForm } from "./form.tsx"
import { Nowhere, Settled, isNotFound } from "./outcome.tsx"
import { readTyped, startTyped } from "./typed.ts"
import type { Problems, Typed } from "./typed.ts"
import { QuestionText } from "./question.tsx"
import { approvalQuery } from "./queries.ts"
import type { Answering } from "./queries.ts"

type SingleProps = { readonly id: string; readonly isBusy: boolean; readonly onAnswer: (answering: Answering) => void }

export function Single({ id, isBusy, onAnswer }: SingleProps): ReactNode {
  const { data, error, refetch } = useQuery(approvalQuery(id))
  useFocusWhenSettled(id, data?.status)
  if (isNotFound(error)) return <Nowhere but={id} />
  // What is there stays, with what was typed, when it cannot be read again.
  if (data === undefined) return error === null ? <Skeleton /> : <Failure error={error} onRetry={() => void refetch()} />
  return data.status === "pending" ? <Pending key={id} one={data} isBusy={isBusy} onAnswer={onAnswer} /> : <Settled one={data} />
}

/** The buttons that had the focus are gone then. */
function useFocusWhenSettled(id: string, status: ApprovalView["status"] | undefined): void {
  const pending = useRef<string | null>(null)
  useEffect(() => {
    if (status === "pending") pending.current = id
    else if (status !== undefined && pending.current === id) document.querySelector<HTMLElement>("[data-settled]")?.focus()
  }, [id, status])
}

type PendingProps = { readonly one: ApprovalView; readonly isBusy: boolean; readonly onAnswer: SingleProps["onAnswer"] }

function Pending({ one, isBusy, onAnswer }: PendingProps): ReactNode {
  const [isWhole, setWhole] = useState(false)
  const [typed, setTyped] = useState<Typed>(() => startTyped(one.requestedSchema))
  const [problems, setProblems] = useState<Problems>({})
  const section = useRef<HTMLElement>(null)
  const onWhole = useCallback((whole: boolean) => setWhole(whole), [])
  const answer = (action: "accept" | "decline", remember: Remember): void => {
    const read = one.kind === "form" && action === "accept" ? readTyped(one.requestedSchema, typed) : { content: undefined }
    if ("problems" in read) {
      setProblems(read.problems)
      requestAnimationFrame(() => section.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus())
      return
    }
    setProblems({})
    onAnswer({
      ids: [one.approvalId],
      action,
      ...(remember === "once" || action === "decline" ? {} : { remember }),
      ...(read.content === undefined ? {} : { content: read.content }),
    })
  }
  const bar = { what: null, one, isBusy, onAnswer: answer }
  const args = (
    <div>
      <h3 className="pb-1 font-medium">Arguments</h3>
      <Arguments args={one.args} onWhole={onWhole} />
    </div>
  )
  return (
    <section ref={section} aria-label="The call" className="fade-in flex flex-col gap-4">
      <div className="flex flex-col gap-1">
        <div className="flex flex-wrap items-center gap-2">
          <h2 className="min-w-0 text-lg font-semibold break-all">
            <Mono className="!text-lg">{withoutRoot(one.address)}</Mono>
          </h2>
          <EffectBadge {...one} />
        </div>
        {one.kind === "approval" ? <Prose className="text-secondary">{one.message}</Prose> : <QuestionText one={one} />}
      </div>
      {one.kind === "form" ? <QuestionForm schema={one.requestedSchema} typed={typed} problems={problems} onType={setTyped} /> : null}
      {one.kind === "approval" ? (
        <>
          {args}
          <AnswerBar {...bar} reason={isWhole ? null : "Show all arguments first"} />
          <Facts items={[one]} />
          <CodeOf one={one} />
        </>
      ) : (
        <>
          <AnswerBar {...bar} reason={null} />
          <details>
            <summary className="cursor-pointer text-secondary">The call behind this question</summary>
            <div className="flex flex-col gap-4 pt-3">
              <Facts items={[one]} />
              {args}
              <CodeOf one={one} />
            </div>
          </details>
        </>
      )}
    </section>
  )
}
