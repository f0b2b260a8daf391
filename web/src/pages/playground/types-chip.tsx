// Whether the editor knows the types of what is called.
import type { ReactNode } from "react"
import { Badge } from "../../ui/badge.tsx"
import type { TypesState } from "./types/use-types.ts"

const texts: Readonly<Record<TypesState, string>> = {
  loading: "Types are loading…",
  ready: "Types are ready",
  failed: "Some types could not be loaded",
}

export const TypesChip = ({ state }: { readonly state: TypesState }): ReactNode => (
  <span role="status">
    <Badge tone={state === "failed" ? "warn" : "neutral"}>{texts[state]}</Badge>
  </span>
)
