// The ids of runs that other runs start.
import { sha256 } from "../../../io/ids.ts"
import type { ExecutionRow } from "../../../store/execution-store.ts"

const prefixLength = "exe_".length + 12
const endLength = 4
/** Of the milliseconds since its root began, in base 36: days of them. */
const orderLength = 6

/**
 * Follows from the root, the call that the run performs, and when that began, which the journal knows: every replay finds the
 * same row. It begins as its root's, beside which it is listed in the order of time, and ends as that one's: by the end of an
 * id the store keeps records in order.
 */
export function childId({ id, startedAtMs }: Pick<ExecutionRow, "id" | "startedAtMs">, key: string, beganAtMs: number): string {
  const sinceMs = Math.min(Math.max(0, Math.floor(beganAtMs - startedAtMs)), 36 ** orderLength - 1)
  const order = sinceMs.toString(36).padStart(orderLength, "0")
  const rest = sha256(`${id}/${key}`).slice(0, id.length - prefixLength - orderLength - endLength)
  return `${id.slice(0, prefixLength)}${order}${rest}${id.slice(-endLength)}`
}
