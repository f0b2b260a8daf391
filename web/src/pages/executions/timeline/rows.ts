// The rows of a timeline: the execution, and below it its calls as a tree.
import type { CallDetail } from "toolplane/client"
import { withoutRoot } from "../../../../../src/core/address.ts"
import { safeLine } from "../../../ui/text/text.tsx"
import { stepOf } from "./segments.ts"

export type TimelineRow = {
  /** Empty for the execution itself. */
  readonly key: string
  readonly call: CallDetail | null
  /** From 1, as readers of trees count. */
  readonly level: number
  readonly hasChildren: boolean
}

const parentOf = (key: string): string => key.slice(0, Math.max(0, key.lastIndexOf("/")))

/** `closed`: the keys of rows whose children are not shown. */
export function rowsOf(calls: readonly CallDetail[], closed: ReadonlySet<string>): readonly TimelineRow[] {
  const parents = new Set(calls.map(({ key }) => parentOf(key)))
  const hidden = new Set<string>()
  const rows: TimelineRow[] = [{ key: "", call: null, level: 1, hasChildren: calls.length > 0 }]
  for (const call of calls) {
    const parent = parentOf(call.key)
    if (closed.has(parent) || hidden.has(parent)) hidden.add(call.key)
    else rows.push({ key: call.key, call, level: (call.depth ?? 0) + 2, hasChildren: parents.has(call.key) })
  }
  return rows
}

/** A step of an agent by its number and its first words. */
export function labelOf(call: CallDetail): string {
  const step = stepOf(call)
  if (step === null) return safeLine(withoutRoot(call.path))
  const says = step.words === "" ? step.calls.join(", ") : step.words
  return safeLine(`Step ${step.number}${says === "" ? `: asks ${step.model}` : `: ${says}`}`)
}
