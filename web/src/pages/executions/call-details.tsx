// Everything about one call: its arguments, its answer, and why it was allowed.
import type { ReactNode } from "react"
import { Link } from "@tanstack/react-router"
import { useQuery } from "@tanstack/react-query"
import type { CallDetail } from "toolplane/client"
import { client } from "../../api/client.ts"
import { LinkButton } from "../../ui/button.tsx"
import { CopyButton } from "../../ui/text/copy.tsx"
import { Json } from "../../ui/text/json.tsx"
import { Tabs } from "../../ui/tabs.tsx"
import { Line, Mono, Prose } from "../../ui/text/text.tsx"
import { absoluteTime, duration } from "../../ui/text/time.tsx"
import { Fact, Facts } from "./fact.tsx"
import { CallState } from "./timeline/calls-table.tsx"
import { labelOf } from "./timeline/rows.ts"
import { repeatOf, stepOf } from "./timeline/segments.ts"

type DetailsProps = {
  readonly call: CallDetail
  readonly isEnded: boolean
  readonly tab: string | undefined
  readonly onTab: (tab: string) => void
}

const effects = { read: "Reads", write: "Changes data", destroy: "Deletes or overwrites" }

export function CallDetails({ call, isEnded, tab, onTab }: DetailsProps): ReactNode {
  const step = stepOf(call)
  const tabs = [
    ...(step === null ? [] : [{ id: "words", label: "Words", content: <Words call={call} /> }]),
    { id: "input", label: "Input", content: <Json value={call.args} label="Arguments" /> },
    { id: "output", label: "Output", content: <Answer call={call} /> },
    ...(step === null ? [{ id: "decision", label: "Decision", content: <Decision call={call} /> }] : []),
  ]
  const open = tabs.some(({ id }) => id === tab) ? (tab ?? "input") : (tabs[0]?.id ?? "input")
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <h2 className="min-w-0 font-semibold break-words">{step === null ? <Mono>{call.path}</Mono> : `Step ${step.number}`}</h2>
        <CallState call={call} isEnded={isEnded} />
      </div>
      <Facts>
        {step === null ? (
          <Fact name="Tool">
            <Mono className="break-all">{call.address}</Mono>
            <CopyButton text={call.address} label="Copy the tool's address" />
          </Fact>
        ) : (
          <Fact name="Model">
            <Mono>{step.model}</Mono>
          </Fact>
        )}
        <Fact name="Started">{call.startedAt === null ? "Not started" : absoluteTime(call.startedAt)}</Fact>
        {call.ms === null ? null : <Fact name="Took">{duration(call.ms)}</Fact>}
        {call.wait === undefined ? null : (
          <Fact name="Waited">
            {call.wait.to === null ? "Still waits" : duration(Date.parse(call.wait.to) - Date.parse(call.wait.from))}
          </Fact>
        )}
        {step === null ? <Fact name="Effect">{effects[call.effect]}</Fact> : null}
        {call.line === undefined ? null : <Fact name="Line">{call.line}</Fact>}
        {repeatOf(call) === 0 ? null : <Fact name="Repeated">Call {repeatOf(call) + 1} with the same arguments</Fact>}
        {call.replayedFrom === undefined ? null : (
          <Fact name="Replayed">
            Not made: answered from the record of{" "}
            <Link to="/executions/$id" params={{ id: call.replayedFrom }} className="break-all underline">
              {call.replayedFrom}
            </Link>
          </Fact>
        )}
        {call.replayed === true && call.replayedFrom === undefined ? (
          <Fact name="Replayed">Its answer was taken from the journal when the execution went on</Fact>
        ) : null}
        {call.runId === undefined ? null : (
          <Fact name="Run">
            <Link to="/executions/$id" params={{ id: call.runId }}>
              {call.runId}
            </Link>
          </Fact>
        )}
      </Facts>
      <Tabs label={labelOf(call)} tabs={tabs} open={open} onOpen={onTab} />
    </>
  )
}

function Answer({ call }: { readonly call: CallDetail }): ReactNode {
  const { error, answer, status } = call
  return (
    <div className="flex flex-col gap-2">
      {error === undefined ? null : <Prose className="tint-danger rounded-control p-2">{`${error.code}: ${error.message}`}</Prose>}
      {answer === undefined ? (
        <p className="text-secondary">{status === "done" ? "It returned nothing." : "There is no answer yet."}</p>
      ) : (
        <Json value={answer} label="Answer" />
      )}
    </div>
  )
}

function Words({ call }: { readonly call: CallDetail }): ReactNode {
  const step = stepOf(call)
  if (step === null) return null
  return (
    <div className="flex flex-col gap-3">
      {step.reasoning === "" ? null : <Prose className="text-secondary">{step.reasoning}</Prose>}
      {step.words === "" ? <p className="text-secondary">The model said nothing.</p> : <Prose>{step.words}</Prose>}
      {step.calls.length === 0 ? null : (
        <p className="text-secondary">
          It called <Line>{step.calls.join(", ")}</Line>
        </p>
      )}
    </div>
  )
}

const decisions: Readonly<Record<string, string>> = {
  allow: "Allowed",
  require_approval: "Needed a human's approval",
  block: "Blocked",
  none: "No rule was asked",
}

function Decision({ call }: { readonly call: CallDetail }): ReactNode {
  const id = call.approval?.approvalId
  const { data } = useQuery({
    queryKey: ["approvals", "one", id],
    queryFn: () => client.approvals.get(id ?? ""),
    enabled: id !== undefined,
    retry: false,
  })
  const rule = call.rule ?? data?.rule?.id
  return (
    <div className="flex flex-col items-start gap-3">
      <Facts>
        <Fact name="Decision">{decisions[call.decision] ?? <Line>{call.decision}</Line>}</Fact>
        <Fact name="Rule">
          {rule === undefined ? (
            "None: what the tool does decided"
          ) : (
            <Link to="/policies" search={{ rule }}>
              {rule}
            </Link>
          )}
        </Fact>
        {data === undefined ? null : (
          <Fact name="Why">
            <Line>{data.reason}</Line>
          </Fact>
        )}
        {data?.request === undefined ? null : (
          <Fact name="Request">
            <Mono className="break-all">{`${data.request.method} ${data.request.url}`}</Mono>
          </Fact>
        )}
        {call.approval === undefined ? null : (
          <Fact name="Answer">
            <Line>{call.approval.by === null ? call.approval.answer : `${call.approval.answer}, by ${call.approval.by}`}</Line>
          </Fact>
        )}
      </Facts>
      {call.status === "waiting" && id !== undefined ? (
        <LinkButton to="/inbox" search={{ approval: id }}>
          Answer in the inbox
        </LinkButton>
      ) : null}
    </div>
  )
}
