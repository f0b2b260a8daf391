// Numbers, dates and comparisons in the manner of a language, answered by the host's `Intl`: en-US and UTC where nothing else is said.
import type { Kit } from "./kit.ts"

export function installLocale(kit: Kit): void {
  const { stringify, parse } = JSON
  const compareCharsMax = 800
  const compareExactly = String.prototype.localeCompare
  const timeOf = Date.prototype.getTime
  const numberOf = Number.prototype.valueOf
  const bigIntOf = BigInt.prototype.valueOf
  /** The methods of each constructor, with the number of their arguments. */
  const constructors: Record<string, Record<string, number>> = {
    DateTimeFormat: { format: 1, formatToParts: 1, formatRange: 2, resolvedOptions: 0 },
    NumberFormat: { format: 1, formatToParts: 1, formatRange: 2, resolvedOptions: 0 },
    Collator: { compare: 2, resolvedOptions: 0 },
    PluralRules: { select: 1, resolvedOptions: 0 },
    RelativeTimeFormat: { format: 2, resolvedOptions: 0 },
    ListFormat: { format: 1, resolvedOptions: 0 },
    DisplayNames: { of: 1, resolvedOptions: 0 },
  }

  /** As JSON can carry it: not every number can be. */
  const sent = (value: unknown): unknown =>
    value instanceof Date ? `${timeOf.call(value)}` : typeof value === "number" || typeof value === "bigint" ? `${value}` : value

  function ask(kind: string, method: string, args: unknown[], locales: unknown, options: unknown): unknown {
    const settings = locales === undefined && options === undefined ? "" : stringify([locales, options])
    const answer = kit.bridge.locale(kind, method, stringify(args), settings)
    if (answer[0] === "v") return parse(answer.slice(1))
    throw new (answer[0] === "r" ? RangeError : TypeError)(answer.slice(1))
  }

  function constructorOf(kind: string, methods: Record<string, number>): unknown {
    return function (locales?: unknown, options?: unknown): object {
      ask(kind, "", [], locales, options)
      const made: Record<string, unknown> = {}
      for (const [method, count] of Object.entries(methods)) {
        made[method] = (...args: unknown[]): unknown => {
          const given = kind === "DateTimeFormat" && count > 0 && args[0] === undefined ? [Date.now()] : args.slice(0, count)
          return ask(kind, method, given.map(sent), locales, options)
        }
      }
      return made
    }
  }

  function mend(prototype: object, name: string, work: (self: never, locales: unknown, options: unknown) => unknown): void {
    const methods = {
      [name](this: never, locales?: unknown, options?: unknown): unknown {
        return work(this, locales, options)
      },
    }
    Object.defineProperty(prototype, name, { value: methods[name], writable: true, configurable: true })
  }

  for (const [name, kind] of [
    ["toLocaleString", "dateTime"],
    ["toLocaleDateString", "date"],
    ["toLocaleTimeString", "time"],
  ] as const) {
    mend(Date.prototype, name, (self, locales, options) => {
      const time = timeOf.call(self)
      return time - time === 0 ? ask(kind, "format", [`${time}`], locales, options) : "Invalid Date"
    })
  }
  mend(Number.prototype, "toLocaleString", (self, locales, options) =>
    ask("NumberFormat", "format", [`${numberOf.call(self)}`], locales, options),
  )
  mend(BigInt.prototype, "toLocaleString", (self, locales, options) =>
    ask("NumberFormat", "format", [`${bigIntOf.call(self)}`], locales, options),
  )
  const comparing = {
    localeCompare(this: unknown, other: unknown, locales?: unknown, options?: unknown): unknown {
      const [left, right] = [String(this), String(other)]
      const pair = [left.slice(0, compareCharsMax), right.slice(0, compareCharsMax)]
      return (
        ask("Collator", "compare", pair, locales, options) ||
        (Math.max(left.length, right.length) > compareCharsMax ? compareExactly.call(left, right) : 0)
      )
    },
  }
  const methodsOfText: object = String.prototype
  Object.defineProperty(methodsOfText, "localeCompare", { value: comparing.localeCompare })
  kit.define("Intl", Object.fromEntries(Object.entries(constructors).map(([kind, methods]) => [kind, constructorOf(kind, methods)])))
}
