// The outline of a result that is too long to show: its shape, its beginning, and how to read more.

const depthMax = 3
const keysMax = 30
const keyCharsMax = 60
const outlineCharsMax = 1500

/** For example `array of 34 { id, title, user: { login } }`; an array is known by its first item. */
export function outlineOf(value: unknown): string {
  const outline = outlineAt(value, 0)
  return outline.length > outlineCharsMax ? `${outline.slice(0, outlineCharsMax)}…` : outline
}

function outlineAt(value: unknown, depth: number): string {
  if (typeof value === "string") return `text of ${value.length} characters`
  if (typeof value !== "object" || value === null) return typeof value
  if (Array.isArray(value)) {
    const [first] = value as unknown[] // any array is one of unknowns
    return `array of ${value.length}${isNested(first) ? ` ${outlineAt(first, depth + 1)}` : ""}`
  }
  if (depth >= depthMax) return "{ … }"
  const entries = Object.entries(value)
  const keys = entries.slice(0, keysMax).map(([key, item]) => {
    const name = key.length > keyCharsMax ? `${key.slice(0, keyCharsMax)}…` : key
    return isNested(item) ? `${name}: ${outlineAt(item, depth + 1)}` : name
  })
  return entries.length === 0
    ? "{}"
    : `{ ${keys.join(", ")}${entries.length > keysMax ? `, and ${entries.length - keysMax} more keys` : ""} }`
}

const isNested = (value: unknown): boolean => typeof value === "object" && value !== null

const beginningChars = 1000

/** `shape`: null if reading the whole result would delay other requests. */
export const cutResult = (executionId: string, text: string, shape: string | null) => ({
  truncated: true,
  totalChars: text.length,
  ...(shape === null ? {} : { shape }),
  beginning: text.slice(0, beginningChars),
  readMore: readOn(executionId, beginningChars),
})

export const readOn = (executionId: string, offset: number): string =>
  `return await tools.executor.results.read({ executionId: "${executionId}", offset: ${offset} })`
