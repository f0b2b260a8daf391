// What the queries of executions need from a database besides reading: the journal, and changes that return rows.
import type { Broadcasts } from "./broadcasts.ts"
import type { ExecutionSignals, JournalRows } from "../execution-store.ts"
import type { Dialect, Statement } from "../statement.ts"

/** Which records that this process appended must be there first: all, those of one execution, or none. */
export type Sees = "all" | "none" | { readonly executionId: string }

export interface ExecutionBackend {
  readonly dialect: Dialect
  all<Row>(statement: Statement<Row>, sees: Sees): Promise<Row[]>
  readonly append: JournalRows["append"]
  /** All or nothing; answers the rows of each statement. */
  batch(statements: readonly Statement<unknown>[]): Promise<readonly (readonly unknown[])[]>
  /** Seals one batch of the audit's entries. */
  seal(): Promise<"more" | "none">
  readonly signals: ExecutionSignals
  readonly broadcasts: Broadcasts
  close(): Promise<void>
}

/** One change, and the rows it returns. */
export async function changeOne<Row>(backend: ExecutionBackend, statement: Statement<Row>): Promise<Row[]> {
  const [rows = []] = await backend.batch([statement])
  return [...rows] as Row[] // the columns that the compiled query returns
}
