// Reads the fields of a tool's config, with messages that name the field and what it takes.
import { ExecutorError } from "../../core/errors.ts"
import { isRecord } from "../../core/json/record.ts"
import type { Limits } from "../../core/limits.ts"
import { isSecretReference } from "../../core/registry/binding.ts"
import type { Config } from "../secrets.ts"

export const wrong = (field: string, expected: string): ExecutorError =>
  new ExecutorError("invalid_request", `implementationConfig.${field} ${expected}`)

export function refuseUnknown(config: Config, type: string, known: readonly string[]): void {
  const unknownName = Object.keys(config).find((name) => !known.includes(name))
  if (unknownName === undefined) return
  const takes = known.length === 0 ? "no fields" : known.join(", ")
  throw new ExecutorError(
    "invalid_request",
    `implementationConfig has no field '${unknownName.slice(0, 80)}' for the type '${type}'; it takes ${takes}`,
  )
}

export function requireText(config: Config, field: string, hint: string, charsMax: number = 1000): string {
  const value = config[field]
  if (typeof value !== "string" || value === "") throw wrong(field, `is required: ${hint}`)
  if (value.length > charsMax) throw wrong(field, `has more than ${charsMax} characters`)
  return value
}

export function requireCode(config: Config, { codeBytesMax }: Limits): void {
  const code = requireText(config, "code", "write the code that the tool runs, such as return input.a + input.b", codeBytesMax)
  if (Buffer.byteLength(code) > codeBytesMax) throw wrong("code", `is larger than ${codeBytesMax} bytes`)
}

export function checkTimeout(config: Config, { executionWallMsMax }: Limits): void {
  const { timeout_s: seconds } = config
  const secondsMax = executionWallMsMax / 1000
  if (seconds !== undefined && !(typeof seconds === "number" && seconds > 0 && seconds <= secondsMax))
    throw wrong("timeout_s", `must be a number of seconds above 0, up to ${secondsMax}`)
}

/** They say where the message ends and who handles it. */
const forbiddenHeaders: ReadonlySet<string> = new Set([
  "host",
  "content-length",
  "transfer-encoding",
  "connection",
  "keep-alive",
  "upgrade",
  "te",
  "trailer",
  "expect",
])
const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}$/
const headersMax = 50
const headerCharsMax = 8192

export function checkHeaders(config: Config): void {
  const { headers } = config
  if (headers === undefined) return
  if (!isRecord(headers)) throw wrong("headers", 'must be an object of texts, such as { "x-api-key": "…" }')
  const entries = Object.entries(headers)
  if (entries.length > headersMax) throw wrong("headers", `may have at most ${headersMax} headers`)
  for (const [name, value] of entries) {
    if (!headerName.test(name)) throw wrong(`headers.${name.slice(0, 80)}`, "is not the name of a header")
    if (forbiddenHeaders.has(name.toLowerCase()) || name.toLowerCase().startsWith("proxy-"))
      throw wrong(`headers.${name}`, "cannot be set: it is written by the server itself; leave it out")
    if (isSecretReference(value)) continue
    if (typeof value !== "string") throw wrong(`headers.${name}`, "must be a text")
    if (value.length > headerCharsMax || /[\r\n\0]/.test(value))
      throw wrong(`headers.${name}`, `must have at most ${headerCharsMax} characters on one line`)
  }
}
