// The dialog that adds an integration: first what, then a look at what it would bring.
import type { ReactNode } from "react"
import { useState } from "react"
import { useMissingRight } from "../../api/rights.ts"
import { Dialog } from "../../ui/dialogs/dialog.tsx"
import { Empty } from "../../ui/states.tsx"
import { Tabs } from "../../ui/tabs.tsx"
import type { Draft } from "./draft.ts"
import { fromPreset } from "./draft.ts"
import { FileForm } from "./file-form.tsx"
import { PresetGallery } from "./preset-gallery.tsx"
import { Review } from "./review.tsx"
import { UrlForm } from "./url-form.tsx"

type AddProps = { readonly tab: string; readonly onTab: (tab: string) => void; readonly onClose: () => void }

const tabIds = ["presets", "url", "file"]

export function AddDialog({ tab, onTab, onClose }: AddProps): ReactNode {
  const [draft, setDraft] = useState<Draft | null>(null)
  const missing = useMissingRight("connections.org")
  const tabs = [
    {
      id: "presets",
      label: "Presets",
      content: <PresetGallery onPick={(preset) => setDraft(fromPreset(preset))} onUrl={() => onTab("url")} />,
    },
    { id: "url", label: "By URL", content: <UrlForm onFound={setDraft} onFile={() => onTab("file")} /> },
    { id: "file", label: "From a file", content: <FileForm onRead={setDraft} /> },
  ]
  return (
    <Dialog isOpen isWide onClose={onClose} title="Add integration" about="An API or an MCP server whose operations become tools.">
      {missing !== null && draft === null ? (
        <Empty title="You cannot add integrations">{missing}. Ask an admin of your organization.</Empty>
      ) : draft === null ? (
        <Tabs label="Where it is" tabs={tabs} open={tabIds.includes(tab) ? tab : "presets"} onOpen={onTab} />
      ) : (
        <Review draft={draft} onChange={setDraft} onBack={() => setDraft(null)} />
      )}
    </Dialog>
  )
}
