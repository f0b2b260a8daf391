// The text of an answer in the character set that it names.
import { parseJsonExactly } from "../core/json/long-integer.ts"
import { JsonError, isLongJson, parseLongJson } from "../io/json-parse.ts"
import { parameterOf } from "./media-type.ts"

const utf8 = new TextDecoder()
const strictUtf8 = new TextDecoder("utf-8", { fatal: true })

export function decodeText(bytes: Uint8Array, contentType: string): string {
  const charset = contentType.includes(";") ? parameterOf(contentType, "charset") : null
  if (charset === null || /^utf-?8$/i.test(charset)) return utf8.decode(bytes)
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    return utf8.decode(bytes)
  }
}

/** Null when the bytes are no text. */
export function textOrNull(bytes: Uint8Array): string | null {
  try {
    const text = strictUtf8.decode(bytes)
    return text.includes("\0") ? null : text
  } catch {
    return null
  }
}

/** JSON where it is JSON, text where it is not; integers that no number holds are texts of their digits. */
export function parseLoose(text: string): unknown {
  try {
    return parseJsonExactly(text)
  } catch {
    return text
  }
}

/** Deeper answers are parsed at once: their long lists lie within each other, and would be entered one by one. */
const slicedDepthMax = 1000

/** The same, in slices that leave the event loop free where the text is long. */
export async function parseLooseInSlices(text: string): Promise<unknown> {
  if (!isLongJson(text)) return parseLoose(text)
  try {
    return await parseLongJson(text, { depthMax: slicedDepthMax, parse: parseJsonExactly })
  } catch (error) {
    return error instanceof JsonError && error.reason === "syntax" ? text : parseLoose(text)
  }
}
