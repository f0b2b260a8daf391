// Something on the command line or in the environment is wrong, and nothing was started.
import { ExecutorError } from "../../core/errors.ts"

export class UsageError extends Error {}

export function orUsageError<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw error instanceof ExecutorError ? new UsageError(error.message) : error
  }
}
