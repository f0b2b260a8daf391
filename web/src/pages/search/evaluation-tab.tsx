// How well search finds what it should: requests with the tools that answer them, run beside plain BM25 and the run before.
import type { ReactNode } from "react"
import { useState } from "react"
import { useMutation } from "@tanstack/react-query"
import type { CatalogEvaluation, Evaluation } from "toolplane/client"
import { client } from "../../api/client.ts"
import { useMissingRight } from "../../api/rights.ts"
import { Button } from "../../ui/button.tsx"
import { Empty, Failure } from "../../ui/states.tsx"
import { Cases } from "./cases.tsx"
import { Score } from "./score.tsx"
import { SetBar } from "./set-bar.tsx"
import type { Sets } from "./use-sets.ts"

type EvaluationTabProps = { readonly sets: Sets; readonly onTry: (query: string) => void }
type Run = { readonly name: string; readonly answer: CatalogEvaluation; readonly before: Evaluation | null }

export function EvaluationTab({ sets, onTry }: EvaluationTabProps): ReactNode {
  const missing = useMissingRight("admin")
  const [run, setRun] = useState<Run | null>(null)
  const { open } = sets
  const evaluate = useMutation({
    mutationFn: () => client.tools.evaluate(open.cases),
    onSuccess: (answer) => {
      setRun({ name: open.name, answer, before: open.last ?? null })
      sets.change({ ...open, last: answer.search })
    },
  })
  const reason = missing ?? (open.cases.length === 0 ? "Add a case first" : null)
  return (
    <div className="flex max-w-4xl flex-col gap-4">
      <p className="text-secondary">
        Requests, and the tools that answer them. Run a set before and after you change a description: what was learned from use is left
        out. Sets are kept in this browser; export one to share it or for <code>executor tools eval</code>.
      </p>
      <SetBar sets={sets} />
      <div>
        <Button kind="primary" isBusy={evaluate.isPending} reason={reason} onClick={() => evaluate.mutate()}>
          Run the set
        </Button>
      </div>
      {evaluate.error === null ? null : <Failure error={evaluate.error} />}
      {run === null || run.name !== open.name ? null : <Score answer={run.answer} before={run.before} onTry={onTry} />}
      {open.cases.length === 0 ? (
        <Empty title="No case in this set yet">Add a hit of a query that you tried, or a search that was made, or write one below.</Empty>
      ) : null}
      <Cases sets={sets} />
    </div>
  )
}
