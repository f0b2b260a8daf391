// Copies what would be run for other programs.
import type { ReactNode } from "react"
import { Copy } from "lucide-react"
import { Button } from "../../../ui/button.tsx"
import { Menu, MenuItem } from "../../../ui/menu.tsx"
import { toast, toastError } from "../../../ui/toast.tsx"
import { copiesOf } from "./copy-as.ts"
import type { Copied, Subject } from "./copy-as.ts"

export function CopyMenu({ subject, reason }: { readonly subject: Subject; readonly reason: string | null }): ReactNode {
  const copy = async ({ label, text }: Copied): Promise<void> => {
    await navigator.clipboard.writeText(text)
    toast(`Copied${label.slice("Copy".length)}.`)
  }
  if (reason !== null) return <Button reason={reason}>Copy as…</Button>
  return (
    <Menu
      trigger={
        <Button>
          <Copy size={14} aria-hidden="true" /> Copy as…
        </Button>
      }
    >
      {copiesOf(subject, location.origin).map((one) => (
        <MenuItem key={one.id} onSelect={() => void copy(one).catch(toastError)}>
          {one.label}
        </MenuItem>
      ))}
    </Menu>
  )
}
