// The wording of issues: short, bounded, and with a suggestion of what to send instead.
import { closestName } from "./closest-name.ts"
import type { ArgsIssueCode, Expected, Finding } from "./issue.ts"

const listCharsMax = 400
const valueCharsMax = 40
const pathCharsMax = 200
const identifier = /^[A-Za-z_$][A-Za-z0-9_$-]*$/

/** One more step down a path: `items`, then `items[2]`, then `items[2].name`. */
function pathInto(path: string, step: string | number): string {
  if (typeof step === "number") return `${path}[${step}]`
  const name = step.length > pathCharsMax ? `${step.slice(0, pathCharsMax)}…` : step
  if (!identifier.test(name)) return `${path}[${JSON.stringify(name)}]`
  return path === "" ? name : `${path}.${name}`
}

/** `depth`: how many of the steps lead there. */
export const pathOf = (steps: readonly (string | number)[], depth: number): string => steps.slice(0, depth).reduce<string>(pathInto, "")

export const missingField = (path: string): Finding =>
  other(path, "missing_required_field", undefined, () => `Missing required parameter '${bounded(path)}'`)

/** `accepted`: the names that are accepted in its place. */
export const unexpectedField = (path: string, name: string, found: unknown, accepted: () => readonly string[]): Finding =>
  other(path, "unexpected_field", found, () => {
    const names = accepted()
    const close = closestName(name, names)
    const hint = close === null ? acceptedNames(names) : ` Did you mean '${shorten(close)}'?`
    return `Unknown parameter '${bounded(path)}'.${hint}`
  })

export const wrongType = (path: string, types: readonly string[], found: unknown): Finding => ({
  path,
  code: "wrong_type",
  message: () => `${path === "" ? "The arguments" : subject(path)} must be ${joinOr(types.map(withArticle))}, got ${describeValue(found)}`,
  expected: { kind: "types", types },
  found,
})

export const notAmongValues = (path: string, values: readonly unknown[], found: unknown): Finding => ({
  path,
  code: "invalid_enum",
  message() {
    const wanted = values.length === 1 ? "must be" : "must be one of"
    const close = typeof found === "string" ? closestName(found, values.filter(isText)) : null
    const hint = close === null ? "" : `. Did you mean ${showValue(close)}?`
    return `${subject(path)} ${wanted} ${listOf(values, showValue)}, got ${describeValue(found)}${hint}`
  },
  expected: { kind: "values", values },
  found,
})

export const invalidValue = (path: string, found: unknown, complaint: () => string): Finding =>
  other(path, "invalid_value", found, () => `${subject(path)} ${complaint()}`)

export const branchMismatch = (path: string, found: unknown, complaint: () => string): Finding =>
  other(path, "schema_branch_mismatch", found, () => `${subject(path)} ${complaint()}`)

/** Cuts text of a stranger to a length that fits in a sentence. */
export const shorten = (text: string): string => (text.length > valueCharsMax ? `${text.slice(0, valueCharsMax)}…` : text)

const none: Expected = { kind: "other" }
const other = (path: string, code: ArgsIssueCode, found: unknown, message: () => string): Finding => ({
  path,
  code,
  message,
  expected: none,
  found,
})

const subject = (path: string): string => (path === "" ? "The arguments object" : `Parameter '${bounded(path)}'`)

/** The end of a path tells more than its beginning. */
const bounded = (path: string): string => (path.length > pathCharsMax ? `…${path.slice(-pathCharsMax)}` : path)

const isText = (value: unknown): value is string => typeof value === "string"

const acceptedNames = (names: readonly string[]): string =>
  names.length === 0 ? " No parameters are accepted here." : ` Accepted: ${listOf(names, shorten)}.`

const withArticle = (type: string): string => (type === "null" ? "null" : /^[aio]/.test(type) ? `an ${type}` : `a ${type}`)

const joinOr = (words: readonly string[]): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words[words.length - 1]}`

function listOf<T>(values: readonly T[], show: (value: T) => string): string {
  const shown: string[] = []
  let charsLeft = listCharsMax
  for (const value of values) {
    const text = show(value)
    charsLeft -= text.length
    if (charsLeft < 0) break
    shown.push(text)
  }
  return shown.length < values.length ? `${shown.join(", ")}, … (${values.length} in all)` : shown.join(", ")
}

export function showValue(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(shorten(value))
  if (Array.isArray(value)) return `an array of ${value.length}`
  if (typeof value === "object" && value !== null) return "an object"
  return String(value)
}

function describeValue(value: unknown): string {
  if (value === null || value === undefined || typeof value === "object") return showValue(value)
  return `${typeof value} ${showValue(value)}`
}
