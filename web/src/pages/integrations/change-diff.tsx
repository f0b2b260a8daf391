// What a change of an imported tool means for its callers: what breaks, what widens, what is only said otherwise.
import type { ReactNode } from "react"
import type { ToolSchemaView } from "toolplane/client"
import { diffDefinitions } from "../../../../src/diff/definition-diff.ts"
import { Diff } from "../../ui/text/diff.tsx"

type Pinned = NonNullable<ToolSchemaView["change"]>["current"]

export const ChangeDiff = ({ accepted, current }: { readonly accepted: Pinned; readonly current: Pinned }): ReactNode => (
  <Diff diff={diffDefinitions(accepted, current)} />
)
