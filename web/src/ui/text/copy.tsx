// Copies texts: a button, and a text with one beside it.
import type { ReactNode } from "react"
import { useState } from "react"
import { Check, Copy } from "lucide-react"
import { IconButton } from "../button.tsx"

export function CopyButton({ text, label = "Copy" }: { readonly text: string; readonly label?: string }): ReactNode {
  const [isCopied, setCopied] = useState(false)
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
    setTimeout(() => setCopied(false), 1500)
  }
  return (
    <IconButton label={isCopied ? "Copied" : label} onClick={() => void copy()}>
      {isCopied ? <Check size={14} aria-hidden="true" /> : <Copy size={14} aria-hidden="true" />}
    </IconButton>
  )
}

type CopyTextProps = { readonly label: string; readonly text: string; readonly copyLabel: string }

/** Something to take elsewhere, in full, such as a secret that is shown once. */
export const CopyText = ({ label, text, copyLabel }: CopyTextProps): ReactNode => (
  <div className="flex items-start gap-2 rounded-control border border-line bg-surface px-2 py-1">
    <code aria-label={label} className="min-w-0 flex-1 py-1 font-mono text-sm break-all whitespace-pre-wrap">
      {text}
    </code>
    <CopyButton text={text} label={copyLabel} />
  </div>
)
