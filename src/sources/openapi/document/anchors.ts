// Finds the places of a file that have a name of their own: `$anchor`, `$dynamicAnchor` and `$id`.
import { pointerJoin } from "./pointer.ts"
import { isObject, own } from "../../document-value.ts"

export type AnchorIndex = { readonly anchors: ReadonlyMap<string, string>; readonly ids: ReadonlyMap<string, string> }

/** Visits every node once and keeps its own stack, because a document may be deeper than ours. */
export function anchorIndex(root: unknown): AnchorIndex {
  const anchors = new Map<string, string>()
  const ids = new Map<string, string>()
  const seen = new Set<unknown>()
  const stack: { value: unknown; pointer: string }[] = [{ value: root, pointer: "" }]
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { value, pointer } = next
    if (typeof value !== "object" || value === null || seen.has(value)) continue
    seen.add(value)
    if (isObject(value)) noteNames(value, pointer)
    for (const [name, child] of Object.entries(value)) {
      if (typeof child === "object" && child !== null) stack.push({ value: child, pointer: pointerJoin(pointer, name) })
    }
  }
  return { anchors, ids }

  function noteNames(value: Readonly<Record<string, unknown>>, pointer: string): void {
    for (const keyword of ["$anchor", "$dynamicAnchor"]) {
      const name = own(value, keyword)
      if (typeof name === "string" && !anchors.has(name)) anchors.set(name, pointer)
    }
    const id = own(value, "$id")
    if (typeof id === "string" && !ids.has(id)) ids.set(id, pointer)
  }
}
