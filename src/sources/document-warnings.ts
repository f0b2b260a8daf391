// Collects the errors of a document up to a limit, and counts the rest.
import type { Warning } from "../core/integration.ts"

const messageCharsMax = 300
const locationCharsMax = 500

export type Warnings = {
  add(location: string, message: string): void
  /** What concerns the whole document: it is listed before the rest. */
  lead(location: string, message: string): void
  list(): readonly Warning[]
}

export function collectWarnings(countMax: number): Warnings {
  const leading: Warning[] = []
  const kept = new Map<string, Warning>()
  let dropped = 0
  return {
    add(location, message) {
      const warning = { location: shorten(location, locationCharsMax), message: shorten(message, messageCharsMax) }
      const key = `${warning.location}\n${warning.message}`
      if (kept.has(key)) return
      // The last line is kept for the count of what is not shown.
      if (kept.size >= countMax - 1) dropped += 1
      else kept.set(key, warning)
    },
    lead: (location, message) => void leading.push({ location, message: shorten(message, messageCharsMax) }),
    list() {
      const warnings = [...kept.values()]
      const room = countMax - leading.length
      if (dropped === 0 && warnings.length <= room) return [...leading, ...warnings]
      const shown = warnings.slice(0, room - 1)
      const hidden = dropped + warnings.length - shown.length
      return [...leading, ...shown, { location: "#", message: `${hidden} more warnings are not shown` }]
    },
  }
}

const shorten = (text: string, charsMax: number): string =>
  (text.length <= charsMax ? text : `${text.slice(0, charsMax - 1)}…`).replaceAll("\u0000", "").toWellFormed()
