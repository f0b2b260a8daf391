// Checks text formats that can be verified reliably in one pass.
//
// A check that is too strict blocks calls that an upstream would take, so each refuses only what nobody reads as such
// a thing. An empty text is how many APIs clear a field, and counts as none.
import { showValue } from "./issue-text.ts"

type FormatRule = { readonly wanted: string; fits(text: string): boolean }

const rules = {
  date: { wanted: "a date such as 2026-01-31", fits: isDate },
  "date-time": { wanted: "a date and time such as 2026-01-31T09:30:00Z", fits: isDate },
  email: { wanted: "an e-mail address such as ada@example.com", fits: isEmail },
  uuid: { wanted: "a UUID such as 123e4567-e89b-12d3-a456-426614174000", fits: (text) => uuid.test(text) },
  uri: { wanted: "a URI such as https://example.com/path", fits: (text) => scheme.test(text) },
} as const satisfies Record<string, FormatRule>

export type TextFormat = keyof typeof rules

export const readFormat = (raw: unknown): TextFormat | undefined =>
  typeof raw === "string" && Object.hasOwn(rules, raw) ? (raw as TextFormat) : undefined // it is one of their names

export const fitsFormat = (format: TextFormat, text: string): boolean => text === "" || rules[format].fits(text)

export const formatComplaint = (format: TextFormat, found: unknown): string => `must be ${rules[format].wanted}, got ${showValue(found)}`

/** Some programs write them without dashes; some dashes are a slip. */
const uuid = /^[0-9a-f]{8}(-?)[0-9a-f]{4}\1[0-9a-f]{4}\1[0-9a-f]{4}\1[0-9a-f]{12}$/i
const scheme = /^[a-z][a-z0-9+.-]*:/i

/** Longer than any date that somebody writes. */
const dateCharsMax = 200
const isoDay = /^(\d{4})-(\d\d)-(\d\d)(?!\d)/
/** `20260131`, `20260131T093000Z`, and the seconds or milliseconds that some APIs take for one. */
const digits = /^\d{8,17}(?:T\d{4,9})?(?:\.\d{1,9})?Z?$/
const isoTime = /^.{10}[Tt ](?:[01]\d|2[0-4]):?[0-5]\d/

/** Without a zone, with a blank for the T, with a leap second: whatever begins as one is one, and so is what `Date` reads. */
function isDate(text: string): boolean {
  if (text.length > dateCharsMax) return false
  const [, year, month, day] = isoDay.exec(text) ?? []
  if (year !== undefined && !isDay(Number(year), Number(month), Number(day))) return false
  return (year !== undefined && isoTime.test(text)) || digits.test(text) || !Number.isNaN(Date.parse(text))
}

/** `Date` makes the 2nd of March of the 30th of February. */
function isDay(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(year, month - 1, day))
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day
}

function isEmail(text: string): boolean {
  const at = text.indexOf("@")
  return at > 0 && at < text.length - 1 && !text.includes("@", at + 1) && !/\s/.test(text)
}
