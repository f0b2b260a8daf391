// Tests dates and times: every operation, and the hours in which clocks change.
import { describe, expect, test } from "vitest"
import { operate } from "./operations.ts"

const nowMs = Date.UTC(2026, 2, 29, 12)
const run = (args: Record<string, unknown>): unknown => operate(args, nowMs)
const berlin = { timezone: "Europe/Berlin" }

describe("now, parse, convert", () => {
  test("now in a time zone", () => {
    expect(run({ operation: "now", ...berlin })).toEqual({
      iso: "2026-03-29T14:00:00+02:00",
      utc: "2026-03-29T12:00:00Z",
      timezone: "Europe/Berlin",
      offset: "+02:00",
      epochMs: nowMs,
      weekday: "Sunday",
    })
  })

  test.each<[unknown, string]>([
    ["2026-03-29T14:00:00+02:00", "2026-03-29T12:00:00Z"],
    ["2026-03-29T12:00:00.5Z", "2026-03-29T12:00:00.5Z"],
    ["2026-03-29 12:00", "2026-03-29T12:00:00Z"],
    ["2026-03-29", "2026-03-29T00:00:00Z"],
    ["2026-03-29T14:00:00+02:00[Europe/Berlin]", "2026-03-29T12:00:00Z"],
    ["Sun, 29 Mar 2026 12:00:00 GMT", "2026-03-29T12:00:00Z"],
    ["29 Mar 2026 14:00 +0200", "2026-03-29T12:00:00Z"],
    [0, "1970-01-01T00:00:00Z"],
    [-1.5, "1969-12-31T23:59:59.999Z"],
  ])("%j is read", (value, utc) => {
    expect(run({ operation: "parse", value })).toMatchObject({ utc })
  })

  test("a wall time is one of the time zone", () => {
    expect(
      run({ operation: "convert", value: "2026-07-01T09:00", timezone: "America/New_York", to_timezone: "Asia/Kolkata" }),
    ).toMatchObject({
      iso: "2026-07-01T18:30:00+05:30",
      timezone: "Asia/Kolkata",
    })
  })
})

describe("where clocks change", () => {
  test.each([
    ["compatible", "2026-03-29T03:30:00+02:00"],
    ["later", "2026-03-29T03:30:00+02:00"],
    ["earlier", "2026-03-29T01:30:00+01:00"],
  ])("a time in a gap is %s", (disambiguation, iso) => {
    expect(run({ operation: "parse", value: "2026-03-29T02:30", ...berlin, disambiguation })).toMatchObject({ iso, clockChange: "gap" })
  })

  test.each([
    ["compatible", "2026-10-25T02:30:00+02:00"],
    ["earlier", "2026-10-25T02:30:00+02:00"],
    ["later", "2026-10-25T02:30:00+01:00"],
  ])("a time that occurs twice is %s", (disambiguation, iso) => {
    expect(run({ operation: "parse", value: "2026-10-25T02:30", ...berlin, disambiguation })).toMatchObject({ iso, clockChange: "overlap" })
  })

  test.each(["2026-03-29T02:30", "2026-10-25T02:30"])("%s is refused where nothing may be chosen", (value) => {
    expect(() => run({ operation: "parse", value, ...berlin, disambiguation: "reject" })).toThrow("clocks change")
  })

  test("a day keeps the wall time, 24 hours do not", () => {
    const value = "2026-03-28T12:00:00+01:00"
    expect(run({ operation: "add", value, ...berlin, duration: "P1D" })).toMatchObject({ iso: "2026-03-29T12:00:00+02:00" })
    expect(run({ operation: "add", value, ...berlin, duration: "PT24H" })).toMatchObject({ iso: "2026-03-29T13:00:00+02:00" })
    expect(run({ operation: "add", value, ...berlin, amount: -1, unit: "months" })).toMatchObject({ iso: "2026-02-28T12:00:00+01:00" })
  })

  test("a day may have 23 hours", () => {
    const day = { operation: "diff", start: "2026-03-29T00:00", end: "2026-03-30T00:00", ...berlin }
    expect(run({ ...day, unit: "hours" })).toMatchObject({ value: 23, milliseconds: 23 * 3600_000 })
    expect(run({ ...day, unit: "days" })).toMatchObject({ value: 1 })
  })

  test("a whole hour can be skipped by a country, and a whole day", () => {
    expect(run({ operation: "parse", value: "2011-12-30T12:00", timezone: "Pacific/Apia" })).toMatchObject({
      iso: "2011-12-31T12:00:00+14:00",
      clockChange: "gap",
    })
  })
})

test("months end where they end", () => {
  expect(run({ operation: "add", value: "2026-01-31", duration: "P1M" })).toMatchObject({ iso: "2026-02-28T00:00:00+00:00" })
  expect(run({ operation: "diff", start: "2024-02-29", end: "2026-02-28", unit: "years" })).toMatchObject({ unit: "years" })
  expect(run({ operation: "diff", start: "2026-02-01", end: "2026-01-01" })).toMatchObject({
    duration: "-P1M",
    milliseconds: -31 * 86_400_000,
  })
})

test.each([
  ["yyyy-MM-dd HH:mm", "en", "2026-03-29 14:05"],
  ["EEEE, d MMMM yyyy", "de", "Sonntag, 29 März 2026"],
  ["h:mm a 'o''clock' XXX VV", "en", "2:05 PM o'clock +02:00 Europe/Berlin"],
])("%s in %s", (format, locale, text) => {
  expect(run({ operation: "format", value: "2026-03-29T12:05:00Z", format, locale, ...berlin })).toMatchObject({ text })
})

test.each<[Record<string, unknown>, string]>([
  [{ operation: "parse", value: "tomorrow" }, "not a date"],
  [{ operation: "parse", value: "2026-02-30" }, "not a date"],
  [{ operation: "parse", value: "2026-03-29T12:00:00+05:00[Europe/Berlin]" }, "not a date"],
  [{ operation: "parse" }, "needs 'value'"],
  [{ operation: "now", timezone: "Mars/Olympus" }, "not a time zone"],
  [{ operation: "convert", value: "2026-03-29" }, "to_timezone"],
  [{ operation: "add", value: "2026-03-29" }, "duration"],
  [{ operation: "add", value: "2026-03-29", duration: "a while" }, "cannot be added"],
  [{ operation: "format", value: "2026-03-29", format: "QQ" }, "not known in a format"],
  [{ operation: "format", value: "2026-03-29", locale: "no such one" }, "language tag"],
  [{ operation: "add", value: "2026-03-29", amount: 1e15, unit: "years" }, "cannot be added"],
])("%j is refused", (args, message) => {
  expect(() => run(args)).toThrow(message)
})
