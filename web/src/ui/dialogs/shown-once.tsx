// A secret that the server has just made and shows only now: a link, a token.
import type { ReactNode } from "react"
import { Button } from "../button.tsx"
import { CopyText } from "../text/copy.tsx"
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
    <CopyText label={title} text={text ?? ""} copyLabel={copyLabel} />
    {children === undefined ? null : <div className="mt-3 text-secondary">{children}</div>}
    <DialogActions>
      <Button kind="primary" onClick={onClose}>
        I have copied it
      </Button>
    </DialogActions>
  </Dialog>
)
