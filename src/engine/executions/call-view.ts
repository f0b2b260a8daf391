// A journaled call as users see it.
import type { ErrorCode } from "../../core/errors.ts"
import type { CallView } from "../../core/execution.ts"
import type { CallHead } from "../../store/execution-store.ts"

export const viewCall = (row: CallHead): CallView => ({
  address: row.address,
  args: JSON.parse(row.argsJson === "" ? "null" : row.argsJson) as unknown,
  decision: row.decision,
  ...(row.rule === null ? {} : { rule: row.rule }),
  status: row.state,
  ms: row.ms,
  ...(row.errorCode === null ? {} : { error: { code: row.errorCode as ErrorCode, message: row.errorMessage ?? "" } }), // written from a ToolFailure
})
