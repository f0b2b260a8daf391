// The signing secret of a webhook: shown once, when it is new.
import type { ReactNode } from "react"
import { Button } from "../../../ui/button.tsx"
import { CopyButton } from "../../../ui/copy.tsx"
import { Dialog, DialogActions } from "../../../ui/dialog.tsx"

export const SecretDialog = ({ secret, onClose }: { readonly secret: string | null; readonly onClose: () => void }): ReactNode => (
  <Dialog
    title="Signing secret"
    about="Copy it now: it is not shown again. The receiver checks with it that a message is from here."
    isOpen={secret !== null}
    onClose={onClose}
  >
    <div className="flex items-center gap-2 rounded-control border border-line bg-surface px-2 py-1">
      <code aria-label="Signing secret" className="min-w-0 flex-1 font-mono text-sm break-all">
        {secret}
      </code>
      <CopyButton text={secret ?? ""} label="Copy the secret" />
    </div>
    <p className="mt-3 text-secondary">
      Every message has the header <code className="font-mono text-sm">X-Executor-Signature: t=…,v1=…</code>, where v1 is the HMAC-SHA256 of
      t, a dot and the body. Whoever loses the secret makes another one.
    </p>
    <DialogActions>
      <Button kind="primary" onClick={onClose}>
        I have copied it
      </Button>
    </DialogActions>
  </Dialog>
)
