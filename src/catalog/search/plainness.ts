// The order of tools that a request does not tell apart: plain ones of every subject before special ones of any.

/** For each tool its position: the shortest names of each group first, groups with many tools before small ones, deprecated tools last. */
export function plainnessOf(names: readonly string[], facts: Uint8Array): Uint32Array {
  const groups = Map.groupBy(names.keys(), (tool) => groupOf(names[tool] ?? ""))
  const rankInGroup = new Uint32Array(names.length)
  for (const group of groups.values()) {
    const ordered = group.toSorted((a, b) => lengthOf(names[a]) - lengthOf(names[b]) || compareText(names[a] ?? "", names[b] ?? ""))
    for (const [rank, tool] of ordered.entries()) rankInGroup[tool] = rank
  }
  const sizeOf = (tool: number): number => groups.get(groupOf(names[tool] ?? ""))?.length ?? 0
  const sizes = Uint32Array.from(names.keys(), sizeOf)
  const order = [...names.keys()].toSorted(
    (a, b) =>
      ((facts[a] ?? 0) & 4) - ((facts[b] ?? 0) & 4) ||
      (rankInGroup[a] ?? 0) - (rankInGroup[b] ?? 0) ||
      (sizes[b] ?? 0) - (sizes[a] ?? 0) ||
      compareText(names[a] ?? "", names[b] ?? ""),
  )
  const plainness = new Uint32Array(names.length)
  for (const [position, tool] of order.entries()) plainness[tool] = position
  return plainness
}

/** `issues` of `issues.create`, `chat` of `chat_post_message`, `list` of `listThings`. */
function groupOf(name: string): string {
  const dot = name.indexOf(".")
  return dot > 0 ? name.slice(0, dot) : (/^[A-Z]*[^_A-Z]*/.exec(name)?.[0] ?? "")
}

const lengthOf = (name = ""): number => name.length

const compareText = (a: string, b: string): number => {
  if (a === b) return 0
  return a < b ? -1 : 1
}
