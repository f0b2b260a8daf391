// Selects operations by `include` and `exclude`: globs over tags (`tag:issues`, or just its name), paths (`/repos/**`),
// tool names (`issues.*`) or operationIds (`issues/list-*`).
//
// `*` is one segment or a part of one, `**` is zero or more segments, `*` alone is everything. There are no regular
// expressions, so that no pattern can make the match slow.

export type Selectable = {
  readonly name: string
  readonly path: string
  readonly operationId: string | null
  readonly tags: readonly string[]
}

export type Selection = { readonly isSelected: (tool: Selectable) => boolean; readonly unused: () => string[] }

export function createSelection(include: readonly string[], exclude: readonly string[]): Selection {
  const used = new Set<string>()
  const matchesAny = (patterns: readonly string[], tool: Selectable): boolean => {
    let isMatched = false
    for (const pattern of patterns) {
      if (!matchesTool(pattern, tool)) continue
      used.add(pattern)
      isMatched = true
    }
    return isMatched
  }
  return {
    isSelected(tool) {
      const isIncluded = include.length === 0 || matchesAny(include, tool)
      return !matchesAny(exclude, tool) && isIncluded
    },
    unused: () => [...include, ...exclude].filter((pattern) => !used.has(pattern)),
  }
}

export function matchesTool(pattern: string, tool: Selectable): boolean {
  if (pattern === "*" || pattern === "**") return true
  if (pattern.startsWith("tag:")) return tool.tags.some((tag) => matchesText(pattern.slice("tag:".length), tag))
  if (pattern.startsWith("/")) return matchesPath(pattern.split("/"), tool.path.split("/"))
  if (tool.tags.includes(pattern) || matchesPath(pattern.split("."), tool.name.split("."))) return true
  return tool.operationId !== null && matchesPath(pattern.split(idSeparators), tool.operationId.split(idSeparators))
}

/** What authors group operationIds by. */
const idSeparators = /[/.]/

function matchesPath(want: readonly string[], have: readonly string[]): boolean {
  // reachable[i]: the pattern so far can have used up the first i segments.
  let reachable = new Set([0])
  for (const segment of want) {
    const next = new Set<number>()
    if (segment === "**") {
      const first = Math.min(...reachable)
      for (let end = first; end <= have.length; end += 1) next.add(end)
    } else {
      for (const used of reachable) if (used < have.length && matchesText(segment, have[used] ?? "")) next.add(used + 1)
    }
    if (next.size === 0) return false
    reachable = next
  }
  return reachable.has(have.length)
}

/** Each piece between the stars is looked for after the one before it, which is enough because stars stretch. */
function matchesText(pattern: string, text: string): boolean {
  const [first = "", ...rest] = pattern.split("*")
  if (rest.length === 0) return pattern === text
  const last = rest.pop() ?? ""
  if (!text.startsWith(first)) return false
  let at = first.length
  for (const piece of rest) {
    const found = text.indexOf(piece, at)
    if (found === -1) return false
    at = found + piece.length
  }
  return text.length - last.length >= at && text.endsWith(last)
}
