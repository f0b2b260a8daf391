// The order of tools that a request does not tell apart: plain ones of every subject before special ones of any.

/** Counts above this are all "many": it keeps the sort keys below exact in a double, up to a million tools. */
const many = 0xffff

/**
 * For each tool its position: the shortest names of each group first, groups with many tools before small ones,
 * deprecated tools last, and by name where all that is equal. `byName` lists the tools in the order of their names.
 * Sorting numbers instead of comparing tools keeps this short for the largest tool sets.
 */
export function plainnessOf(names: readonly string[], byName: Uint32Array, isDeprecated: (tool: number) => boolean): Uint32Array {
  const count = names.length
  const groups = names.map(groupOf)
  const members = new Map<string, number>()
  for (const group of groups) members.set(group, (members.get(group) ?? 0) + 1)

  const shortestFirst = new Float64Array(count)
  for (const [position, tool] of byName.entries()) shortestFirst[position] = (names[tool]?.length ?? 0) * count + position
  const keys = new Float64Array(count)
  const seen = new Map<string, number>()
  for (const [index, key] of shortestFirst.toSorted().entries()) {
    const position = key % count
    const tool = byName[position] ?? 0
    const group = groups[tool] ?? ""
    const rank = seen.get(group) ?? 0
    seen.set(group, rank + 1)
    const size = members.get(group) ?? 0
    const age = isDeprecated(tool) ? 1 : 0
    keys[index] = ((age * (many + 1) + Math.min(rank, many)) * (many + 1) + many - Math.min(size, many)) * count + position
  }
  const plainness = new Uint32Array(count)
  for (const [place, key] of keys.toSorted().entries()) plainness[byName[key % count] ?? 0] = place
  return plainness
}

/** `issues` of `issues.create`, `chat` of `chat_post_message`, `list` of `listThings`. */
function groupOf(name: string): string {
  const dot = name.indexOf(".")
  return dot > 0 ? name.slice(0, dot) : (/^[A-Z]*[^_A-Z]*/.exec(name)?.[0] ?? "")
}
