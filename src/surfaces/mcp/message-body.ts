// Reads what a client posts before the SDK does: in slices, and no more values than are checked in good time.
import { DEFAULT_MAX_REQUEST_BODY_SIZE, isJsonContentType } from "@modelcontextprotocol/server"
import { ExecutorError } from "../../core/errors.ts"
import type { Limits } from "../../core/limits.ts"
import { bodyLimits, readJson } from "../../io/json-body.ts"
import { refusal } from "./refusal.ts"

/** The parsed body, or the answer that refuses it. */
export async function readMessageBody(request: Request, limits: Limits): Promise<{ readonly parsed: unknown } | Response> {
  // Looked at before anything is waited for, so that it tells when the client leaves.
  request.signal.throwIfAborted()
  if (!isJsonContentType(request.headers.get("content-type")))
    return refusal(415, -32000, "Unsupported Media Type: Content-Type must be application/json")
  try {
    return { parsed: await readJson(request, bodyLimits(DEFAULT_MAX_REQUEST_BODY_SIZE, limits)) }
  } catch (error) {
    if (!(error instanceof ExecutorError)) throw error
    if (error.code === "payload_too_large") return refusal(413, -32000, `Payload Too Large: ${error.message}`)
    return refusal(400, -32700, `Parse error: ${error.message}`)
  }
}
