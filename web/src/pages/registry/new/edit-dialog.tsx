// The dialog that edits the working copy of a tool that was made here. Agents go on with what is published.
import type { ReactNode } from "react"
import type { RegistryToolView } from "toolplane/client"
import { Dialog } from "../../../ui/dialogs/dialog.tsx"
import { lazily } from "../../../ui/lazily.tsx"
import { safeLine } from "../../../ui/text/text.tsx"
import { toast } from "../../../ui/toast.tsx"
import { toolKinds } from "./tool-kinds.ts"

const ToolForm = lazily(() => import("./tool-form.tsx").then((part) => part.ToolForm))

type EditProps = { readonly made: RegistryToolView; readonly isOpen: boolean; readonly onClose: () => void }

export function EditDialog({ made, isOpen, onClose }: EditProps): ReactNode {
  const kind = toolKinds.find(({ id }) => id === made.implementationType)
  if (kind === undefined) return null
  return (
    <Dialog
      title={`Edit ${safeLine(made.name)}`}
      about="This changes the working copy. Agents call what is published until you publish it."
      isOpen={isOpen}
      onClose={onClose}
      isWide
    >
      <ToolForm
        kind={kind}
        made={made}
        onBack={onClose}
        onSaved={() => {
          toast("The working copy is saved")
          onClose()
        }}
      />
    </Dialog>
  )
}

/** Why it cannot be edited here; null where it can. */
export const editReason = ({ implementationType }: RegistryToolView): string | null =>
  toolKinds.some(({ id }) => id === implementationType) ? null : "This version of Executor does not know its type"
