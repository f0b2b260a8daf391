// Reads the stored events that moved code, as replay delivers them.
import type { SettleEvent } from "../../sandbox/sandbox.ts"
import type { CallRow, EventRow } from "../../store/execution-store.ts"

/** Whether it moved the execution's own code. */
export const isOwn = ({ key }: EventRow): boolean => key === null || !key.includes("/")

/** Whether it moved the code that performs the call of this prefix, and not that of a call which it made. */
export const isOf = ({ key }: EventRow, prefix: string): boolean =>
  key !== null && key.startsWith(prefix) && !key.includes("/", prefix.length)

export function toSettleEvent(event: EventRow, calls: ReadonlyMap<string, CallRow>): SettleEvent {
  if (event.type === "tick" || event.key === null) return { type: "tick", atMs: event.atMs }
  const row = calls.get(event.key)
  // An answer is appended before the event that delivers it, so that an event without one cannot be read.
  return { type: "answer", key: event.key, form: row?.answerForm ?? "reject", json: row?.answerJson ?? "null", atMs: event.atMs }
}
