// What differs between two versions: first what it means, then the JSON.
import type { ReactNode } from "react"
import type { DefinitionDiff } from "toolplane/client"
import { Badge } from "../badge.tsx"
import type { Tone } from "../badge.tsx"
import { Line, Mono, safeJson } from "./text.tsx"

type Kind = DefinitionDiff["changes"][number]["kind"]

const kinds: Readonly<Record<Kind, { readonly tone: Tone; readonly label: string; readonly count: string }>> = {
  breaking: { tone: "danger", label: "Breaking", count: "breaking" },
  implementation: { tone: "warn", label: "Implementation", count: "in the implementation" },
  widening: { tone: "ok", label: "Widening", count: "widening" },
  text: { tone: "neutral", label: "Text only", count: "only in texts" },
}

export function summaryOf(diff: DefinitionDiff): string {
  if (diff.changes.length === 0) return "Nothing differs."
  const counts = Object.entries(kinds).flatMap(([kind, { count }]) => {
    const number = diff.changes.filter((change) => change.kind === kind).length
    return number === 0 ? [] : [`${number} ${count}`]
  })
  return `${diff.truncated ? "At least " : ""}${counts.join(", ")}.`
}

export const Diff = ({ diff }: { readonly diff: DefinitionDiff }): ReactNode => (
  <div className="flex flex-col gap-3">
    <p className="font-medium">{summaryOf(diff)}</p>
    {diff.effectChanged ? <p className="tint-danger rounded-control px-2 py-1 font-medium">What its calls do has changed.</p> : null}
    <ul aria-label="Changes" className="flex flex-col gap-2">
      {diff.changes.map(({ kind, path, message, before, after }, at) => (
        <li key={at} className="flex flex-col gap-1 border-l-2 border-line pl-2">
          <span className="flex flex-wrap items-baseline gap-2">
            <Badge tone={kinds[kind].tone}>{kinds[kind].label}</Badge>
            <Line>{message}</Line>
          </span>
          <Mono className="break-all text-tertiary">{path}</Mono>
          <Values before={before} after={after} />
        </li>
      ))}
    </ul>
    {diff.json.length === 0 ? null : (
      <details>
        <summary className="control-height cursor-pointer py-1 text-secondary">As JSON ({diff.json.length})</summary>
        <ul className="flex flex-col gap-2 pt-2">
          {diff.json.map(({ op, path, before, after }, at) => (
            <li key={at} className="flex flex-col gap-1">
              <span>
                {op} <Mono className="break-all">{path === "" ? "/" : path}</Mono>
              </span>
              <Values before={before} after={after} />
            </li>
          ))}
        </ul>
      </details>
    )}
    {diff.truncated ? <p className="text-secondary">There are more changes than are listed.</p> : null}
  </div>
)

/** Side by side; what was not there is left out. */
const Values = ({ before, after }: { readonly before: unknown; readonly after: unknown }): ReactNode =>
  before === undefined && after === undefined ? null : (
    <div className="grid gap-1 font-mono text-sm min-[900px]:grid-cols-2">
      {before === undefined ? null : <Value sign="−" label="Before" look="tint-danger" value={before} />}
      {after === undefined ? null : <Value sign="+" label="After" look="tint-ok" value={after} />}
    </div>
  )

type ValueProps = { readonly sign: string; readonly label: string; readonly look: string; readonly value: unknown }

const Value = ({ sign, label, look, value }: ValueProps): ReactNode => (
  <div className={`stranger rounded-control px-2 py-1 break-words whitespace-pre-wrap ${look}`}>
    <span className="sr-only">{label}: </span>
    <span aria-hidden="true">{sign} </span>
    {typeof value === "string" ? safeJson(value).slice(1, -1) : safeJson(value, 2)}
  </div>
)
