// What the process ends with: the exit codes, and which error gives which.
import type { ErrorCode } from "../../core/errors.ts"
import { ExecutorError } from "../../core/errors.ts"
import { NoServerError } from "./server/no-server-error.ts"
import { UsageError } from "./usage-error.ts"

export const exitCodes = { done: 0, failed: 1, usage: 2, paused: 3, notFound: 4, denied: 5, noServer: 6 } as const
/** What shells call a program that was ended by Ctrl-C. */
export const interruptedExitCode = 130
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** Whatever is not named here has failed. */
const codesOfErrors: Partial<Record<ErrorCode, ExitCode>> = {
  tool_not_found: exitCodes.notFound,
  not_found: exitCodes.notFound,
  tool_ambiguous: exitCodes.usage,
  invalid_arguments: exitCodes.usage,
  invalid_request: exitCodes.usage,
  tool_blocked: exitCodes.denied,
  approval_declined: exitCodes.denied,
  approval_cancelled: exitCodes.denied,
  forbidden: exitCodes.denied,
  unauthorized: exitCodes.denied,
  approval_required: exitCodes.paused,
}

export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof UsageError) return exitCodes.usage
  if (error instanceof NoServerError) return exitCodes.noServer
  if (!(error instanceof ExecutorError) || isUpstreams(error.details)) return exitCodes.failed
  return exitCodeOfCode(error.code)
}

/** The request was right, and what it named did not answer. */
const isUpstreams = (details: unknown): boolean => typeof details === "object" && details !== null && "upstream" in details

export const exitCodeOfCode = (code: string): ExitCode =>
  (Object.hasOwn(codesOfErrors, code) ? codesOfErrors[code as ErrorCode] : undefined) ?? exitCodes.failed // a key of the table is a code
