// Tests of a value itself: the values that are allowed, bounds and formats.
import { isRecord } from "../core/json/record.ts"
import { invalidValue, notAmongValues } from "./issue-text.ts"
import { boundComplaint, numberOfDigits, readBounds } from "./number-bound.ts"
import { readConst, readCount, readEnum } from "./schema-keyword.ts"
import { fitsFormat, formatComplaint, readFormat } from "./text-format.ts"
import { leftOut, report, spend } from "./walk.ts"
import type { Run, Test } from "./walk.ts"

type Raw = Record<string, unknown>

const compareSteps = 1 / 8
const digitsSteps = 1 / 4
const charsPerStep = 1000

export const literalTests = (raw: Raw): Test[] =>
  [readConst(raw), readEnum(raw["enum"])].flatMap((values) => (values === undefined ? [] : literalTest(values)))

function literalTest(values: unknown[] | "too_large"): Test {
  if (values === "too_large") return (_value, _depth, walk) => leftOut(walk)
  const plain = new Set(values)
  const nested = values.filter(isNested)
  return (value, depth, walk) =>
    plain.has(value) ||
    (isNested(value) && !walk.isShallow && nested.some((literal) => isEqual(value, literal, walk.run))) ||
    report(walk, depth, (path) => notAmongValues(path, values, value))
}

const isNested = (value: unknown): value is object => typeof value === "object" && value !== null

/** As JSON values are equal: the order of keys does not count. */
export function isEqual(one: unknown, other: unknown, run: Run): boolean {
  spend(run, compareSteps)
  if (one === other) return true
  if (!isNested(one) || !isNested(other) || Array.isArray(one) !== Array.isArray(other)) return false
  const keys = Object.keys(one)
  spend(run, keys.length * compareSteps)
  if (keys.length !== Object.keys(other).length) return false
  // Own properties, whatever the objects are.
  return keys.every((key) => Object.hasOwn(other, key) && isEqual((one as Raw)[key], (other as Raw)[key], run))
}

export function numberTest(raw: Raw): Test {
  const bounds = readBounds(raw)
  return (value, depth, walk) => {
    if (typeof value !== "number") return true
    for (const bound of bounds)
      if (bound.breaks(value, bound.bound))
        return report(walk, depth, (path) => invalidValue(path, value, () => boundComplaint(bound, value)))
    return true
  }
}

/** For an integer that is given as a text. Long integers of a schema were read as numbers, so that they are compared as such. */
export function digitsTest(raw: Raw): Test {
  return (value, depth, walk) => {
    const digits = String(value)
    spend(walk.run, digitsSteps)
    const exact = numberOfDigits(digits)
    const broken = readBounds(raw).find((bound) => bound.breaks(exact, bound.bound))
    if (broken !== undefined) return report(walk, depth, (path) => invalidValue(path, digits, () => boundComplaint(broken, digits)))
    for (const values of [readConst(raw), readEnum(raw["enum"])]) {
      if (values === undefined || values === "too_large") continue
      spend(walk.run, values.length * compareSteps)
      if (values.includes(digits) || values.includes(Number(digits))) continue
      return report(walk, depth, (path) => notAmongValues(path, values, digits))
    }
    return true
  }
}

export function formatTest(raw: Raw): Test | null {
  const format = readFormat(raw["format"])
  if (format === undefined) return null
  return (value, depth, walk) => {
    if (typeof value !== "string" || !walk.hasFormats) return true
    spend(walk.run, value.length / charsPerStep)
    return fitsFormat(format, value) || report(walk, depth, (path) => invalidValue(path, value, () => formatComplaint(format, value)))
  }
}

type Sized = {
  readonly least: string
  readonly most: string
  readonly one: string
  readonly many: string
  sizeOf(value: unknown, run: Run): number | null
}

export const sizes = {
  text: {
    least: "minLength",
    most: "maxLength",
    one: "character",
    many: "characters",
    sizeOf: (value, run) => (typeof value === "string" ? charactersIn(value, run) : null),
  },
  array: {
    least: "minItems",
    most: "maxItems",
    one: "item",
    many: "items",
    sizeOf: (value) => (Array.isArray(value) ? value.length : null),
  },
  object: {
    least: "minProperties",
    most: "maxProperties",
    one: "property",
    many: "properties",
    sizeOf: (value, run) => (isRecord(value) ? keysOf(value, run).length : null),
  },
} as const satisfies Record<string, Sized>

export function sizeTest({ least, most, one, many, sizeOf }: Sized, raw: Raw): Test | null {
  const [min = 0, max = Infinity] = [readCount(raw[least]), readCount(raw[most])]
  if (min === 0 && max === Infinity) return null
  return (value, depth, walk) => {
    const size = sizeOf(value, walk.run)
    if (size === null || (size >= min && size <= max)) return true
    const [words, bound] = size < min ? ["at least", min] : ["at most", max]
    return report(walk, depth, (path) =>
      invalidValue(path, value, () => `must have ${words} ${bound} ${bound === 1 ? one : many}, got ${size}`),
    )
  }
}

/** As schemas count them: what takes two units of a text is one character. */
function charactersIn(text: string, run: Run): number {
  spend(run, text.length / charsPerStep)
  return text.length - (text.match(pairs)?.length ?? 0)
}
const pairs = /[\uD800-\uDBFF][\uDC00-\uDFFF]/g

const keySteps = 1 / 40
/** Engines keep wide objects as hash tables, whose keys cost more to list. */
const wideKeys = 64
const wideKeySteps = 1 / 5

export function keysOf(object: object, run: Run): string[] {
  const keys = Object.keys(object)
  spend(run, keys.length * (keys.length < wideKeys ? keySteps : wideKeySteps))
  return keys
}
