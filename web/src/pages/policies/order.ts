// New positions for rules that change places.
import type { PolicyView } from "toolplane/client"

export type Move = { readonly id: string; readonly position: number }

/** `rules`: of one owner, in order. Usually one rule gets a number between its new neighbours; where none is left, all get new ones. */
export function moveRule(rules: readonly PolicyView[], id: string, by: -1 | 1): readonly Move[] {
  const from = rules.findIndex((rule) => rule.id === id)
  const to = from + by
  if (from === -1 || to < 0 || to >= rules.length) return []
  const others = rules.filter((rule) => rule.id !== id)
  const position = between(others[to - 1]?.position, others[to]?.position)
  if (position !== null) return [{ id, position }]
  const ordered = [...others.slice(0, to).map((rule) => rule.id), id, ...others.slice(to).map((rule) => rule.id)]
  return ordered.map((one, at) => ({ id: one, position: at + 1 }))
}

function between(above: number | undefined, below: number | undefined): number | null {
  const middle = above === undefined ? (below ?? 1) - 1 : below === undefined ? above + 1 : above + (below - above) / 2
  return (above === undefined || above < middle) && (below === undefined || middle < below) ? middle : null
}
