// Answers for `Intl` inside a guest: with the input alone, whatever the language and the time zone of this machine.
import { collectGarbage } from "../../../io/garbage.ts"

/** Settings and arguments are short; each answer is made in one go, and cannot be interrupted. */
const inputCharsMax = 10_000
/** Making a formatter costs a hundred times as much as using it. */
const formattersMax = 64
/** Each holds tens of kilobytes that V8 does not see, so that it would let a gigabyte of them be. */
const madeMax = 256

type Formatter = { readonly [method: string]: unknown }
type Make = (locales: string[], options: Record<string, unknown>) => object

const dateFields = ["weekday", "year", "month", "day"]
const timeFields = ["dayPeriod", "hour", "minute", "second", "fractionalSecondDigits"]
const inNumbers = (fields: readonly string[]): Record<string, unknown> => Object.fromEntries(fields.map((field) => [field, "numeric"]))
const dateDefaults = inNumbers(["year", "month", "day"])
const timeDefaults = inNumbers(["hour", "minute", "second"])

/** `asked`: when none of these is in the options, the defaults are. */
function makeDates(asked: readonly string[], defaults: Record<string, unknown>): Make {
  return (locales, options) => {
    const isSaid = [...asked, "dateStyle", "timeStyle"].some((field) => options[field] !== undefined)
    return new Intl.DateTimeFormat(locales, { timeZone: "UTC", ...(isSaid ? {} : defaults), ...options })
  }
}

const makers: Record<string, Make> = {
  dateTime: makeDates([...dateFields, ...timeFields], { ...dateDefaults, ...timeDefaults }),
  date: makeDates(dateFields, dateDefaults),
  time: makeDates(timeFields, timeDefaults),
  DateTimeFormat: (locales, options) => new Intl.DateTimeFormat(locales, { timeZone: "UTC", ...options }),
  NumberFormat: (locales, options) => new Intl.NumberFormat(locales, options),
  Collator: (locales, options) => new Intl.Collator(locales, options),
  PluralRules: (locales, options) => new Intl.PluralRules(locales, options),
  RelativeTimeFormat: (locales, options) => new Intl.RelativeTimeFormat(locales, options),
  ListFormat: (locales, options) => new Intl.ListFormat(locales, options),
  DisplayNames: (locales, options) => new Intl.DisplayNames(locales, options as unknown as Intl.DisplayNamesOptions), // a wrong one is a TypeError
}
const methods = new Set(["format", "formatToParts", "formatRange", "compare", "select", "of", "resolvedOptions"])
const takesDates = new Set(["dateTime", "date", "time", "DateTimeFormat"])
const takesNumbers = new Set(["dateTime", "date", "time", "DateTimeFormat", "NumberFormat", "PluralRules"])

const formatters = new Map<string, Formatter>()
let made = 0

/** `v` and the JSON of the value, or the message of a RangeError behind `r`, of a TypeError behind `t`. */
export function answerLocale(kind: string, method: string, argsJson: string, settingsJson: string): string {
  try {
    if (argsJson.length + settingsJson.length > inputCharsMax) return "rThe text is too long."
    const formatter = formatterOf(kind, settingsJson)
    const args = (JSON.parse(argsJson) as unknown[]).map((arg, index) => argumentOf(kind, arg, index)) // the prelude sends a list; `map` of anything else throws
    // Without one, Intl would tell what time it is here.
    if (takesDates.has(kind) && method.startsWith("format") && args[0] === undefined) return "tA date is missing."
    const perform = methods.has(method) ? formatter[method] : undefined
    const value: unknown = typeof perform === "function" ? perform.apply(formatter, args) : null
    return `v${JSON.stringify(value ?? null)}`
  } catch (error) {
    if (error instanceof RangeError) return `r${error.message}`
    return `t${error instanceof Error ? error.message : "The text could not be made."}`
  }
}

function formatterOf(kind: string, settingsJson: string): Formatter {
  const key = `${kind} ${settingsJson}`
  const known = formatters.get(key)
  if (known) return known
  const make = Object.hasOwn(makers, kind) ? makers[kind] : undefined
  if (!make) throw new TypeError(`There is no Intl.${kind.slice(0, 40)}.`)
  const [locales, options] = settingsJson === "" ? [] : (JSON.parse(settingsJson) as unknown[]) // checked below, or by Intl
  // A language that is not known would otherwise be that of this machine.
  const wanted = [...(Array.isArray(locales) ? (locales as unknown[]) : [locales ?? "en-US"]), "en-US"] as string[] // Intl refuses what is no text
  const formatter = make(wanted, typeof options === "object" && options !== null ? { ...options } : {}) as Formatter // its methods are looked up by name
  if (formatters.size >= formattersMax) formatters.clear()
  formatters.set(key, formatter)
  made += 1
  if (made % madeMax === 0) collectGarbage()
  return formatter
}

/** Numbers come as texts, because JSON has not all of them. */
function argumentOf(kind: string, arg: unknown, index: number): unknown {
  if (typeof arg !== "string" || !(takesNumbers.has(kind) || (kind === "RelativeTimeFormat" && index === 0))) return arg
  return kind === "NumberFormat" && /^-?\d{16,}$/.test(arg) ? BigInt(arg) : Number(arg)
}
