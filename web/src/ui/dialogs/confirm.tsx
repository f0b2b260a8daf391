// Asks before something is lost. Its dialog is loaded when it is asked.
import type { ReactNode } from "react"
import { Suspense, lazy } from "react"
import type { ConfirmProps } from "./confirm-dialog.tsx"

const ConfirmDialog = lazy(async () => ({ default: (await import("./confirm-dialog.tsx")).ConfirmDialog }))

export const Confirm = (props: ConfirmProps): ReactNode => (
  <Suspense>
    <ConfirmDialog {...props} />
  </Suspense>
)
