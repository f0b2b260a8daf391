// What the catalog's tools need of an executor: `createExecutor()` of `toolplane` has it, and the client of `toolplane/client`.
import { ExecutorError } from "../../core/errors.ts"
import type { ExecutorApi } from "../../core/executor-api.ts"
import { FunctionCallError } from "../function-call-error.ts"

export type CatalogExecutor = Pick<ExecutorApi, "run" | "resume"> & {
  readonly tools: Pick<ExecutorApi["tools"], "list" | "schema" | "inventory">
  readonly executions: Pick<ExecutorApi["executions"], "get" | "result" | "cancel" | "events">
  readonly approvals: Pick<ExecutorApi["approvals"], "events">
}

/** A model reads why it was refused; a bug ends the turn. */
export async function forModel<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ExecutorError) throw FunctionCallError.respondToModel(`${error.code}: ${error.message}`)
    throw error
  }
}
