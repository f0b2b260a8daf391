// Asks before something is lost.
import type { ReactNode } from "react"
import { Button } from "./button.tsx"
import { Dialog, DialogActions } from "./dialog.tsx"

type ConfirmProps = {
  readonly title: string
  /** What is lost, and whether it can be got back. */
  readonly children: ReactNode
  /** The verb and the thing, such as "Remove github". */
  readonly action: string
  readonly isBusy: boolean
  readonly onConfirm: () => void
  readonly onClose: () => void
}

export const Confirm = ({ title, children, action, isBusy, onConfirm, onClose }: ConfirmProps): ReactNode => (
  <Dialog isOpen title={title} onClose={onClose}>
    <div className="text-secondary">{children}</div>
    <DialogActions>
      <Button onClick={onClose}>Keep it</Button>
      <Button kind="danger" isBusy={isBusy} onClick={onConfirm}>
        {action}
      </Button>
    </DialogActions>
  </Dialog>
)
