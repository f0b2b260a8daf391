// What an answer led to: how the execution goes on or ended, and what else waits.
import type { ReactNode } from "react"
import { useState } from "react"
import { Link } from "@tanstack/react-router"
import { useQuery } from "@tanstack/react-query"
import type { ApprovalView, ExecutionView } from "toolplane/client"
import { ExecutorError } from "toolplane/client"
import { withoutRoot } from "../../../../src/core/address.ts"
import { LinkButton } from "../../ui/button.tsx"
import { Failure, Skeleton } from "../../ui/states.tsx"
import { Line, Mono } from "../../ui/text/text.tsx"
import { Time } from "../../ui/text/time.tsx"
import { Outcome } from "../executions/outcome.tsx"
import { executionQuery } from "../executions/queries.ts"
import { couldNotWait, endingOf, headlineOf, settledTexts } from "./outcome-words.ts"
import { inboxQuery } from "./queries.ts"

/** An approval that was answered, here or elsewhere: it stays in sight until something else is chosen. */
export function Settled({ one }: { readonly one: ApprovalView }): ReactNode {
  if (one.status === "pending") return null
  const [title, text] = settledTexts[one.status]
  const isFollowed = one.executionId !== null && one.status !== "expired"
  return (
    <section aria-label="The call" className="flex flex-col gap-3">
      <h2 tabIndex={-1} data-settled className="text-lg font-semibold outline-none">
        {title}
      </h2>
      <div className="flex flex-col">
        <Mono className="break-all">{withoutRoot(one.address)}</Mono>
        <AnsweredBy one={one} />
      </div>
      {isFollowed && one.isOwn ? (
        <WayOn one={one} executionId={one.executionId} text={text} />
      ) : (
        <>
          <p>{isFollowed ? "The execution goes on with this answer. Whoever started it sees how it ends." : text}</p>
          <NextUp but={one.executionId ?? one.approvalId} />
        </>
      )}
    </section>
  )
}

const AnsweredBy = ({ one: { answeredBy, answeredAt } }: { readonly one: ApprovalView }): ReactNode =>
  answeredAt === undefined ? null : (
    <span className="text-secondary">
      {answeredBy === undefined ? null : (
        <>
          By <Line>{answeredBy}</Line>,{" "}
        </>
      )}
      <Time at={answeredAt} />
    </span>
  )

type WayOnProps = { readonly one: ApprovalView; readonly executionId: string; readonly text: string }

function WayOn({ one, executionId, text }: WayOnProps): ReactNode {
  const { data, error, refetch } = useQuery(executionQuery(executionId))
  if (error !== null) return <Failure error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Skeleton />
  if (!couldNotWait(data, one)) return <Ended execution={data} isPart />
  return (
    <>
      <p>{text}</p>
      <NextUp but={executionId} />
    </>
  )
}

/** Of an execution that asks nothing of the reader now. */
export function ExecutionState({ id }: { readonly id: string }): ReactNode {
  const { data, error, refetch } = useQuery(executionQuery(id))
  if (isNotFound(error)) return <Nowhere but={id} />
  if (error !== null) return <Failure error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Skeleton />
  return (
    <section aria-label="The execution" className="flex max-w-4xl flex-col gap-3">
      <Ended execution={data} isPart={false} />
    </section>
  )
}

export const isNotFound = (error: unknown): boolean => error instanceof ExecutorError && error.code === "not_found"

function Ended({ execution, isPart }: { readonly execution: ExecutionView; readonly isPart: boolean }): ReactNode {
  const [tab, setTab] = useState<string>()
  const { structured, executionId } = execution
  const Heading = isPart ? "h3" : "h2"
  const isOpen = structured.status === "running" || structured.status === "waiting_for_interaction"
  return (
    <>
      <Heading className={isPart ? "font-medium" : "text-lg font-semibold"}>
        {structured.status === "waiting_for_interaction" ? "It asks again" : headlineOf(execution)}
      </Heading>
      {structured.status === "waiting_for_interaction" ? (
        <>
          {structured.interactions.map(({ approvalId, message }) => (
            <p key={approvalId}>
              <Line>{message}</Line>
            </p>
          ))}
          <LinkButton to="/inbox" search={{ execution: executionId }} kind="primary" className="self-start">
            Go to its question
          </LinkButton>
        </>
      ) : (
        <p>{isOpen ? "This page says so when it ends or asks again." : endingOf(execution, structured.error)}</p>
      )}
      <NextUp but={executionId} />
      {isOpen ? null : <Outcome execution={execution} live={nothingLive} tab={tab} onTab={setTab} />}
      <Link to="/executions/$id" params={{ id: executionId }}>
        Open the execution
      </Link>
    </>
  )
}

const nothingLive = { words: "", logs: [] }

/** What else waits, and the way to it. `but`: what was just answered. */
export function NextUp({ but }: { readonly but: string }): ReactNode {
  const { data } = useQuery(inboxQuery("me"))
  if (data === undefined) return null
  const others = data.items.filter(({ executionId, approvalId }) => executionId !== but && approvalId !== but)
  const [first] = others
  if (first === undefined) return <p className="text-secondary">Nothing else waits for you; you can close this page.</p>
  const count = `${others.length}${data.nextCursor === null ? "" : "+"} more ${others.length === 1 ? "call waits" : "calls wait"} for you`
  return (
    <div className="flex flex-wrap items-center gap-3">
      <span>{count}.</span>
      <LinkButton to="/inbox" search={{ approval: first.approvalId }} kind="primary">
        Go to the next one
      </LinkButton>
    </div>
  )
}

/** A link that leads to nothing that the reader may see. */
export const Nowhere = ({ but }: { readonly but: string }): ReactNode => (
  <section aria-label="Nothing to answer" className="flex max-w-xl flex-col gap-3">
    <h2 className="text-lg font-semibold">Nothing to answer here</h2>
    <p>This question does not exist, or it is not for you to answer.</p>
    <p className="text-secondary">
      Did somebody send you this link? Then ask them who has to answer: an admin, or somebody with the role that a rule names. An admin can
      give you that role.
    </p>
    <NextUp but={but} />
  </section>
)
