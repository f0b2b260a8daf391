// What kind of content a media type stands for, in requests and in answers.

export type ContentKind = "json" | "json_lines" | "json_seq" | "events" | "form" | "multipart" | "text" | "binary"

const kinds: Readonly<Record<string, ContentKind>> = {
  "application/json": "json",
  "text/json": "json",
  "application/*": "json",
  "*/*": "json",
  "application/x-ndjson": "json_lines",
  "application/ndjson": "json_lines",
  "application/jsonl": "json_lines",
  "application/x-jsonl": "json_lines",
  "application/jsonlines": "json_lines",
  "application/x-jsonlines": "json_lines",
  "application/stream+json": "json_lines",
  "application/json-seq": "json_seq",
  "text/event-stream": "events",
  "application/x-www-form-urlencoded": "form",
  "application/xml": "text",
  "application/yaml": "text",
  "application/x-yaml": "text",
  "application/javascript": "text",
  "application/ecmascript": "text",
  "application/graphql": "text",
  "application/sql": "text",
  "application/toml": "text",
  "application/jwt": "text",
  "application/pem-certificate-chain": "text",
  "application/x-pem-file": "text",
}

/** The type without parameters, in lower case. */
export const essenceOf = (mediaType: string): string => (mediaType.split(";", 1)[0] ?? "").trim().toLowerCase()

export function contentKind(essence: string): ContentKind {
  if (Object.hasOwn(kinds, essence)) return kinds[essence] ?? "binary"
  if (essence.endsWith("+json")) return "json"
  if (essence.endsWith("+json-seq")) return "json_seq"
  if (essence.startsWith("multipart/")) return "multipart"
  return essence.startsWith("text/") || essence.endsWith("+xml") || essence.endsWith("+yaml") ? "text" : "binary"
}

/** One parameter of a media type or disposition, such as `charset`, without its quotes. */
export function parameterOf(header: string, name: string): string | null {
  for (const part of header.split(";").slice(1)) {
    const equals = part.indexOf("=")
    if (equals < 0 || part.slice(0, equals).trim().toLowerCase() !== name) continue
    const value = part.slice(equals + 1).trim()
    return value.startsWith('"') ? value.replace(/^"|"$/g, "").replace(/\\(.)/g, "$1") : value
  }
  return null
}

/** A media type that a caller gave, if it is one. */
export const safeType = (mediaType: string): string =>
  /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(;[\x20-\x7e]*)?$/.test(mediaType) ? mediaType : "application/octet-stream"
