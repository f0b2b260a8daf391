// Writes a moment by a pattern such as `yyyy-MM-dd HH:mm`, in the words of a language.
import type { Temporal } from "temporal-polyfill"
import { DatetimeProblem } from "./moment.ts"

const tokens = /'((?:[^']|'')*)'|y{4}|y{2}|M{1,4}|d{1,2}|E{3,4}|H{1,2}|h{1,2}|m{1,2}|s{1,2}|S{3}|a|XXX|VV|[A-Za-z]+/g

export const patternHelp =
  "yyyy yy, MMMM MMM MM M, dd d, EEEE EEE (weekday), HH H (0-23), hh h (1-12), a (AM/PM), mm m, ss s, SSS, XXX (offset), VV (time zone); words in 'single quotes'"

export function formatMoment(at: Temporal.ZonedDateTime, pattern: string, locale: string): string {
  const words = (options: Intl.DateTimeFormatOptions): string => at.toLocaleString(locale, options)
  const two = (value: number): string => String(value).padStart(2, "0")
  const hour12 = at.hour % 12 === 0 ? 12 : at.hour % 12
  const texts: Readonly<Record<string, () => string>> = {
    yyyy: () => (at.year < 0 ? "-" : "") + String(Math.abs(at.year)).padStart(4, "0"),
    yy: () => two(((at.year % 100) + 100) % 100),
    MMMM: () => words({ month: "long" }),
    MMM: () => words({ month: "short" }),
    MM: () => two(at.month),
    M: () => String(at.month),
    dd: () => two(at.day),
    d: () => String(at.day),
    EEEE: () => words({ weekday: "long" }),
    EEE: () => words({ weekday: "short" }),
    HH: () => two(at.hour),
    H: () => String(at.hour),
    hh: () => two(hour12),
    h: () => String(hour12),
    mm: () => two(at.minute),
    m: () => String(at.minute),
    ss: () => two(at.second),
    s: () => String(at.second),
    SSS: () => String(at.millisecond).padStart(3, "0"),
    a: () => (at.hour < 12 ? "AM" : "PM"),
    XXX: () => (at.offsetNanoseconds === 0 ? "Z" : at.offset),
    VV: () => at.timeZoneId,
  }
  return pattern.replaceAll(tokens, (token, quoted: string | undefined) => {
    if (quoted !== undefined) return quoted === "" ? "'" : quoted.replaceAll("''", "'")
    const text = Object.hasOwn(texts, token) ? texts[token] : undefined
    if (text === undefined) throw new DatetimeProblem("format", `'${token}' is not known in a format; known are ${patternHelp}`)
    return text()
  })
}

export function checkLocale(locale: string): string {
  try {
    return Intl.getCanonicalLocales(locale)[0] ?? "en"
  } catch {
    throw new DatetimeProblem("locale", `'${locale.slice(0, 40)}' is not a language tag such as en-US or de`)
  }
}
