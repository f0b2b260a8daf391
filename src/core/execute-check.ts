// Checks the arguments of `execute` for callers without a type checker, in process and over HTTP alike.
import { ExecutorError } from "./errors.ts"

const known = ["signal", "timeoutMs", "approve"]

export function checkExecute(address: unknown, options: unknown): void {
  if (typeof address !== "string") refuse(`The address must be a string such as "tools.github.org.main.repos.get", not ${nameOf(address)}`)
  if (typeof options !== "object" || options === null) refuse(`The options must be an object, not ${nameOf(options)}`)
  const unknownName = Object.keys(options).find((name) => !known.includes(name))
  if (unknownName !== undefined) refuse(`Unknown option '${unknownName}'; execute takes ${known.join(", ")}`)
  const { signal, timeoutMs, approve } = options as { signal?: unknown; timeoutMs?: unknown; approve?: unknown } // read as unknown here
  if (approve !== undefined && approve !== "auto" && typeof approve !== "function")
    refuse(`approve must be "auto" or a function that answers for the human, not ${nameOf(approve)}`)
  if (timeoutMs !== undefined && !(typeof timeoutMs === "number" && Number.isFinite(timeoutMs) && timeoutMs >= 1))
    refuse("timeoutMs must be a number of at least 1")
  if (signal !== undefined && !(signal instanceof AbortSignal)) refuse(`signal must be an AbortSignal, not ${nameOf(signal)}`)
}

function refuse(message: string): never {
  throw new ExecutorError("invalid_request", message)
}

/** A value as it appears in a message. */
function nameOf(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, 80))
  return value === null || typeof value !== "object" ? String(value) : Array.isArray(value) ? "an array" : "an object"
}
