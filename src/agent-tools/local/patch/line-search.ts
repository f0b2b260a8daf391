// Finds consecutive lines in a file, first exactly, then as models misremember them: other spaces, typographic characters.
import { defaultLimits } from "../../../core/limits.ts"
import { FunctionCallError } from "../../function-call-error.ts"

export type LineSearch = {
  /** Where the lines are, at or after `from`; `atEnd` allows the end of the file only. */
  find(wanted: readonly string[], from: number, atEnd: boolean): number | null
}

/** Counts compared lines over a whole patch: a hostile one could otherwise compare for hours. */
export type Steps = { count: number }

type Reading = (line: string) => string

const readings: readonly Reading[] = [(line) => line, (line) => line.trimEnd(), (line) => line.trim(), (line) => plain(line.trim())]

/** Dashes, quotation marks, and spaces that are not on every keyboard. */
function plain(line: string): string {
  return line
    .replaceAll(/[\u2010-\u2015\u2212]/g, "-")
    .replaceAll(/[\u2018-\u201b]/g, "'")
    .replaceAll(/[\u201c-\u201f]/g, '"')
    .replaceAll(/[\u00a0\u2002-\u200a\u202f\u205f\u3000]/g, " ")
}

export function createLineSearch(lines: readonly string[], steps: Steps): LineSearch {
  const read = new Map<Reading, readonly string[]>()
  const linesRead = (reading: Reading): readonly string[] => {
    const known = read.get(reading) ?? lines.map(reading)
    read.set(reading, known)
    return known
  }
  return {
    find(wanted, from, atEnd) {
      const last = lines.length - wanted.length
      const first = atEnd ? last : from
      if (first < from) return null
      for (const reading of readings) {
        const found = indexOf(linesRead(reading), wanted.map(reading), first, last, steps)
        if (found !== null) return found
      }
      return null
    },
  }
}

function indexOf(lines: readonly string[], wanted: readonly string[], first: number, last: number, steps: Steps): number | null {
  for (let start = first; start <= last; start += 1) {
    let matched = 0
    while (matched < wanted.length && lines[start + matched] === wanted[matched]) matched += 1
    if (matched === wanted.length) return start
    steps.count += matched + 1
    if (steps.count > defaultLimits.agentPatchStepsMax) {
      throw FunctionCallError.respondToModel(
        "apply_patch verification failed: the patch takes too long to compare with its files; send smaller patches with distinctive lines",
      )
    }
  }
  return null
}
