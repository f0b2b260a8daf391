// The signing secret of a webhook: shown once, when it is new.
import type { ReactNode } from "react"
import { ShownOnce } from "../../../ui/dialogs/shown-once.tsx"

export const SecretDialog = ({ secret, onClose }: { readonly secret: string | null; readonly onClose: () => void }): ReactNode => (
  <ShownOnce
    title="Signing secret"
    about="Copy it now: it is not shown again. The receiver checks with it that a message is from here."
    copyLabel="Copy the secret"
    text={secret}
    onClose={onClose}
  >
    Every message has the header <code className="font-mono text-sm">X-Executor-Signature: t=…,v1=…</code>, where v1 is the HMAC-SHA256 of
    t, a dot and the body. Whoever loses the secret makes another one.
  </ShownOnce>
)
