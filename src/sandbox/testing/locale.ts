// Numbers, dates and comparisons in the manner of a language: as the host's `Intl` says, in English and UTC unless told otherwise.
import { describe, expect, test } from "vitest"
import type { Sandbox } from "../sandbox.ts"
import { failureOf, resultOf, runWith } from "./host.ts"

const noon = new Date("2024-07-01T12:00:00Z")
const utc = { timeZone: "UTC" } as const
const money = { style: "currency", currency: "USD" } as const
const longDate = { weekday: "long", year: "numeric", month: "long", day: "numeric" } as const

const spoken: readonly (readonly [code: string, expected: unknown])[] = [
  ["noon.toLocaleString('en-US', { timeZone: 'America/New_York' })", noon.toLocaleString("en-US", { timeZone: "America/New_York" })],
  ["noon.toLocaleString()", noon.toLocaleString("en-US", utc)],
  ["noon.toLocaleDateString()", noon.toLocaleDateString("en-US", utc)],
  ["noon.toLocaleTimeString()", noon.toLocaleTimeString("en-US", utc)],
  [`noon.toLocaleDateString('de-DE', ${JSON.stringify(longDate)})`, noon.toLocaleDateString("de-DE", { ...utc, ...longDate })],
  ["noon.toLocaleString('en-GB', { month: 'short' })", noon.toLocaleString("en-GB", { ...utc, month: "short" })],
  ["noon.toLocaleTimeString('en-US', { timeStyle: 'short' })", noon.toLocaleTimeString("en-US", { ...utc, timeStyle: "short" })],
  ["new Date(NaN).toLocaleString()", "Invalid Date"],
  ["(1234.5).toLocaleString('en-US', { style: 'currency', currency: 'USD' })", (1234.5).toLocaleString("en-US", money)],
  ["(1e6).toLocaleString()", "1,000,000"],
  ["[NaN, -Infinity].map((n) => n.toLocaleString())", ["NaN", "-∞"]],
  ["(123456789012345678901n).toLocaleString('de')", "123.456.789.012.345.678.901"],
  ["[1234, [5678]].toLocaleString()", "1,234,5,678"],
  ["(0.5).toLocaleString('xx', { style: 'percent' })", "50%"],
  ["['é', 'z', 'a', 'Z', 'f'].sort((a, b) => a.localeCompare(b))", ["a", "é", "f", "z", "Z"]],
  ["['a'.repeat(800).localeCompare('a'.repeat(801)), 'a'.repeat(801).localeCompare('a'.repeat(800))]", [-1, 1]],
  ["['a10', 'a9'].sort((a, b) => a.localeCompare(b, undefined, { numeric: true }))", ["a9", "a10"]],
  ["['a', 'b'].map((end) => ('x'.repeat(3000) + end).localeCompare('x'.repeat(3000) + 'b'))", [-1, 0]],
  ["new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }).format(5)", "$5.00"],
  ["[1, 2000].map(Intl.NumberFormat('de').format)", ["1", "2.000"]],
  ["new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeZone: 'Asia/Tokyo' }).format(new Date(0))", "Thursday, 1 January 1970"],
  ["new Intl.DateTimeFormat('en-US').format() === new Date().toLocaleDateString()", true],
  ["Intl.DateTimeFormat().resolvedOptions().timeZone", "UTC"],
  ["new Intl.RelativeTimeFormat('en', { numeric: 'auto' }).format(-1, 'day')", "yesterday"],
  ["[new Intl.PluralRules('en').select(1), new Intl.ListFormat('en').format(['a', 'b'])]", ["one", "a and b"]],
]

const refused: readonly (readonly [code: string, name: string, message: RegExp])[] = [
  ["noon.toLocaleString('en', { timeZone: 'Mars/Olympus' })", "RangeError", /Mars\/Olympus/],
  ["(5).toLocaleString('en', { style: 'currency' })", "TypeError", /currency/i],
  ["(Array.prototype.toJSON = () => [], new Intl.DateTimeFormat('en').format(0))", "TypeError", /date is missing/],
  ["(5).toLocaleString('no language')", "RangeError", /locale/],
  ["new Intl.NumberFormat('en', { style: 'x'.repeat(20000) })", "RangeError", /too long/],
]

export function testLocale(use: () => Sandbox): void {
  describe("languages", () => {
    for (const [code, expected] of spoken) {
      test(code, async () => {
        expect(resultOf(await runWith(use(), `const noon = new Date(${noon.getTime()}); return ${code}`))).toEqual(expected)
      })
    }

    for (const [code, name, message] of refused) {
      test(`${code} is refused`, async () => {
        const error = failureOf(await runWith(use(), `const noon = new Date(${noon.getTime()})\nreturn ${code}`))
        expect(error).toMatchObject({ name, line: 2, message: expect.stringMatching(message) as unknown })
      })
    }
  })
}
