// Finds circles in a graph of names, with stacks of their own because a document decides how long a path is.

export type Graph = ReadonlyMap<string, ReadonlySet<string>>
export type Edge = { readonly from: string; readonly to: string }

/** The groups of names that lead to each other (Tarjan's algorithm). */
export function circlesOf(graph: Graph): Set<string>[] {
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const open: string[] = []
  const isOpen = new Set<string>()
  const circles: Set<string>[] = []

  for (const start of [...graph.keys()].toSorted()) {
    const stack = index.has(start) ? [] : [enter(start)]
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const to = top.rest.pop()
      if (to !== undefined) {
        if (!index.has(to)) stack.push(enter(to))
        else if (isOpen.has(to)) lower(top.name, index.get(to) ?? 0)
        continue
      }
      stack.pop()
      const parent = stack.at(-1)
      if (parent) lower(parent.name, low.get(top.name) ?? 0)
      if (low.get(top.name) === index.get(top.name)) close(top.name)
    }
  }
  return circles

  function enter(name: string): { name: string; rest: string[] } {
    low.set(name, index.size)
    index.set(name, index.size)
    open.push(name)
    isOpen.add(name)
    return { name, rest: targets(graph, name) }
  }

  function lower(name: string, value: number): void {
    low.set(name, Math.min(low.get(name) ?? value, value))
  }

  function close(root: string): void {
    const members = new Set(open.splice(open.lastIndexOf(root)))
    for (const member of members) isOpen.delete(member)
    if (members.size > 1 || graph.get(root)?.has(root)) circles.push(members)
  }
}

/** The edges that close a circle in a depth-first walk: without them there is none left. */
export function closingEdges(graph: Graph): Edge[] {
  const state = new Map<string, "open" | "done">()
  const found: Edge[] = []
  for (const start of [...graph.keys()].toSorted()) {
    const stack = state.has(start) ? [] : [enter(start)]
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const to = top.rest.pop()
      if (to === undefined) {
        state.set(top.name, "done")
        stack.pop()
      } else if (state.get(to) === "open") found.push({ from: top.name, to })
      else if (!state.has(to)) stack.push(enter(to))
    }
  }
  return found

  function enter(name: string): { name: string; rest: string[] } {
    state.set(name, "open")
    return { name, rest: targets(graph, name) }
  }
}

const targets = (graph: Graph, name: string): string[] => [...(graph.get(name) ?? [])].filter((to) => graph.has(to))
