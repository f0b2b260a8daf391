// Finds the tools that a request names by path, exactly or by prefix.
import type { CatalogView, Group } from "../index/view.ts"
import type { Scores } from "../ranking/score.ts"
import { namesFrom } from "../index/segment.ts"
import type { Postings } from "../index/segment.ts"

const pathLike = /^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+\.?$/
const bareName = /^[A-Za-z_$][\w$]*$/

/** What a request says that looks like a path, in lower case; null when it is none. */
export function pathIn(text: string): string | null {
  const path = text.trim().replace(/^tools\./, "")
  return pathLike.test(path) || bareName.test(path) ? path.toLowerCase() : null
}

/** How a tool is named. The numbers only order them: exact paths come before what goes on from the path. */
export const exactly = 2
const byBeginning = 1

/** For each tool of each group whether the path names it; null when it names none. Nothing is made for a match, because a short prefix may have a hundred thousand. */
export function matchPath(path: string, view: CatalogView): Scores | null {
  const matches = new Float32Array(view.slots)
  let found = false
  const mark = (group: Group, { from, to }: Postings, value: number): void => {
    const { byName } = group.segment
    for (let at = from; at < to; at += 1) matches[group.offset + (byName[at] ?? 0)] = value
    found ||= to > from
  }
  for (const group of view.groups) {
    for (const tail of group.tails) {
      // A single word is a path only if it is all of one: `graphql`, `read_file`.
      if (path.includes(".")) mark(group, namesFrom(group.segment, tail, "anyhow"), byBeginning)
      mark(group, namesFrom(group.segment, tail, "not"), exactly)
    }
  }
  return found ? matches : null
}
