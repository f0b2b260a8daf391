// The operations of `builtin.datetime_utils` on moments in time zones.
import { Temporal } from "temporal-polyfill"
import { checkLocale, formatMoment } from "./format.ts"
import { DatetimeProblem, checkZone, disambiguations, readMoment, viewMoment } from "./moment.ts"
import type { Moment } from "./moment.ts"

export const operations = ["now", "parse", "format", "add", "diff", "convert"] as const
export const units = ["years", "months", "weeks", "days", "hours", "minutes", "seconds", "milliseconds"] as const
export type Unit = (typeof units)[number]

type Args = Readonly<Record<string, unknown>>

export function operate(args: Args, nowMs: number): unknown {
  switch (args["operation"]) {
    case "now":
      return viewMoment(readMoment(nowMs, "value", zoneOf(args, "timezone"), "compatible"))
    case "parse":
      return viewMoment(momentOf(args, "value"))
    case "convert": {
      const zone = zoneOf(args, "to_timezone")
      if (zone === null) throw new DatetimeProblem("to_timezone", "convert needs to_timezone, the time zone to show the moment in")
      return viewMoment({ ...momentOf(args, "value"), at: momentOf(args, "value").at.withTimeZone(zone) })
    }
    case "format": {
      const { at } = momentOf(args, "value")
      const pattern = typeof args["format"] === "string" ? args["format"] : "yyyy-MM-dd'T'HH:mm:ssXXX"
      return { text: formatMoment(at, pattern, checkLocale(textOf(args["locale"]) ?? "en")), timezone: at.timeZoneId }
    }
    case "add":
      return viewMoment(added(momentOf(args, "value"), args))
    case "diff":
      return difference(momentOf(args, "start").at, momentOf(args, "end").at, args)
    default:
      throw new DatetimeProblem("operation", `operation must be one of ${operations.join(", ")}`)
  }
}

const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null)

function zoneOf(args: Args, name: string): string | null {
  const zone = textOf(args[name])
  return zone === null ? null : checkZone(zone, name)
}

function momentOf(args: Args, name: string): Moment {
  if (args[name] === undefined) throw new DatetimeProblem(name, `${String(args["operation"])} needs '${name}', a date and time`)
  const disambiguation = disambiguations.find((one) => one === args["disambiguation"]) ?? "compatible"
  return readMoment(args[name], name, zoneOf(args, "timezone"), disambiguation)
}

/** Dates first, by the calendar and the wall clock, then exact time: a day may have 23 or 25 hours, an hour never changes. */
function added({ at }: Moment, args: Args): Moment {
  const amount = args["amount"]
  const duration = textOf(args["duration"])
  try {
    if (duration !== null) return { at: at.add(Temporal.Duration.from(duration)), clockChange: "none" }
    if (typeof amount === "number") return { at: at.add({ [unitOf(args, "seconds")]: amount }), clockChange: "none" }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new DatetimeProblem(duration === null ? "amount" : "duration", `This cannot be added: ${reason}`)
  }
  throw new DatetimeProblem("duration", "add needs a duration such as P1DT2H (ISO 8601; -P1M subtracts), or amount with unit")
}

const unitOf = (args: Args, otherwise: Unit): Unit => units.find((unit) => unit === args["unit"]) ?? otherwise

/** Whole months and days are counted in the time zone of `start`. */
function difference(start: Temporal.ZonedDateTime, end: Temporal.ZonedDateTime, args: Args): unknown {
  const until = end.withTimeZone(start.timeZoneId)
  const unit = unitOf(args, "seconds")
  const duration = start.until(until, { largestUnit: args["unit"] === undefined ? "years" : unit })
  return {
    milliseconds: end.epochMilliseconds - start.epochMilliseconds,
    duration: duration.toString(),
    unit,
    value: duration.total({ unit, relativeTo: start }),
  }
}
