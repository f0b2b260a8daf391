// Takes the words behind `executor call` apart: the path of a tool, dotted or spaced, then its arguments.
import { withoutRoot } from "../../../core/address.ts"
import { UsageError } from "../usage-error.ts"

export type CallWords = {
  /** Without the leading `tools.`. */
  readonly path: string
  /** The words it was given in. */
  readonly segments: readonly string[]
  /** Where JSON is: the text itself, `-` for stdin, or `@` and a file; null where none was given. */
  readonly input: string | null
  /** `key=value`. */
  readonly pairs: readonly string[]
}

const looksLikeInput = (word: string): boolean => word === "-" || /^\s*[[{"@]/.test(word)
const looksLikePair = (word: string): boolean => /^[^=\s]+=/.test(word)

export const strayValue = (word: string): UsageError =>
  new UsageError(`'${word}' is not part of a path. Write arguments as key=value, or a JSON object such as '{"id":1}'`)

export function splitCallWords(words: readonly string[]): CallWords {
  const inputs = words.filter(looksLikeInput)
  const pairs = words.filter((word) => !looksLikeInput(word) && looksLikePair(word))
  const segments = words.filter((word) => !looksLikeInput(word) && !looksLikePair(word))
  if (inputs.length > 1) throw new UsageError("Pass the arguments only once: as JSON, as '-' for stdin, or as @file")
  const behind = words.slice(words.findIndex((word) => looksLikeInput(word) || looksLikePair(word)))
  const late = segments.length < words.length ? behind.find((word) => segments.includes(word)) : undefined
  if (late !== undefined)
    throw new UsageError(`'${late}' comes after the arguments, but the path must come first. Is an argument missing its quotes?`)
  const odd = segments.find((word) => /[\s{}[\]"',:]/.test(word) || word === "")
  if (odd !== undefined)
    throw new UsageError(`'${odd}' is neither part of a path nor JSON. Write arguments as JSON such as '{"id":1}', or --arg id=1`)
  // No segment begins with a digit, so this is meant as a value.
  const value = segments.slice(1).find((word) => /^-?\d/.test(word))
  if (value !== undefined) throw strayValue(value)
  return { path: withoutRoot(segments.join(".")), segments, input: inputs[0] ?? null, pairs }
}
