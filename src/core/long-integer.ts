// Integers past what a number of JavaScript holds exactly: their digits travel as texts, so that an id stays the same id.

const longDigits = /^-?[1-9]\d{15,}$/

/** Whether a text is the digits of such an integer. */
export const isLongInteger = (value: unknown): value is string =>
  typeof value === "string" && longDigits.test(value) && !Number.isSafeInteger(Number(value))

/** Whether a number may have been another integer when it was written. Past 1e21 it is written as a magnitude, not as digits. */
export const isInexactInteger = (value: number): boolean =>
  Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value) < 1e21

/** Where a text of JSON has such digits as a value, or has them inside a string and only looks so. */
const longDigitsInJson = /(?:^|[:[,])\s*-?\d{16,}(?![\d.eE])/

/** As `JSON.parse`, but for integers that a number would change: they are given as texts of their digits. */
export function parseJsonExactly(text: string): unknown {
  if (!longDigitsInJson.test(text)) return JSON.parse(text) as unknown
  try {
    return (JSON.parse as ParseWithSource)(text, (_, value, context) =>
      typeof value === "number" && isLongInteger(context?.source) ? context.source : value,
    )
  } catch (error) {
    // A reviver goes as deep as the stack, which plain parsing does not need.
    if (error instanceof RangeError) return JSON.parse(text) as unknown
    throw error
  }
}

// The third argument of a reviver is in the language since 2025, and not yet in its declarations.
type ParseWithSource = (
  text: string,
  reviver: (key: string, value: unknown, context: { readonly source?: string } | undefined) => unknown,
) => unknown
