// A limit as it is on this server, for people to read.
import type { LimitName, Limits } from "../limits.ts"
import { limitTable } from "../limits.ts"

export const limitUnits = ["milliseconds", "bytes", "characters", "count"] as const
export type LimitUnit = (typeof limitUnits)[number]

export type LimitView = {
  readonly name: string
  readonly value: number
  /** What it is where nobody has changed it. */
  readonly default: number
  readonly unit: LimitUnit
  /** Why there is this limit. */
  readonly reason: string
}

/** By name. */
export const viewLimits = (limits: Limits): LimitView[] =>
  (Object.keys(limitTable) as LimitName[]) // the table's own keys
    .toSorted()
    .map((name) => ({
      name,
      value: limits[name],
      default: limitTable[name].value,
      unit: unitOf(name),
      reason: limitTable[name].why,
    }))

/** Names say their unit. */
function unitOf(name: string): LimitUnit {
  if (/Ms(Max|Min)?$/.test(name)) return "milliseconds"
  if (/Bytes/.test(name)) return "bytes"
  return /Chars/.test(name) ? "characters" : "count"
}
