// A button that copies a text.
import type { ReactNode } from "react"
import { useState } from "react"
import { Check, Copy } from "lucide-react"
import { IconButton } from "./button.tsx"

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
