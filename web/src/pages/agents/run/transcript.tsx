// The steps and calls of a run, in the order in which they happened.
import type { ReactNode } from "react"
import { Link } from "@tanstack/react-router"
import type { CallDetail } from "toolplane/client"
import { withoutRoot } from "../../../../../src/core/address.ts"
import { Json } from "../../../ui/text/json.tsx"
import { Mono, Prose } from "../../../ui/text/text.tsx"
import { duration } from "../../../ui/text/time.tsx"
import { CallState } from "../../executions/timeline/calls-table.tsx"
import { stepOf } from "../../executions/timeline/segments.ts"
import type { ModelStep } from "../../executions/timeline/segments.ts"

type TranscriptProps = {
  readonly calls: readonly CallDetail[]
  /** What the model is saying now. */
  readonly words: string
  readonly isEnded: boolean
}

/** The page of the execution has them all. */
const shownMax = 200
const indentPx = 16

export function Transcript({ calls, words, isEnded }: TranscriptProps): ReactNode {
  const shown = calls.slice(-shownMax)
  return (
    <>
      {calls.length > shown.length ? (
        <p className="text-secondary">
          The last {shownMax} of {calls.length} are shown.
        </p>
      ) : null}
      <ol aria-label="What happened" className="flex flex-col gap-2">
        {shown.map((call) => {
          const step = stepOf(call)
          return (
            <li key={call.key} style={{ marginLeft: (call.depth ?? 0) * indentPx }}>
              {step === null ? (
                <Call call={call} isEnded={isEnded} />
              ) : (
                <Step step={step} isUnderWay={call.status !== "done" && !isEnded} />
              )}
            </li>
          )
        })}
        {words === "" ? null : (
          <li aria-label="It says" aria-busy="true" className="rounded-card border border-line bg-surface px-3 py-2">
            <Prose>{words}</Prose>
          </li>
        )}
      </ol>
      {calls.length === 0 && words === "" && !isEnded ? <p className="text-secondary">The model is being asked…</p> : null}
    </>
  )
}

/** A step that only calls tools says so in the calls below it. */
function Step({ step, isUnderWay }: { readonly step: ModelStep; readonly isUnderWay: boolean }): ReactNode {
  const { number, model, words, reasoning, usage } = step
  return (
    <div className="flex flex-col gap-1">
      <p className="flex flex-wrap items-baseline gap-x-2 text-sm text-tertiary">
        <span className="font-medium text-secondary">Step {number}</span>
        <Mono>{model}</Mono>
        {usage === null ? null : (
          <span className="tabular">
            {usage.inputTokens.toLocaleString("en")} in, {usage.outputTokens.toLocaleString("en")} out
          </span>
        )}
        {isUnderWay ? <span>is being asked…</span> : null}
      </p>
      {reasoning === "" ? null : (
        <details>
          <summary className="cursor-pointer text-sm text-secondary">Reasoning</summary>
          <Prose className="text-secondary">{reasoning}</Prose>
        </details>
      )}
      {words === "" ? null : <Prose className="rounded-card border border-line bg-surface px-3 py-2">{words}</Prose>}
    </div>
  )
}

function Call({ call, isEnded }: { readonly call: CallDetail; readonly isEnded: boolean }): ReactNode {
  const { path, args, answer, error, ms, runId } = call
  return (
    <details className="rounded-card border border-line">
      <summary className="control-height flex cursor-pointer flex-wrap items-center gap-2 px-3 py-1">
        <CallState call={call} isEnded={isEnded} />
        <Mono className="min-w-0 break-all">{withoutRoot(path)}</Mono>
        {ms === null ? null : <span className="tabular text-sm text-tertiary">{duration(ms)}</span>}
      </summary>
      <div className="flex flex-col gap-2 border-t border-line p-3">
        {runId === undefined ? null : (
          <Link to="/executions/$id" params={{ id: runId }}>
            Open its own run
          </Link>
        )}
        <Json value={args} label="Arguments" />
        {error === undefined ? null : <Prose className="tint-danger rounded-control p-2">{`${error.code}: ${error.message}`}</Prose>}
        {answer === undefined ? null : <Json value={answer} label="Answer" />}
      </div>
    </details>
  )
}
