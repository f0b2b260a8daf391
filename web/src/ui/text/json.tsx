// JSON as text that cannot mislead, with a way to copy it. Long text scrolls inside; nothing is cut.
import type { ReactNode } from "react"
import { CopyButton } from "./copy.tsx"
import { safeJson } from "./text.tsx"

export function Json({ value, label }: { readonly value: unknown; readonly label: string }): ReactNode {
  const text = safeJson(value, 2)
  return (
    <div className="relative rounded-control border border-line bg-surface">
      <pre
        tabIndex={0}
        role="region"
        aria-label={label}
        className="max-h-96 overflow-auto p-2 pr-10 font-mono text-sm break-words whitespace-pre-wrap"
      >
        {text}
      </pre>
      <div className="absolute top-1 right-1">
        <CopyButton text={JSON.stringify(value, null, 2) ?? "null"} label={`Copy ${label.toLowerCase()}`} />
      </div>
    </div>
  )
}
