// A journaled call as users see it.
import type { ErrorCode } from "../../core/errors.ts"
import type { CallView } from "../../core/execution.ts"
import type { CallHead, CallRow, EventRow } from "../../store/execution-store.ts"
import { depthOf, parentOf } from "../programs/call-tree.ts"

/** `runId`: of the run that it started. */
export const viewCall = (row: CallHead, runId?: string): CallView => ({
  address: row.address,
  args: JSON.parse(row.argsJson === "" ? "null" : row.argsJson) as unknown,
  decision: row.decision,
  ...(row.rule === null ? {} : { rule: row.rule }),
  status: row.state,
  ms: row.ms,
  ...(runId === undefined ? {} : { runId }),
  ...(depthOf(row.key) === 0 ? {} : { depth: depthOf(row.key) }),
  ...(row.errorCode === null ? {} : { error: { code: row.errorCode as ErrorCode, message: row.errorMessage ?? "" } }), // written from a ToolFailure
})

/** Calls of tools' code by when they started; those of one millisecond by when they were answered. */
export function inOrderOfTime(rows: readonly CallRow[], events: readonly Pick<EventRow, "key" | "position">[]): CallRow[] {
  if (!rows.some(({ key }) => depthOf(key) > 0)) return [...rows]
  const answered = new Map(events.map(({ key, position }) => [key, position]))
  const answeredAt = ({ key }: CallRow): number => answered.get(key) ?? Number.MAX_SAFE_INTEGER
  const isNested = ({ key }: CallRow): boolean => depthOf(key) > 0
  return [
    ...rows.filter((row) => !isNested(row)),
    ...rows
      .filter(isNested)
      .toSorted((one, other) => (one.startedAt ?? "").localeCompare(other.startedAt ?? "") || answeredAt(one) - answeredAt(other)),
  ]
}

/** Each call is followed by those that its tool made. */
export function withChildren<Row extends { readonly key: string }>(rows: readonly Row[]): Row[] {
  if (!rows.some(({ key }) => depthOf(key) > 0)) return [...rows]
  const children = Map.groupBy(rows, ({ key }) => parentOf(key))
  const treeOf = (row: Row): Row[] => [row, ...(children.get(row.key) ?? []).flatMap(treeOf)]
  const known = new Set(rows.map(({ key }) => key))
  // The row of a parent that was stopped may be missing.
  return rows.filter(({ key }) => !known.has(parentOf(key) ?? "")).flatMap(treeOf)
}
