// Answering: Approve and Decline, how long the answer holds, and the guard against answering by accident.
import type { ReactNode } from "react"
import { useEffect, useId, useState } from "react"
import type { ApprovalView } from "toolplane/client"
import { conditionText } from "../../../../src/core/policy.ts"
import { Button } from "../../ui/button.tsx"
import { safeLine } from "../../ui/text/text.tsx"

export type Remember = "once" | "execution" | "always"
export type Answer = (action: "accept" | "decline", remember: Remember) => void

type AnswerProps = {
  /** What it is about, such as "3 calls"; null for one. */
  readonly what: string | null
  readonly one: ApprovalView
  /** All that the answer is for, where it is for more than one. */
  readonly items?: readonly ApprovalView[]
  readonly reason: string | null
  readonly isBusy: boolean
  readonly onAnswer: Answer
}

/** A card that appears under the pointer must not be answered by a click that was meant for what stood there before. */
const guardMs = 400

export function AnswerBar({ what, one, items = [one], reason, isBusy, onAnswer }: AnswerProps): ReactNode {
  const [remember, setRemember] = useState<Remember>("once")
  const isReady = useGuard(one.approvalId)
  const refusal = one.mayAnswer ? reason : `You may not answer this: it needs ${safeLine(one.answerers ?? "somebody else")}`
  const accept = acceptTexts[one.kind]
  const suffix = what === null ? "" : ` ${what}`
  return (
    <div className="flex flex-col gap-3 border-t border-line pt-3">
      {one.kind === "approval" && one.by === undefined && one.mayAnswer ? (
        <RememberChoice items={items} value={remember} onChange={setRemember} />
      ) : null}
      {refusal === null ? null : <p className="text-warn">{refusal}.</p>}
      <div className="flex flex-wrap gap-2 max-[899px]:[&>button]:min-h-12 max-[899px]:[&>button]:flex-1">
        <Button
          isBusy={isBusy}
          reason={refusal}
          onClick={() => (isReady ? onAnswer("decline", "once") : undefined)}
          aria-keyshortcuts="d"
          isGuarded={!isReady}
        >
          Decline{suffix}
        </Button>
        <Button
          kind={one.kind === "approval" && one.effect === "destroy" ? "danger" : "primary"}
          isBusy={isBusy}
          reason={refusal}
          onClick={() => (isReady ? onAnswer("accept", remember) : undefined)}
          aria-keyshortcuts="a"
          isGuarded={!isReady}
        >
          {accept}
          {suffix}
        </Button>
      </div>
    </div>
  )
}

const acceptTexts: Record<ApprovalView["kind"], string> = { approval: "Approve", form: "Send", url: "I have done this" }

function useGuard(id: string): boolean {
  const [readyId, setReadyId] = useState<string | null>(null)
  useEffect(() => {
    const timer = setTimeout(() => setReadyId(id), guardMs)
    return () => clearTimeout(timer)
  }, [id])
  return readyId === id
}

type ChoiceProps = { readonly items: readonly ApprovalView[]; readonly value: Remember; readonly onChange: (value: Remember) => void }

/** As the rule will hold, which the server makes for each call. */
const alwaysText = ({ rememberWhen, isOwn }: ApprovalView): string =>
  `${rememberWhen === undefined ? "with any arguments" : `when ${safeLine(rememberWhen.map(conditionText).join(" and "))}`} (adds a rule for ${isOwn ? "you and your agents" : "the whole organization"})`

function RememberChoice({ items, value, onChange }: ChoiceProps): ReactNode {
  const name = useId()
  const rules = [...new Set(items.map(alwaysText))]
  const choices: readonly (readonly [Remember, string])[] = [
    ["once", "Only what is shown here"],
    ...(items.some(({ executionId }) => executionId === null)
      ? []
      : [["execution", "This tool for the rest of the execution, with any arguments"] as const]),
    ["always", `Always, ${rules.join("; ")}`],
  ]
  return (
    <fieldset className="flex flex-col">
      <legend className="font-medium">If you approve, allow</legend>
      {choices.map(([id, text]) => (
        <label key={id} className="control-height flex items-center gap-2">
          <input type="radio" name={name} value={id} checked={value === id} onChange={() => onChange(id)} className="accent-(--solid)" />
          <span className="stranger">{text}</span>
        </label>
      ))}
    </fieldset>
  )
}
