// Turns an internal error of a call into a result that names its log entry.
import { fail } from "../../core/result.ts"
import type { ToolFailure } from "../../core/result.ts"
import { newId } from "../../io/ids.ts"
import type { Log } from "../../io/log.ts"

export function bugReport(error: unknown, tool: string, log: Log): ToolFailure {
  const id = newId("err")
  log.error({ id, tool, error: error instanceof Error ? error.stack : String(error) }, "A call failed with an internal error")
  return fail("internal", `An internal error occurred; look it up in the log under ${id}`, { details: { id } })
}
