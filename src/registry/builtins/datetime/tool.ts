// `builtin.datetime_utils`: dates and times in time zones.
import { fail, succeed } from "../../../core/result.ts"
import { input, toBuiltin } from "../builtin.ts"
import type { BuiltinParts, BuiltinTool } from "../builtin.ts"

const moment = { type: ["string", "number"], maxLength: 200 }
const zone = { type: "string", maxLength: 100 }

export const datetimeTool = ({ clock }: Pick<BuiltinParts, "clock">): BuiltinTool =>
  toBuiltin({
    key: "datetime_utils",
    title: "Dates and times",
    description:
      "Work with dates and times in time zones. now {timezone?} · parse {value, timezone?} · format {value, format?, locale?, timezone?} · add {value, duration | amount + unit, timezone?} · diff {start, end, unit?, timezone?} · convert {value, to_timezone, timezone?}. A value is ISO 8601, an e-mail date, or milliseconds since 1970; one without an offset is a wall time in `timezone` (UTC unless given). Where clocks change, `disambiguation` decides; by default the earlier of two, and a time in a gap moves forward. Adding days keeps the wall time, adding hours counts exactly.",
    effect: "read",
    input: input(
      {
        operation: { type: "string", enum: ["now", "parse", "format", "add", "diff", "convert"] },
        value: { ...moment, description: "The moment to work on." },
        timezone: { ...zone, description: "An IANA name such as Europe/Berlin, or an offset." },
        to_timezone: { ...zone, description: "For convert." },
        format: { type: "string", maxLength: 200, description: "For format, such as yyyy-MM-dd HH:mm, or EEEE, d MMMM yyyy." },
        locale: { type: "string", maxLength: 40, description: "For the names of months and weekdays in format; en by default." },
        duration: { type: "string", maxLength: 100, description: "For add: ISO 8601 such as P1DT2H or -P1M." },
        amount: { type: "integer", description: "For add, instead of duration; negative subtracts." },
        unit: {
          type: "string",
          enum: ["years", "months", "weeks", "days", "hours", "minutes", "seconds", "milliseconds"],
          description: "For add and diff.",
        },
        start: moment,
        end: moment,
        disambiguation: {
          type: "string",
          enum: ["compatible", "earlier", "later", "reject"],
          default: "compatible",
          description: "For a wall time that occurs twice or not at all.",
        },
      },
      ["operation"],
    ),
    output: {
      type: "object",
      properties: {
        iso: { type: "string", description: "With the offset of the time zone." },
        utc: { type: "string" },
        timezone: { type: "string" },
        offset: { type: "string" },
        epochMs: { type: "integer" },
        weekday: { type: "string" },
        clockChange: {
          type: "string",
          enum: ["gap", "overlap"],
          description: "The value was a wall time that occurs not at all, or twice.",
        },
        text: { type: "string", description: "Of format." },
        milliseconds: { type: "integer", description: "Of diff: exact." },
        duration: { type: "string", description: "Of diff: ISO 8601." },
        unit: { type: "string" },
        value: { type: "number", description: "Of diff: in the unit." },
      },
    },
    async call({ args }) {
      // A large library, which most processes never need.
      const [{ operate }, { DatetimeProblem }] = await Promise.all([import("./operations.ts"), import("./moment.ts")])
      try {
        return succeed(operate(args, clock.now().getTime()))
      } catch (error) {
        if (!(error instanceof DatetimeProblem) && !(error instanceof RangeError)) throw error
        const [path, message] = error instanceof DatetimeProblem ? [error.arg, error.message] : ["value", "The result is out of range"]
        return fail("invalid_arguments", message, { details: { issues: [{ path, code: "invalid_value", message }] } })
      }
    },
  })
