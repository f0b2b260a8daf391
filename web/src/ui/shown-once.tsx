// A secret that the server has just made and shows only now: a link, a token.
import type { ReactNode } from "react"
import { Button } from "./button.tsx"
import { CopyButton } from "./copy.tsx"
import { Dialog, DialogActions } from "./dialog.tsx"

type ShownOnceProps = {
  readonly title: string
  readonly about: string
  readonly copyLabel: string
  /** Null: nothing is shown. */
  readonly text: string | null
  readonly onClose: () => void
  readonly children?: ReactNode
}

export const ShownOnce = ({ title, about, copyLabel, text, onClose, children }: ShownOnceProps): ReactNode => (
  <Dialog title={title} about={about} isOpen={text !== null} onClose={onClose}>
    <div className="flex items-center gap-2 rounded-control border border-line bg-surface px-2 py-1">
      <code aria-label={title} className="min-w-0 flex-1 font-mono text-sm break-all">
        {text}
      </code>
      <CopyButton text={text ?? ""} label={copyLabel} />
    </div>
    {children === undefined ? null : <div className="mt-3 text-secondary">{children}</div>}
    <DialogActions>
      <Button kind="primary" onClick={onClose}>
        I have copied it
      </Button>
    </DialogActions>
  </Dialog>
)
