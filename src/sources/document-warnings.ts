// Collects what a document gets wrong, up to a limit, and counts the rest.
import type { Warning } from "../core/integration.ts"

const messageCharsMax = 300
const locationCharsMax = 500

export type Warnings = {
  add(location: string, message: string): void
  list(): readonly Warning[]
}

export function collectWarnings(countMax: number): Warnings {
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
    list() {
      const warnings = [...kept.values()]
      if (dropped === 0) return warnings
      return [...warnings, { location: "#", message: `${dropped} more warnings are not shown` }]
    },
  }
}

const shorten = (text: string, charsMax: number): string =>
  (text.length <= charsMax ? text : `${text.slice(0, charsMax - 1)}…`).replaceAll("\u0000", "").toWellFormed()
