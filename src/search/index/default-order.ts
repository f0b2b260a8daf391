// The order of tools that a request does not distinguish: general ones of every subject before special ones of any.

import { sortSliced } from "./sort-sliced.ts"

/** Counts above this are all "many". */
const many = 0x10000
/** Names that are read between two turns of the event loop. */
const namesPerSlice = 4096

/**
 * For each tool its position: the shortest names of each group first, groups with many tools before small ones,
 * deprecated tools last, and by name where all that is equal. `byName` lists the tools in the order of their names.
 */
export function* defaultOrderOf(
  names: readonly string[],
  byName: Uint32Array,
  isDeprecated: (tool: number) => boolean,
): Generator<void, Uint32Array> {
  const count = names.length
  const { groupOf, sizes } = yield* groupsOf(names)
  const lengths = new Uint32Array(count)
  for (let position = 0; position < count; position += 1) lengths[position] = names[byName[position] ?? 0]?.length ?? 0
  yield
  const shortestFirst = yield* sortSliced(count, (a, b) => (lengths[a] ?? 0) - (lengths[b] ?? 0) || a - b)
  const keys = new Float64Array(count)
  const seen = new Uint32Array(sizes.length)
  for (let index = 0; index < count; index += 1) {
    const position = shortestFirst[index] ?? 0
    const tool = byName[position] ?? 0
    const group = groupOf[tool] ?? 0
    const rank = seen[group] ?? 0
    seen[group] = rank + 1
    const age = isDeprecated(tool) ? 1 : 0
    keys[position] = (age * many + Math.min(rank, many - 1)) * many + many - Math.min(sizes[group] ?? 0, many)
    if (index % namesPerSlice === 0) yield
  }
  const order = yield* sortSliced(count, (a, b) => (keys[a] ?? 0) - (keys[b] ?? 0) || a - b)
  const defaultOrder = new Uint32Array(count)
  for (let place = 0; place < count; place += 1) defaultOrder[byName[order[place] ?? 0] ?? 0] = place
  return defaultOrder
}

/** The group of each tool, by number, and how many tools each group has. */
function* groupsOf(names: readonly string[]): Generator<void, { groupOf: Uint32Array; sizes: readonly number[] }> {
  const numbers = new Map<string, number>()
  const sizes: number[] = []
  const groupOf = new Uint32Array(names.length)
  for (const [tool, name] of names.entries()) {
    const group = groupName(name)
    const number = numbers.get(group) ?? sizes.length
    numbers.set(group, number)
    sizes[number] = (sizes[number] ?? 0) + 1
    groupOf[tool] = number
    if (tool % namesPerSlice === 0) yield
  }
  return { groupOf, sizes }
}

/** `issues` of `issues.create`, `chat` of `chat_post_message`, `list` of `listThings`. */
function groupName(name: string): string {
  const dot = name.indexOf(".")
  return dot > 0 ? name.slice(0, dot) : (/^[A-Z]*[^_A-Z]*/.exec(name)?.[0] ?? "")
}
