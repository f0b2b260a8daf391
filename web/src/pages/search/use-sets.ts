// Evaluation sets in work. They are kept in this browser, for the person and organization that are signed in, and travel as
// the files that `executor tools eval` reads.
import { useState } from "react"
import { useQuery } from "@tanstack/react-query"
import type { Evaluation, EvaluationCase } from "toolplane/client"
import { meQuery } from "../../api/query.ts"

/** `before`: how well the run before the last one did. */
export type EvaluationSet = {
  readonly name: string
  readonly cases: readonly EvaluationCase[]
  readonly last?: Evaluation
}

export type Sets = {
  readonly all: readonly EvaluationSet[]
  /** The one that is worked on; a new one where there is none. */
  readonly open: EvaluationSet
  choose(name: string): void
  /** Replaces the open one. */
  change(set: EvaluationSet): void
  add(set: EvaluationSet): void
  remove(): void
  /** The tools answer the request, beside those that did before. */
  addCase(query: string, tools: readonly string[]): void
}

const firstSet: EvaluationSet = { name: "My set", cases: [] }
const right = 2

/** `first`: the name of the one that is open at first; `onChoose` is told when another one is. */
export function useSets(first: string | undefined, onChoose: (name: string | undefined) => void): Sets {
  const { data: me } = useQuery(meQuery)
  const place = me === undefined ? null : `executor-search-sets:${me.tenant}/${me.id}`
  const [changed, setChanged] = useState<readonly EvaluationSet[] | null>(null)
  const [chosen, setChosen] = useState(first)
  const choose = (name: string | undefined): void => {
    setChosen(name)
    onChoose(name)
  }
  const all = changed ?? (place === null ? [] : read(place))
  const open = all.find(({ name }) => name === chosen) ?? all[0] ?? firstSet
  const write = (sets: readonly EvaluationSet[]): void => {
    setChanged(sets)
    if (place !== null) keep(place, sets)
  }
  const change = (set: EvaluationSet): void => {
    write(all.length === 0 ? [set] : all.map((one) => (one === open ? set : one)))
    choose(set.name)
  }
  return {
    all,
    open,
    choose,
    change,
    add(set) {
      write([...all.filter(({ name }) => name !== set.name), set])
      choose(set.name)
    },
    remove() {
      write(all.filter((one) => one !== open))
      choose(undefined)
    },
    addCase(query, tools) {
      const known = open.cases.find((one) => one.query === query)
      const grades = { ...known?.tools, ...Object.fromEntries(tools.map((path) => [path, right])) }
      const others = open.cases.filter((one) => one !== known)
      change({ name: open.name, cases: [...others, { query, tools: grades }] })
    },
  }
}

function read(place: string): readonly EvaluationSet[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(place) ?? "[]")
    return Array.isArray(kept) ? (kept as EvaluationSet[]) : [] // written below
  } catch {
    return []
  }
}

function keep(place: string, sets: readonly EvaluationSet[]): void {
  try {
    localStorage.setItem(place, JSON.stringify(sets))
  } catch {
    // A browser that keeps nothing still has the sets until the page is closed.
  }
}
