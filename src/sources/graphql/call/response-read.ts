// Turns the answer of a GraphQL endpoint into the envelope of a tool.
//
// What the server sent stays as it is: data with errors beside it is a partial success, and how much of it is usable is for
// the caller to see. Only an answer without any data is a failure.
import type { Limits } from "../../../core/limits.ts"
import type { ToolResult } from "../../../core/result.ts"
import { fail, succeed } from "../../../core/result.ts"
import type { OutboundResponse } from "../../../io/network/outbound.ts"
import { isObject, own } from "../../document-value.ts"
import type { JsonObject } from "../../document-value.ts"
import { readError, readRedirect } from "../../response-error.ts"
import { decodeText, parseLoose, parseLooseInSlices } from "../../response-text.ts"

const messageCharsMax = 1_000

export function readResponse(answer: OutboundResponse, limits: Limits, body: JsonObject | null = readBody(answer)): ToolResult {
  const { status, headers } = answer
  if (status === 429) return readError(answer, limits)
  if (status >= 300 && status < 400) return readRedirect(answer)
  if (body === null) return status >= 400 ? readError(answer, limits) : notGraphQL(answer, limits)
  if (status < 400 && hasData(body)) return succeed(body, { status, headers })
  const errors = errorsOf(body)
  if (errors.length > 0) return refusal(errors, answer, limits)
  if (status >= 400) return readError(answer, limits)
  // An operation without a result: `{ "data": null }` is what the server had to say.
  return Object.hasOwn(body, "data") ? succeed(body, { status, headers }) : notGraphQL(answer, limits)
}

/** The body as a GraphQL response; null when it is none. */
export const readBody = ({ bytes, headers }: OutboundResponse): JsonObject | null =>
  asBody(parseLoose(decodeText(bytes, headers["content-type"] ?? "")))

/** The same; a long one is parsed in slices. */
export const readBodyInSlices = async ({ bytes, headers }: OutboundResponse): Promise<JsonObject | null> =>
  asBody(await parseLooseInSlices(decodeText(bytes, headers["content-type"] ?? "")))

function asBody(value: unknown): JsonObject | null {
  return isObject(value) && (Object.hasOwn(value, "data") || Array.isArray(own(value, "errors"))) ? value : null
}

const hasData = (body: JsonObject): boolean => own(body, "data") !== undefined && own(body, "data") !== null

export function errorsOf(body: JsonObject): readonly unknown[] {
  const errors = own(body, "errors")
  return Array.isArray(errors) ? errors : []
}

export function messageOf(error: unknown): string | null {
  const message = isObject(error) ? own(error, "message") : error
  return typeof message === "string" && message.trim() !== "" ? message.slice(0, messageCharsMax) : null
}

function refusal(errors: readonly unknown[], { status, bytes }: OutboundResponse, limits: Limits): ToolResult {
  const message = messageOf(errors[0]) ?? "The endpoint answered with errors and no data"
  const isShort = bytes.byteLength <= limits.errorDetailsBytesMax
  return fail("upstream_error", message, { status, details: { errors: isShort ? errors : bounded(errors, limits) } })
}

/** As many as fit. */
function bounded(errors: readonly unknown[], limits: Limits): unknown[] {
  const kept: unknown[] = []
  let left = limits.errorDetailsBytesMax
  for (const error of errors) {
    left -= JSON.stringify(error).length
    if (left < 0) break
    kept.push(error)
  }
  return kept
}

function notGraphQL(answer: OutboundResponse, limits: Limits): ToolResult {
  const text = decodeText(answer.bytes.subarray(0, limits.errorDetailsBytesMax), answer.headers["content-type"] ?? "")
  return fail("upstream_error", "The endpoint did not return a GraphQL response: it has neither data nor errors", {
    status: answer.status,
    details: text,
  })
}
