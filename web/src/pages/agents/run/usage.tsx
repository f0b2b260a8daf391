// What a run has used: steps, calls, tokens, and money where the model has a price.
import type { ReactNode } from "react"
import type { CallDetail, ExecutionView } from "toolplane/client"
import { costText } from "../../executions/cost.ts"
import { stepOf } from "../../executions/timeline/segments.ts"

type Used = {
  readonly steps: number
  readonly calls: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly costUsd?: number
}

export function Usage({ execution, calls }: { readonly execution: ExecutionView; readonly calls: readonly CallDetail[] }): ReactNode {
  const { structured } = execution
  const used = ("usage" in structured ? structured.usage : undefined) ?? soFar(calls)
  const facts = [
    count(used.steps, "step"),
    count(used.calls, "call"),
    `${used.inputTokens.toLocaleString("en")} tokens in, ${used.outputTokens.toLocaleString("en")} out`,
    used.costUsd === undefined ? "no price is known" : costText(used.costUsd),
  ]
  return (
    <p aria-label="Used" className="tabular text-secondary">
      {facts.join(" · ")}
    </p>
  )
}

const count = (number: number, noun: string): string => `${number.toLocaleString("en")} ${number === 1 ? noun : `${noun}s`}`

/** Of a run that goes on: what its journal tells. */
function soFar(calls: readonly CallDetail[]): Used {
  const steps = calls.flatMap((call) => stepOf(call) ?? [])
  const costs = steps.flatMap(({ usage }) => usage?.costUsd ?? [])
  const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
  return {
    steps: steps.length,
    calls: calls.length - steps.length,
    inputTokens: sum(steps.map(({ usage }) => usage?.inputTokens ?? 0)),
    outputTokens: sum(steps.map(({ usage }) => usage?.outputTokens ?? 0)),
    ...(costs.length === 0 ? {} : { costUsd: sum(costs) }),
  }
}
