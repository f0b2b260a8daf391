// A value on a line with a button that copies it.
import type { ReactNode } from "react"
import { CopyButton } from "./copy.tsx"
import { safeLine } from "./text.tsx"

export const CopyLine = ({ text, label }: { readonly text: string; readonly label: string }): ReactNode => (
  <div className="flex items-center gap-2 rounded-control border border-line bg-surface px-2 py-1">
    <code aria-label={label} className="min-w-0 flex-1 font-mono text-sm break-all">
      {safeLine(text)}
    </code>
    <CopyButton text={text} label={`Copy the ${label.charAt(0).toLowerCase()}${label.slice(1)}`} />
  </div>
)
