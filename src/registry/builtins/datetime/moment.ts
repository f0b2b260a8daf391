// Reads and shows moments: an instant together with the time zone in which it is meant.
//
// A text with an offset or `Z` names an instant. One without is a wall time in the given time zone, which clock changes
// make ambiguous: in an overlap it names two instants, in a gap none. `disambiguation` says which one is taken; the
// default `compatible` takes the earlier of two, and moves a time in a gap forward by the gap's length, as RFC 5545 does.
import { Temporal } from "temporal-polyfill"

export const disambiguations = ["compatible", "earlier", "later", "reject"] as const
export type Disambiguation = (typeof disambiguations)[number]

export class DatetimeProblem extends Error {
  readonly arg: string
  constructor(arg: string, message: string) {
    super(message)
    this.arg = arg
  }
}

export type Moment = { readonly at: Temporal.ZonedDateTime; readonly clockChange: "none" | "gap" | "overlap" }

export function checkZone(zone: string, arg: string): string {
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(zone).timeZoneId
  } catch {
    throw new DatetimeProblem(
      arg,
      `'${zone.slice(0, 80)}' is not a time zone; use a name such as Europe/Berlin, UTC, or an offset such as +02:00`,
    )
  }
}

const wallPattern = /^([+-]\d{6}|\d{4})-?\d{2}-?\d{2}(?:[T ]\d{2}(?::?\d{2}(?::?\d{2}(?:[.,]\d{1,9})?)?)?)?$/i
const httpDate =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)?,?\s*(\d{1,2})\s+([A-Za-z]{3})\s+(\d{4})\s+(\d{2}):(\d{2})(?::(\d{2}))?\s+(GMT|UT|UTC|Z|[+-]\d{4})$/i
const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

/** ISO 8601, RFC 9557 (`[Europe/Berlin]`), the dates of e-mail and HTTP, or milliseconds since 1970. */
export function readMoment(value: unknown, arg: string, zone: string | null, disambiguation: Disambiguation): Moment {
  try {
    return read(value, zone, disambiguation)
  } catch (error) {
    if (error instanceof DatetimeProblem) throw error
    const isAmbiguous = disambiguation === "reject" && error instanceof RangeError && isWall(value, zone)
    if (isAmbiguous)
      throw new DatetimeProblem(arg, `'${String(value)}' names no single instant in ${zone ?? "UTC"}: the clocks change there`)
    throw new DatetimeProblem(
      arg,
      `'${String(value).slice(0, 80)}' is not a date and time; write ISO 8601 such as 2026-03-29T14:30:00+02:00, or milliseconds since 1970`,
    )
  }
}

function read(value: unknown, zone: string | null, disambiguation: Disambiguation): Moment {
  if (typeof value === "number") return exact(Temporal.Instant.fromEpochMilliseconds(Math.trunc(value)), zone)
  const text = String(value).trim()
  if (wallPattern.test(text)) return wall(Temporal.PlainDateTime.from(text), zone ?? "UTC", disambiguation)
  if (text.includes("[")) return inZone(Temporal.ZonedDateTime.from(text, { disambiguation, offset: "reject" }), zone)
  const mail = httpDate.exec(text)
  return exact(Temporal.Instant.from(mail === null ? text : isoOfMail(mail)), zone)
}

const isWall = (value: unknown, zone: string | null): boolean => {
  try {
    read(value, zone, "compatible")
    return true
  } catch {
    return false
  }
}

const exact = (instant: Temporal.Instant, zone: string | null): Moment => ({
  at: instant.toZonedDateTimeISO(zone ?? "UTC"),
  clockChange: "none",
})

const inZone = (at: Temporal.ZonedDateTime, zone: string | null): Moment => ({
  at: zone === null ? at : at.withTimeZone(zone),
  clockChange: "none",
})

function wall(plain: Temporal.PlainDateTime, zone: string, disambiguation: Disambiguation): Moment {
  const earlier = plain.toZonedDateTime(zone, { disambiguation: "earlier" })
  const later = plain.toZonedDateTime(zone, { disambiguation: "later" })
  const at = plain.toZonedDateTime(zone, { disambiguation })
  if (earlier.epochNanoseconds === later.epochNanoseconds) return { at, clockChange: "none" }
  return { at, clockChange: earlier.toPlainDateTime().equals(plain) ? "overlap" : "gap" }
}

function isoOfMail([, day = "", month = "", year = "", hour = "", minute = "", second = "00", offset = ""]: RegExpExecArray): string {
  const at = months.indexOf(month.toLowerCase()) + 1
  const shift = /^[+-]/.test(offset) ? `${offset.slice(0, 3)}:${offset.slice(3)}` : "Z"
  return `${year}-${String(at).padStart(2, "0")}-${day.padStart(2, "0")}T${hour}:${minute}:${second}${shift}`
}

const weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]

export function viewMoment({ at, clockChange }: Moment) {
  return {
    iso: at.toString({
      timeZoneName: "never",
      smallestUnit: at.nanosecond === 0 && at.microsecond === 0 ? (at.millisecond === 0 ? "second" : "millisecond") : "nanosecond",
    }),
    utc: at.toInstant().toString(),
    timezone: at.timeZoneId,
    offset: at.offset,
    epochMs: at.epochMilliseconds,
    weekday: weekdays[at.dayOfWeek - 1] ?? "",
    ...(clockChange === "none" ? {} : { clockChange }),
  }
}
