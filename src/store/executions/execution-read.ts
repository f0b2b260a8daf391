// Rows of executions as the port has them.
import type { ExecutionHead, ExecutionRow } from "../execution-store.ts"
import { unpack } from "./packing.ts"
import { executionColumns } from "./shapes.ts"
import type { Packed } from "./packing.ts"

type HeavyField = "result" | "logs" | "emitted"
type ExecutionColumn = (typeof executionColumns)[number]
type HeadColumn = Exclude<ExecutionColumn, `${string} as ${HeavyField}`>

const isLight = (column: ExecutionColumn): column is HeadColumn => !/ as (?:result|logs|emitted)$/.test(column)

/** What a list shows: results have up to 16 MB each. */
export const headColumns: readonly HeadColumn[] = executionColumns.filter(isLight)

type Stored<Row> = {
  readonly [Field in keyof Row]: Field extends "autoApprove" ? number : Field extends "code" | HeavyField ? Row[Field] | Packed : Row[Field]
}

export async function readExecutions(rows: readonly Stored<ExecutionRow>[]): Promise<ExecutionRow[]> {
  const unpacked = await unpack(rows, ["code", "result", "logs", "emitted"])
  return unpacked.map((row) => ({ ...row, autoApprove: row.autoApprove === 1 }))
}

export async function readHeads(rows: readonly Stored<ExecutionHead>[]): Promise<ExecutionHead[]> {
  const unpacked = await unpack(rows, ["code"])
  return unpacked.map((row) => ({ ...row, autoApprove: row.autoApprove === 1 }))
}
