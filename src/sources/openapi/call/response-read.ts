// Turns the answer of an upstream into the envelope of a tool.
import type { Limits } from "../../../core/limits.ts"
import type { ToolResult } from "../../../core/result.ts"
import { succeed, toolFile } from "../../../core/result.ts"
import { largeAnswerBytes } from "../../../io/answer-turn.ts"
import type { OutboundResponse } from "../../../io/network/outbound.ts"
import { atOnce, inSlices } from "../../../io/time-slices.ts"
import { contentKind, essenceOf, parameterOf } from "../../media-type.ts"
import { readError, readRedirect } from "../../response-error.ts"
import { isSequence, parseSequence } from "./response-events.ts"
import { decodeText, parseLoose, parseLooseInSlices, textOrNull } from "../../response-text.ts"

const fileNameCharsMax = 255

export function readResponse(answer: OutboundResponse, method: string, limits: Limits): ToolResult {
  const { status, headers } = answer
  if (status >= 400) return readError(answer, limits)
  if (status >= 300 && headers["location"] !== undefined) return readRedirect(answer)
  const hasContent = method !== "HEAD" && status !== 204 && status !== 205 && status !== 304
  return succeed(hasContent ? readContent(answer, limits) : null, { status, headers })
}

/** The same; a long answer of JSON, or of a sequence, is parsed in slices. */
export async function readResponseInSlices(answer: OutboundResponse, method: string, limits: Limits): Promise<ToolResult> {
  const { status, headers, bytes, isComplete } = answer
  const contentType = headers["content-type"] ?? ""
  const isLong = method !== "HEAD" && status >= 200 && status < 300 && bytes.byteLength > largeAnswerBytes
  const kind = contentKind(essenceOf(contentType))
  if (isLong && isSequence(kind)) {
    const items = parseSequence(kind, decodeText(bytes, contentType), isComplete, limits.streamItemsMax)
    return succeed(await inSlices(items), { status, headers })
  }
  if (!isLong || kind !== "json") return readResponse(answer, method, limits)
  return succeed(await parseLooseInSlices(decodeText(bytes, contentType)), { status, headers })
}

function readContent({ bytes, headers, isComplete }: OutboundResponse, limits: Limits): unknown {
  const contentType = headers["content-type"] ?? ""
  const kind = contentKind(essenceOf(contentType))
  if (isSequence(kind)) return atOnce(parseSequence(kind, decodeText(bytes, contentType), isComplete, limits.streamItemsMax))
  if (bytes.byteLength === 0) return null
  if (contentType === "") return readUntyped(bytes)
  if (kind === "json") return parseLoose(decodeText(bytes, contentType))
  if (kind === "text" || kind === "form") return decodeText(bytes, contentType)
  return toolFile(bytes, essenceOf(contentType), fileName(headers["content-disposition"]))
}

function readUntyped(bytes: Uint8Array): unknown {
  const text = textOrNull(bytes)
  return text === null ? toolFile(bytes, "application/octet-stream") : parseLoose(text)
}

/** The name that the upstream gives the file, without the directories it might lead to. */
function fileName(disposition: string | undefined): string | undefined {
  if (disposition === undefined) return undefined
  const name = extendedName(parameterOf(disposition, "filename*")) ?? parameterOf(disposition, "filename")
  const base = name
    ?.split(/[/\\]/)
    .at(-1)
    ?.replace(/\p{Cc}/gu, "")
    .slice(0, fileNameCharsMax)
  return base === undefined || base === "" || base === "." || base === ".." ? undefined : base
}

/** RFC 8187: `UTF-8''na%C3%AFve.txt`. */
function extendedName(value: string | null): string | null {
  const [charset, , encoded] = value?.split("'") ?? []
  if (encoded === undefined || !/^utf-8$/i.test(charset ?? "")) return null
  try {
    return decodeURIComponent(encoded)
  } catch {
    return null
  }
}
