// What is being edited of an agent: kept while its tabs are looked at, and told apart from what others saved meanwhile.
import { useState } from "react"
import type { AgentView } from "toolplane/client"
import { draftOf, isSame } from "./draft.ts"
import type { Draft } from "./draft.ts"

export type Editing = {
  readonly draft: Draft
  readonly isDirty: boolean
  /** It was saved elsewhere since this draft was begun. */
  readonly isOutdated: boolean
  readonly change: (part: Partial<Draft>) => void
  /** Begins again with this. */
  readonly reset: (agent: AgentView) => void
}

export function useDraft(agent: AgentView): Editing {
  const [base, setBase] = useState(agent)
  const [typed, setTyped] = useState<Draft | null>(null)
  const isDirty = typed !== null && !isSame(typed, draftOf(base))
  // Whoever has typed nothing sees what is there now.
  const seen = isDirty ? base : agent
  return {
    draft: isDirty ? typed : draftOf(agent),
    isDirty,
    isOutdated: isDirty && !isSame(draftOf(base), draftOf(agent)),
    change: (part) => {
      setBase(seen)
      setTyped({ ...(isDirty ? typed : draftOf(agent)), ...part })
    },
    reset: (saved) => {
      setBase(saved)
      setTyped(null)
    },
  }
}
