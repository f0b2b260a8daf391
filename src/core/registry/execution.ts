// How many calls of a registry tool may run at once, and for how long.
import { ExecutorError } from "../errors.ts"
import { isRecord } from "../json/record.ts"
import type { Limits } from "../limits.ts"

export type ExecutionSettings = {
  readonly isPure: boolean
  readonly concurrencyGroup: string
  /** How many calls of the group may run when one of this tool starts, itself included. */
  readonly maxConcurrency: number
  /** From when the call may start; null: the limit of every call. */
  readonly timeoutMs: number | null
}

/** Counted per run; every other group per tenant. */
export const defaultGroup = "default"

const groupPattern = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,62}$/
const isGroup = (value: unknown): value is string => typeof value === "string" && groupPattern.test(value)
const fields = ["is_pure", "concurrency_group", "max_concurrency", "timeout_s"]

/** As it is stored: written by `checkExecution`, so that anything else is as if it were missing. */
export function readExecution(stored: Readonly<Record<string, unknown>>): ExecutionSettings {
  const { is_pure: isPure, concurrency_group: group, max_concurrency: max, timeout_s: seconds } = stored
  return {
    isPure: isPure === true,
    concurrencyGroup: isGroup(group) ? group : defaultGroup,
    maxConcurrency: typeof max === "number" && max >= 1 ? max : 1,
    timeoutMs: typeof seconds === "number" && seconds > 0 ? seconds * 1000 : null,
  }
}

/** What somebody wants to be stored. Throws `invalid_request` that names the field and what it takes. */
export function checkExecution(
  input: unknown,
  { callConcurrencyMax, executionWallMsMax }: Pick<Limits, "callConcurrencyMax" | "executionWallMsMax">,
): ExecutionSettings {
  if (!isRecord(input)) throw refusal("executionConfig", `an object with ${fields.join(", ")}`)
  const unknownName = Object.keys(input).find((name) => !fields.includes(name))
  if (unknownName !== undefined)
    throw new ExecutorError("invalid_request", `executionConfig has no field '${unknownName}'; it takes ${fields.join(", ")}`)
  const { is_pure: isPure, concurrency_group: group, max_concurrency: max, timeout_s: seconds } = input
  if (isPure !== undefined && typeof isPure !== "boolean") throw refusal("is_pure", "true or false")
  if (group !== undefined && !isGroup(group))
    throw refusal("concurrency_group", "a name of up to 63 letters, digits, '_', '-' and '.', which begins with a letter or digit")
  if (max !== undefined && !(Number.isInteger(max) && Number(max) >= 1 && Number(max) <= callConcurrencyMax))
    throw refusal("max_concurrency", `an integer from 1 to ${callConcurrencyMax}`)
  const secondsMax = executionWallMsMax / 1000
  if (seconds !== undefined && !(typeof seconds === "number" && seconds > 0 && seconds <= secondsMax))
    throw refusal("timeout_s", `a number of seconds above 0, up to ${secondsMax}; leave it out for the limit of every call`)
  return readExecution(input)
}

const refusal = (field: string, expected: string): ExecutorError => new ExecutorError("invalid_request", `${field} must be ${expected}`)
