// The one matcher of policies and roles: `*` is one segment or part of one, `**` any number of them, `*` alone everything.
import { addressBytesMax } from "../core/address.ts"
import { ExecutorError } from "../core/errors.ts"
import { fitsPattern } from "./wildcard.ts"

/** A pattern taken apart, so that it is split once and matched often. */
export type Pattern = { readonly segments: readonly Segment[] }
export type Segment =
  | { readonly kind: "any_depth" }
  | { readonly kind: "literal"; readonly text: string }
  | { readonly kind: "glob"; readonly text: string }

const wrongCharacter = /[^A-Za-z0-9_$*.]/u
const patternExample = "github.issues.*"
const rootPrefix = "tools."

/** The form in which a policy's pattern is stored and shown: its users mean the subtree when they end it with `.*`. */
export function normalizePolicyPattern(text: string): string {
  const pattern = checkedPattern(text)
  return pattern.endsWith(".*") ? `${pattern}*` : pattern
}

/** Roles are never widened: `linear.issues.*` is what stands directly below `linear.issues`. */
export const normalizeRolePattern = (text: string): string => checkedPattern(text)

export function compilePattern(text: string): Pattern {
  return { segments: text === "*" ? [{ kind: "any_depth" }] : text.split(".").map(segmentOf) }
}

export const matchesPattern = (pattern: Pattern, subject: string): boolean => matchesSegments(pattern, subject.split("."))

/** For a subject that is matched with many patterns. */
export const matchesSegments = (pattern: Pattern, subject: readonly string[]): boolean =>
  fitsPattern(pattern.segments, subject, isAnyDepth, fitsSegment)

export const isAnyDepth = (segment: Segment): boolean => segment.kind === "any_depth"

const segmentOf = (text: string): Segment =>
  text === "**" ? { kind: "any_depth" } : { kind: text.includes("*") ? "glob" : "literal", text }

export function fitsSegment(segment: Segment, text: string): boolean {
  if (segment.kind === "literal") return segment.text === text
  return segment.kind === "any_depth" || fitsPattern(segment.text, text, isStar, isSame)
}

const isStar = (character: string): boolean => character === "*"
const isSame = (a: string, b: string): boolean => a === b

function checkedPattern(text: string): string {
  const pattern = text.startsWith(rootPrefix) ? text.slice(rootPrefix.length) : text
  if (pattern === "") throw refuse(text, "it is empty; write * for everything")
  if (pattern.length > addressBytesMax) throw refuse(text, `it is over ${addressBytesMax} characters`)
  const wrong = wrongCharacter.exec(pattern)
  if (wrong !== null) throw refuse(text, wrongAt(wrong[0], text.length - pattern.length + wrong.index))
  for (const segment of pattern.split(".")) {
    if (segment === "") throw refuse(text, "it has an empty segment")
    if (segment !== "**" && segment.includes("**")) throw refuse(text, "** must be a segment of its own, as in github.**.delete*")
  }
  return pattern
}

const wrongAt = (character: string, index: number): string =>
  `${JSON.stringify(character)} at position ${index + 1} is not a letter, digit, _, $, * or dot; a valid one is ${patternExample}`

const refuse = (text: string, reason: string): ExecutorError =>
  new ExecutorError("invalid_request", `${quote(text)} is not a pattern: ${reason}`)

const quote = (text: string): string => JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text)
