// The dialog of a new tool: first its type, then the form of that type.
import type { ReactNode } from "react"
import { Link } from "@tanstack/react-router"
import type { RegistryToolView } from "toolplane/client"
import { useMissingRight } from "../../../api/rights.ts"
import { Dialog } from "../../../ui/dialogs/dialog.tsx"
import { lazily } from "../../../ui/lazily.tsx"
import { kindLabel, toolKinds } from "./tool-kinds.ts"

const ToolForm = lazily(() => import("./tool-form.tsx").then((part) => part.ToolForm))

type NewToolProps = {
  /** What the address says: undefined is closed, and anything that is no type chooses one. */
  readonly step: string | undefined
  readonly onStep: (step: string | undefined) => void
  readonly onSaved: (tool: RegistryToolView) => void
}

export function NewToolDialog({ step, onStep, onSaved }: NewToolProps): ReactNode {
  const kind = toolKinds.find(({ id }) => id === step)
  return (
    <Dialog
      title={kind === undefined ? "New tool" : `New tool: ${kindLabel(kind.id)}`}
      about={kind === undefined ? "How is it performed?" : kind.about}
      isOpen={step !== undefined}
      onClose={() => onStep(undefined)}
      isWide
    >
      {kind === undefined ? (
        <Kinds onChoose={onStep} />
      ) : (
        <ToolForm key={kind.id} kind={kind} onBack={() => onStep("choose")} onSaved={onSaved} />
      )}
    </Dialog>
  )
}

const look = "flex w-full flex-col rounded-control border border-line px-3 py-2 text-left text-text no-underline hover:bg-hover"

function FromApi(): ReactNode {
  const missing = useMissingRight("connections.org")
  const text = (
    <>
      <span className="font-medium">From an API</span>
      <span className="text-secondary">{missing ?? "Imports every operation of an API at once."}</span>
    </>
  )
  return missing === null ? (
    <Link to="/integrations" search={{ add: "presets" }} className={look}>
      {text}
    </Link>
  ) : (
    <button type="button" aria-disabled className={`${look} cursor-not-allowed opacity-60`}>
      {text}
    </button>
  )
}

const Kinds = ({ onChoose }: { readonly onChoose: (id: string) => void }): ReactNode => (
  <ul className="grid gap-2 min-[900px]:grid-cols-2">
    {toolKinds.map(({ id, about }) => (
      <li key={id}>
        <button type="button" onClick={() => onChoose(id)} className={look}>
          <span className="font-medium">{kindLabel(id)}</span>
          <span className="text-secondary">{about}</span>
        </button>
      </li>
    ))}
    <li>
      <FromApi />
    </li>
  </ul>
)
