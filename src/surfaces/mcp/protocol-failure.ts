// Turns a refusal into an error of the protocol, for requests whose results cannot carry one.
import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server"
import { ExecutorError } from "../../core/errors.ts"

/** Outside tool calls there is no result that could carry an error. */
export async function rethrown<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ExecutorError) throw new ProtocolError(ProtocolErrorCode.InvalidParams, error.message, { code: error.code })
    throw error
  }
}
