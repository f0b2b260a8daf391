// Writes an object as `application/x-www-form-urlencoded`.
//
// A space is `%20`: every reader of forms knows it, and `+` is a reserved character to those who follow RFC 3986, as OpenAPI's styles do.
import { isToolFile } from "../../../core/result.ts"
import type { BoundEncoding } from "../binding.ts"
import { contentKind, essenceOf } from "../../media-type.ts"
import { encodeReserved, encodeValue } from "./serialize-encode.ts"
import type { Pair } from "./serialize-style.ts"
import { isPresent, pairsOf } from "./serialize-style.ts"

type Encodings = Readonly<Record<string, BoundEncoding>>

export function formPairs(value: unknown, encodings: Encodings): readonly Pair[] {
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => propertyPairs(name, member, encodingOf(encodings, name)))
}

export const formText = (value: unknown, encodings: Encodings): string =>
  formPairs(value, encodings)
    .map(({ text }) => text)
    .join("&")

export const encodingOf = (encodings: Encodings, name: string): BoundEncoding | null =>
  Object.hasOwn(encodings, name) ? (encodings[name] ?? null) : null

function propertyPairs(name: string, value: unknown, encoding: BoundEncoding | null): readonly Pair[] {
  if (!isPresent(value)) return []
  const encode = encoding?.allowReserved ? encodeReserved : encodeValue
  if (encoding && (encoding.style !== null || encoding.explode !== null)) {
    const style = encoding.style ?? "form"
    return pairsOf({ name, style, explode: encoding.explode ?? style === "form" }, value, encode, encodeValue)
  }
  const isJson =
    encoding?.contentType !== null && encoding?.contentType !== undefined && contentKind(essenceOf(encoding.contentType)) === "json"
  const plain = isJson ? JSON.stringify(value) : formValue(value)
  return pairsOf({ name, style: "form", explode: true }, plain, encode, encodeValue)
}

/** Without a word about it in the document, lists are repeated and objects are JSON. */
function formValue(value: unknown): unknown {
  if (isToolFile(value)) return value.data
  if (Array.isArray(value)) return value.map((item) => (isToolFile(item) ? item.data : item))
  return typeof value === "object" ? JSON.stringify(value) : value
}
