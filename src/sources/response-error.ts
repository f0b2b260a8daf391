// Turns an upstream's error response into a failure: with its message, its status, and its body within limits.
import { STATUS_CODES } from "node:http"
import type { Limits } from "../core/limits.ts"
import type { ToolFailure } from "../core/result.ts"
import { fail } from "../core/result.ts"
import type { OutboundFailure, OutboundResponse } from "../io/network/outbound.ts"
import { contentKind, essenceOf } from "./media-type.ts"
import { decodeText, parseLoose, textOrNull } from "./response-text.ts"

const messageCharsMax = 1000
const parsedBytesMax = 256 * 1024

export function readError(answer: OutboundResponse, limits: Limits): ToolFailure {
  const { status } = answer
  const body = errorBody(answer, limits.errorDetailsBytesMax)
  const message = messageOf(body.value) ?? (answer.statusText || STATUS_CODES[status] || `The upstream answered ${status}`)
  const retryAfter = answer.headers["retry-after"] ?? null
  const shown = message.slice(0, messageCharsMax)
  if (status === 429) {
    return fail("rate_limited", shown, { status, retryable: true, details: { retryAfter, body: body.details ?? null } })
  }
  // What is a rate limit by another status keeps its body as details, like any other error.
  const said = retryAfter === null ? shown : `${shown} (retry after ${waitText(retryAfter)})`
  return fail("upstream_error", said, body.details === undefined ? { status } : { status, details: body.details })
}

/** Seconds, or a date. */
const waitText = (retryAfter: string): string => (/^\d+$/.test(retryAfter) ? `${retryAfter} s` : retryAfter.slice(0, retryAfterCharsMax))
const retryAfterCharsMax = 40

/** What is no read may have happened although no answer came, so that nobody is told to try again without looking. */
export function readFailure({ code, message, retryable, mayHaveArrived }: OutboundFailure, effect: "read" | "change"): ToolFailure {
  if (effect === "read" || mayHaveArrived === undefined) return fail(code, message, { retryable })
  return fail(code, `${message}. It may have taken effect anyway; check before you repeat it`, { retryable: false })
}

/** Only reads follow a redirect; of anything else the caller decides, who knows what is sent. */
export function readRedirect({ status, headers }: OutboundResponse): ToolFailure {
  const message = "The upstream redirects to another address; only GET and HEAD follow redirects"
  return fail("upstream_error", message, { status, details: { location: headers["location"] ?? null } })
}

type ErrorBody = { readonly value: unknown; readonly details: unknown }

function errorBody({ bytes, headers }: OutboundResponse, bytesMax: number): ErrorBody {
  if (bytes.byteLength === 0) return { value: undefined, details: undefined }
  const contentType = headers["content-type"] ?? ""
  const kind = contentType === "" ? "json" : contentKind(essenceOf(contentType))
  if (kind === "binary" && textOrNull(bytes.subarray(0, bytesMax)) === null) return { value: undefined, details: undefined }
  // What is longer explains nothing, and is parsed on the thread that serves everybody.
  const isRead = kind === "json" && bytes.byteLength <= parsedBytesMax
  const value = isRead ? parseLoose(decodeText(bytes, contentType)) : undefined
  if (value !== undefined && typeof value !== "string" && bytes.byteLength <= bytesMax) return { value, details: value }
  return { value, details: decodeText(bytes.subarray(0, bytesMax), contentType) }
}

/** `message`, `error.message`, `error`, `detail` or `title`: the first of them that is a text. */
function messageOf(body: unknown): string | null {
  const texts = [own(body, "message"), own(own(body, "error"), "message"), own(body, "error"), own(body, "detail"), own(body, "title")]
  return texts.find((text): text is string => typeof text === "string" && text.trim() !== "") ?? null
}

const own = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined // just checked
