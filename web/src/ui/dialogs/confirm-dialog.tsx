// The dialog that asks before something is lost; `Confirm` loads it.
import type { ReactNode } from "react"
import { Button } from "../button.tsx"
import { Dialog, DialogActions } from "./dialog.tsx"

export type ConfirmProps = {
  readonly title: string
  /** What is lost, and whether it can be got back. */
  readonly children: ReactNode
  /** The verb and the thing, such as "Remove github". */
  readonly action: string
  /** What the button says that changes nothing. */
  readonly keep?: string
  readonly isBusy: boolean
  readonly onConfirm: () => void
  readonly onClose: () => void
}

export const ConfirmDialog = ({ title, children, action, keep = "Keep it", isBusy, onConfirm, onClose }: ConfirmProps): ReactNode => (
  <Dialog isOpen title={title} onClose={onClose}>
    <div className="text-secondary">{children}</div>
    <DialogActions>
      <Button onClick={onClose}>{keep}</Button>
      <Button kind="danger" isBusy={isBusy} onClick={onConfirm}>
        {action}
      </Button>
    </DialogActions>
  </Dialog>
)
