// The versions of a tool, as users see them.
import type { DefinitionDiff } from "./diff.ts"

export const toolChangeKinds = ["added", "changed", "removed"] as const
export type ToolChangeKind = (typeof toolChangeKinds)[number]

/** Of an imported tool a version is a number that counts the changes of its definition, as text. */
export type ToolVersionView = {
  readonly version: string
  /** Since when it is what calls use; null for a tool that comes with Executor. */
  readonly at: string | null
  readonly change: ToolChangeKind
  /** What differs from the version before it; null where there is none to compare with. */
  readonly diff: DefinitionDiff | null
  /** Those that the acting principal may see in the audit. */
  readonly callsLast30Days: number
  /** People and tokens that made those calls, each once. */
  readonly callersLast30Days: number
}
