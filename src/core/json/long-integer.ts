// Integers beyond JavaScript's exact range travel as text, so that ids keep all their digits.

const longDigits = /^-?[1-9]\d{15,}$/

/** Whether a text consists of the digits of such an integer. */
export const isLongInteger = (value: unknown): value is string =>
  typeof value === "string" && longDigits.test(value) && !Number.isSafeInteger(Number(value))

/** Whether a number may have lost digits of the original integer. From 1e21 on it is written in exponent form, not as digits. */
export const isInexactInteger = (value: number): boolean =>
  Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value) < 1e21

/** Matches such digits in JSON text, either as a value or inside a string. */
const longDigitsInJson = /(?:^|[:[,])\s*-?\d{16,}(?![\d.eE])/

/** Like `JSON.parse`, but returns integers that a number cannot hold exactly as texts of their digits. */
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

// The third argument of a reviver has been in the language since 2025, but is not yet in TypeScript's declarations.
type ParseWithSource = (
  text: string,
  reviver: (key: string, value: unknown, context: { readonly source?: string } | undefined) => unknown,
) => unknown
