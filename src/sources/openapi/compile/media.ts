// Chooses among the media types that a document offers.
import { contentKind, essenceOf } from "../../media-type.ts"
import type { ContentKind } from "../../media-type.ts"

export const mediaKind = (mediaType: string): ContentKind => contentKind(essenceOf(concreteMediaType(mediaType)))

/** What is sent for a range: a header cannot say "anything". A range of files stays: the file's own type is sent. */
export function concreteMediaType(mediaType: string): string {
  const essence = essenceOf(mediaType)
  if (essence === "*/*" || essence === "application/*") return "application/json"
  // No such type is registered, and documents that use it mean forms.
  if (essence === "application/form-data") return "multipart/form-data"
  return essence === "text/*" ? "text/plain" : mediaType.trim()
}

const requestOrder: readonly ContentKind[] = ["json", "form", "multipart", "text", "json_lines", "json_seq", "events", "binary"]
const responseOrder: readonly ContentKind[] = ["json", "json_lines", "json_seq", "events", "text", "form", "multipart", "binary"]

/** The one that an agent can write best; among equals the author's first. */
export const preferredRequestType = (mediaTypes: readonly string[]): string | null => byPreference(mediaTypes, requestOrder)[0] ?? null

/** JSON first, then the author's order within each kind. */
export const responseTypesByPreference = (mediaTypes: readonly string[]): string[] => byPreference(mediaTypes, responseOrder)

export const isXml = (mediaType: string): boolean => /[/+]xml$/.test(essenceOf(mediaType))

function byPreference(mediaTypes: readonly string[], order: readonly ContentKind[]): string[] {
  const rank = (mediaType: string): number => {
    const essence = essenceOf(mediaType)
    if (essence === "application/json") return -2
    // A merge patch looks like the object it changes; a JSON patch is a program.
    if (essence === "application/merge-patch+json") return -1
    if (essence === "application/json-patch+json") return 0.5
    // Plain text is easier to write and to read than XML.
    return order.indexOf(mediaKind(mediaType)) + (isXml(mediaType) ? 0.5 : 0)
  }
  return mediaTypes.toSorted((left, right) => rank(left) - rank(right))
}
