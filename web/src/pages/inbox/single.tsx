// One approval with everything that is needed to answer it.
import type { ReactNode } from "react"
import { useCallback, useState } from "react"
import { Link } from "@tanstack/react-router"
import { useQuery } from "@tanstack/react-query"
import type { ApprovalView } from "toolplane/client"
import { withoutRoot } from "../../../../src/core/address.ts"
import { Failure, Skeleton } from "../../ui/states.tsx"
import { Mono, Prose } from "../../ui/text.tsx"
import { AnswerBar } from "./answer.tsx"
import type { Remember } from "./answer.tsx"
import { Arguments } from "./arguments.tsx"
import { CodeLines } from "../../ui/code-lines.tsx"
import { EffectBadge, Facts } from "./facts.tsx"
import { QuestionForm, readTyped, startTyped } from "./form.tsx"
import type { Problems, Typed } from "./form.tsx"
import { QuestionText } from "./question.tsx"
import { approvalQuery } from "./queries.ts"
import type { Answering } from "./queries.ts"

type SingleProps = { readonly id: string; readonly isBusy: boolean; readonly onAnswer: (answering: Answering) => void }

export function Single({ id, isBusy, onAnswer }: SingleProps): ReactNode {
  const { data, error, refetch } = useQuery(approvalQuery(id))
  if (error !== null) return <Failure error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Skeleton />
  return data.status === "pending" ? <Pending key={id} one={data} isBusy={isBusy} onAnswer={onAnswer} /> : <Settled one={data} />
}

type PendingProps = { readonly one: ApprovalView; readonly isBusy: boolean; readonly onAnswer: SingleProps["onAnswer"] }

function Pending({ one, isBusy, onAnswer }: PendingProps): ReactNode {
  const [isWhole, setWhole] = useState(false)
  const [typed, setTyped] = useState<Typed>(() => startTyped(one.requestedSchema))
  const [problems, setProblems] = useState<Problems>({})
  const onWhole = useCallback((whole: boolean) => setWhole(whole), [])
  const answer = (action: "accept" | "decline", remember: Remember): void => {
    const read = one.kind === "form" && action === "accept" ? readTyped(one.requestedSchema, typed) : { content: undefined }
    if ("problems" in read) return setProblems(read.problems)
    setProblems({})
    onAnswer({
      ids: [one.approvalId],
      action,
      ...(remember === "once" || action === "decline" ? {} : { remember }),
      ...(read.content === undefined ? {} : { content: read.content }),
    })
  }
  return (
    <section aria-label="The call" className="fade-in flex flex-col gap-4">
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
      <div>
        <h3 className="pb-1 font-medium">Arguments</h3>
        <Arguments args={one.args} onWhole={onWhole} />
      </div>
      <AnswerBar what={null} one={one} reason={isWhole ? null : "Show all arguments first"} isBusy={isBusy} onAnswer={answer} />
      <Facts one={one} />
      <CodeOf one={one} />
    </section>
  )
}

const CodeOf = ({ one }: { readonly one: ApprovalView }): ReactNode =>
  one.code === undefined ? null : (
    <div>
      <h3 className="pb-1 font-medium">{one.line === undefined ? "What asks" : `What asks, line ${one.line}`}</h3>
      <CodeLines code={one.code} marks={new Map(one.line === undefined ? [] : [[one.line, { tone: "waiting", note: "This line asks" }]])} />
    </div>
  )

const settledTexts: Record<Exclude<ApprovalView["status"], "pending">, readonly [string, string]> = {
  accept: ["Approved", "The call was allowed."],
  decline: ["Declined", "The call was refused."],
  cancel: ["Withdrawn", "The question was withdrawn without an answer."],
  expired: ["Expired", "Nobody answered in time. Whoever asked must ask again."],
}

/** Answered here or elsewhere: it stays in sight until something else is chosen. */
function Settled({ one }: { readonly one: ApprovalView }): ReactNode {
  if (one.status === "pending") return null
  const [title, text] = settledTexts[one.status]
  return (
    <section aria-label="The call" className="flex flex-col gap-3 opacity-80">
      <h2 className="text-lg font-semibold">{title}</h2>
      <Mono>{withoutRoot(one.address)}</Mono>
      <p className="text-secondary">{text}</p>
      {one.executionId === null || !one.isOwn ? null : (
        <Link to="/executions/$id" params={{ id: one.executionId }}>
          See how the execution went on
        </Link>
      )}
    </section>
  )
}
