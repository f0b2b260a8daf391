// The wording of issues: short, bounded, and with a suggestion of what to send instead.
import { closestName } from "./closest-name.ts"
import type { ArgsIssueCode, Expected, Finding } from "./issue.ts"

const listCharsMax = 400
const valueCharsMax = 40
const pathCharsMax = 200
const identifier = /^[A-Za-z_$][A-Za-z0-9_$-]*$/

/** One more step down a path: `items`, then `items[2]`, then `items[2].name`. */
export function pathInto(path: string, step: string | number): string {
  if (typeof step === "number") return `${path}[${step}]`
  const name = step.length > pathCharsMax ? `${step.slice(0, pathCharsMax)}…` : step
  if (!identifier.test(name)) return `${path}[${JSON.stringify(name)}]`
  return path === "" ? name : `${path}.${name}`
}

export const missingField = (path: string): Finding =>
  other(path, "missing_required_field", `Missing required parameter '${bounded(path)}'`, undefined)

/** `names`: what is accepted in its place. */
export function unexpectedField(path: string, name: string, names: readonly string[], found: unknown): Finding {
  const close = closestName(name, names)
  const hint = close === null ? acceptedNames(names) : ` Did you mean '${shorten(close)}'?`
  return other(path, "unexpected_field", `Unknown parameter '${bounded(path)}'.${hint}`, found)
}

export function wrongType(path: string, types: readonly string[], found: unknown): Finding {
  const message = `${path === "" ? "The arguments" : subject(path)} must be ${joinOr(types.map(withArticle))}, got ${describeValue(found)}`
  return { issue: { path, code: "wrong_type", message }, expected: { kind: "types", types }, found }
}

export function notAmongValues(path: string, values: readonly unknown[], found: unknown): Finding {
  const wanted = values.length === 1 ? "must be" : "must be one of"
  const close = typeof found === "string" ? closestName(found, values.filter(isText)) : null
  const hint = close === null ? "" : `. Did you mean ${showValue(close)}?`
  const message = `${subject(path)} ${wanted} ${listOf(values, showValue)}, got ${describeValue(found)}${hint}`
  return { issue: { path, code: "invalid_enum", message }, expected: { kind: "values", values }, found }
}

export const invalidValue = (path: string, complaint: string, found: unknown): Finding =>
  other(path, "invalid_value", `${subject(path)} ${complaint}`, found)

export const branchMismatch = (path: string, complaint: string, found: unknown): Finding =>
  other(path, "schema_branch_mismatch", `${subject(path)} ${complaint}`, found)

/** Cuts text of a stranger to a length that fits in a sentence. */
export const shorten = (text: string): string => (text.length > valueCharsMax ? `${text.slice(0, valueCharsMax)}…` : text)

const none: Expected = { kind: "other" }
const other = (path: string, code: ArgsIssueCode, message: string, found: unknown): Finding => ({
  issue: { path, code, message },
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
