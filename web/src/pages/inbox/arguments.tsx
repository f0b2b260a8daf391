// The arguments of a call as a person reads them: a row for each value, long text with its line breaks, nothing cut unseen.
import type { ReactNode } from "react"
import { useEffect, useState } from "react"
import { Button } from "../../ui/button.tsx"
import { Json } from "../../ui/text/json.tsx"
import { safeJson, safeLine, safeText } from "../../ui/text/text.tsx"
import { leavesOf } from "./groups.ts"

/** Longer ones are opened by a click, before which nothing can be approved. */
const shownCharsMax = 20_000
const rowsMax = 100
const lineCharsMax = 60

type ArgumentsProps = { readonly args: unknown; /** Told whether all of it is in sight. */ readonly onWhole: (isWhole: boolean) => void }

export function Arguments({ args, onWhole }: ArgumentsProps): ReactNode {
  const [isOpened, setOpened] = useState(false)
  const text = safeJson(args, 2)
  const isWhole = isOpened || text.length <= shownCharsMax
  useEffect(() => onWhole(isWhole), [onWhole, isWhole])
  if (!isWhole)
    return (
      <div className="flex flex-col items-start gap-2">
        <pre
          tabIndex={0}
          role="region"
          aria-label="Beginning of the arguments"
          className="max-h-60 w-full overflow-auto rounded-control border border-line bg-surface p-2 font-mono text-sm break-words whitespace-pre-wrap"
        >
          {text.slice(0, 2000)}…
        </pre>
        <Button onClick={() => setOpened(true)}>Show all {text.length.toLocaleString("en")} characters</Button>
      </div>
    )
  const rows = leavesOf(args, "")
  if (rows.length === 0) return <p className="text-secondary">None</p>
  return rows.length > rowsMax ? <Json value={args} label="Arguments" /> : <Rows rows={rows} />
}

export const Rows = ({ rows }: { readonly rows: readonly (readonly [string, unknown])[] }): ReactNode => (
  <dl className="grid grid-cols-[minmax(64px,auto)_1fr] gap-x-4 gap-y-1 rounded-control border border-line bg-surface p-2 font-mono text-sm">
    {rows.map(([path, value]) => (
      <div key={path} className="contents">
        <dt className="stranger break-all text-secondary">{safeLine(path)}</dt>
        <dd className="min-w-0">
          <Value value={value} />
        </dd>
      </div>
    ))}
  </dl>
)

export const Value = ({ value }: { readonly value: unknown }): ReactNode =>
  typeof value === "string" && (value.length > lineCharsMax || /[\n\r]/.test(value)) ? (
    <pre tabIndex={0} className="stranger max-h-60 overflow-auto font-mono break-words whitespace-pre-wrap">
      {safeText(value)}
    </pre>
  ) : (
    <span className="stranger break-all">{value === undefined ? "–" : safeJson(value)}</span>
  )
