// A tool in the ranking: what each word of the request brought it as a stacked bar, and the same in words.
import type { ReactNode } from "react"
import { Link } from "@tanstack/react-router"
import { ListPlus } from "lucide-react"
import type { SearchExplanation, SearchItem } from "toolplane/client"
import { Badge, Status } from "../../ui/badge.tsx"
import { Button } from "../../ui/button.tsx"
import { Line, Mono, safeLine } from "../../ui/text/text.tsx"

type HitProps = {
  readonly item: SearchItem
  readonly place: number
  /** What the words brought the tool to which they brought most. */
  readonly most: number
  readonly onAdd: () => void
}

export const gainOf = ({ explanation }: SearchItem): number => (explanation?.words ?? []).reduce((sum, { gain }) => sum + gain, 0)

const factorLabels: Readonly<Record<keyof SearchExplanation["factors"], string>> = {
  words: "name and headline",
  thing: "the thing",
  operation: "the operation",
  integration: "the integration",
  use: "use",
}

export function Hit({ item, place, most, onAdd }: HitProps): ReactNode {
  const { path, name, description, requiresApproval, deprecated, signature, score, explanation } = item
  return (
    <li className="flex flex-col gap-2 rounded-card border border-line p-3">
      <div className="flex flex-wrap items-start gap-x-3 gap-y-1">
        <span className="tabular w-6 text-tertiary" aria-hidden="true">
          {place}
        </span>
        <div className="flex min-w-0 flex-1 basis-64 flex-col gap-0.5">
          <div className="flex flex-wrap items-center gap-2">
            <span className="min-w-0 font-semibold break-words">
              <Line>{name}</Line>
            </span>
            {deprecated === true ? <Status tone="warn">Deprecated</Status> : null}
            {requiresApproval ? <Badge>Asks first</Badge> : null}
          </div>
          <Link to="/registry" search={{ tool: path }} className="min-w-0 break-all">
            <Mono>{path}</Mono>
          </Link>
          <p className="break-words text-secondary">
            <Line>{description}</Line>
          </p>
          {signature === "{}" ? null : <Mono className="break-all text-tertiary">{signature}</Mono>}
        </div>
        <span className="tabular text-secondary">
          score <strong className="text-text">{score.toFixed(3)}</strong>
        </span>
        <Button kind="quiet" aria-label={`Add to the evaluation set: ${safeLine(path)}`} onClick={onAdd}>
          <ListPlus size={15} aria-hidden="true" /> Add to set
        </Button>
      </div>
      {explanation === undefined ? null : <Parts explanation={explanation} most={most} />}
    </li>
  )
}

/** The words in the order of the bar; the colours repeat, the names do not. */
const fills = ["bg-accent", "bg-ok", "bg-warn", "bg-info", "bg-waiting", "bg-tertiary"]

function Parts({ explanation: { words, factors }, most }: { readonly explanation: SearchExplanation; readonly most: number }): ReactNode {
  const moved = Object.entries(factorLabels).flatMap(([name, label]) => {
    const factor = factors[name as keyof SearchExplanation["factors"]]
    return factor === 1 ? [] : [{ label, factor }]
  })
  return (
    <div className="flex flex-col gap-1 pl-0 min-[900px]:pl-9">
      <div aria-hidden="true" className="flex h-2 w-full gap-px overflow-hidden rounded-full bg-hover">
        {words.map(({ word, gain }, at) => (
          <span key={word} className={fills[at % fills.length]} style={{ width: `${most === 0 ? 0 : (gain / most) * 100}%` }} />
        ))}
      </div>
      <ul aria-label="Why it has this place" className="flex flex-wrap gap-x-3 gap-y-0.5 text-sm text-secondary">
        {words.map(({ word, gain }, at) => (
          <li key={word} className="inline-flex min-w-0 items-center gap-1">
            <span aria-hidden="true" className={`size-2 shrink-0 rounded-full ${fills[at % fills.length]}`} />
            <span className="min-w-0 break-all">
              <Line>{word}</Line>
            </span>
            <span className="tabular">+{gain.toFixed(2)}</span>
          </li>
        ))}
        {moved.map(({ label, factor }) => (
          <li key={label} className={`tabular ${factor > 1 ? "text-ok" : "text-warn"}`}>
            {label} ×{factor.toFixed(2)}
          </li>
        ))}
        {words.length === 0 && moved.length === 0 ? <li>Named by its path</li> : null}
      </ul>
    </div>
  )
}
