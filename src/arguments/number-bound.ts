// The bounds of numbers, which also hold for an integer that is given as a text of its digits because no number holds it.
import { showValue } from "./issue-text.ts"
import { readNumber } from "./schema-keyword.ts"

export type NumberBound = {
  readonly words: string
  readonly bound: number
  readonly breaks: (value: number | bigint, bound: number) => boolean
}

/** No bound is written with more digits, and turning a megabyte of them into a number would take long. */
const digitsMax = 400

// A comparison of a BigInt with a number is exact.
const kinds: readonly (Omit<NumberBound, "bound"> & { readonly keyword: string })[] = [
  { keyword: "minimum", words: "at least", breaks: (value, bound) => value < bound },
  { keyword: "maximum", words: "at most", breaks: (value, bound) => value > bound },
  { keyword: "exclusiveMinimum", words: "more than", breaks: (value, bound) => value <= bound },
  { keyword: "exclusiveMaximum", words: "less than", breaks: (value, bound) => value >= bound },
  { keyword: "multipleOf", words: "a multiple of", breaks: (value, bound) => bound > 0 && !isMultiple(value, bound) },
]

export const numberKeywords = kinds.map(({ keyword }) => keyword)

export function readBounds(raw: Record<string, unknown>): NumberBound[] {
  return kinds.flatMap(({ keyword, words, breaks }) => {
    const bound = readNumber(raw[keyword])
    return bound === undefined ? [] : [{ words, bound, breaks }]
  })
}

export const boundComplaint = ({ words, bound }: NumberBound, found: unknown): string =>
  `must be ${words} ${bound}, got ${showValue(found)}`

export const numberOfDigits = (digits: string): number | bigint =>
  digits.length > digitsMax ? (digits.startsWith("-") ? -Infinity : Infinity) : BigInt(digits)

function isMultiple(value: number | bigint, divisor: number): boolean {
  // Of a fraction the exact value is not known, and most divide every long integer.
  if (typeof value === "bigint") return !Number.isInteger(divisor) || value % BigInt(divisor) === 0n
  if (!Number.isFinite(value)) return true
  if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor)) return value % divisor === 0
  const [coefficient, exponent] = decimalOf(value)
  const [divisorCoefficient, divisorExponent] = decimalOf(divisor)
  const shift = exponent - divisorExponent
  return shift >= 0
    ? (coefficient * 10n ** BigInt(shift)) % divisorCoefficient === 0n
    : coefficient % (divisorCoefficient * 10n ** BigInt(-shift)) === 0n
}

/** A number as it is written, because `0.3 % 0.1` is not 0: `1.5` is 15 and -1. */
function decimalOf(value: number): [coefficient: bigint, exponent: number] {
  const [digits = "", exponent = "0"] = Math.abs(value).toString().split("e")
  const fraction = digits.split(".")[1] ?? ""
  return [BigInt(digits.replace(".", "")), Number(exponent) - fraction.length]
}
