// Replaces secret values in whatever comes back from an upstream, before anybody sees or records it.
import { inspect } from "node:util"
import { ExecutorError } from "../core/errors.ts"
import { fail, isToolFile, toolFile } from "../core/result.ts"
import type { ToolFile, ToolResult } from "../core/result.ts"

const mask = "***"
/** Shorter values would mangle ordinary text, and are no secrets. */
const secretCharsMin = 4

/** A secret in the forms in which an upstream may echo it. */
export function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret)
  const forms = [
    secret,
    // Of `Bearer abc` an upstream repeats `abc` alone as well.
    ...(/^(?:bearer|basic|token|apikey)\s+(\S+)$/i.exec(secret)?.slice(1) ?? []),
    encodeURIComponent(secret),
    bytes.toString("base64"),
    bytes.toString("base64url"),
    JSON.stringify(secret).slice(1, -1),
  ]
  return [...new Set(forms)].filter((form) => form.length >= secretCharsMin)
}

/** Longer secrets come first in `secrets`, because one may contain another. */
export function redactText(text: string, secrets: readonly string[]): string {
  let clean = text
  for (const secret of secrets) if (clean.includes(secret)) clean = clean.replaceAll(secret, mask)
  return clean
}

/** For texts that come one by one; the secrets are given as they are. */
export function secretRedactor(secrets: readonly string[]): (text: string) => string {
  const forms = longestFirst([...new Set(secrets.flatMap(formsOf))])
  return (text) => redactText(text, forms)
}

/** The same result where no secret occurs, which is the usual case. */
export function redactResult(result: ToolResult, secrets: readonly string[]): ToolResult {
  if (secrets.length === 0) return result
  try {
    return redactValue(result, longestFirst(secrets)) as ToolResult // redaction keeps every shape and replaces only texts
  } catch (error) {
    if (error instanceof RangeError) return fail("response_too_large", "The answer is nested too deeply to be checked for secrets")
    throw error
  }
}

/** What a source complains of often repeats what it was sent. The same error where no secret occurs. */
export function redactError(error: unknown, secrets: readonly string[]): unknown {
  const hidden = longestFirst(secrets)
  if (error instanceof ExecutorError) {
    const [message, details] = [redactText(error.message, hidden), redactDetails(error.details, hidden)]
    const isClean = message === error.message && details === error.details && error.cause === undefined
    return isClean ? error : new ExecutorError(error.code, message, details)
  }
  // What is printed of an error that is not ours may be any part of it.
  const isClean = redactText(inspect(error, { depth: 5 }), hidden) === inspect(error, { depth: 5 })
  return isClean ? error : new Error(redactText(error instanceof Error ? error.message : String(error), hidden))
}

function redactDetails(details: unknown, secrets: readonly string[]): unknown {
  const clean = redactTexts(details, secrets)
  return JSON.stringify(clean) === JSON.stringify(details) ? details : clean
}

/** Every text of a plain value. */
export const redactTexts = <T>(value: T, secrets: readonly string[]): T => redactValue(value, longestFirst(secrets)) as T // redaction keeps every shape and replaces only texts

function redactValue(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === "string") return redactText(value, secrets)
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return value.map((item) => redactValue(item, secrets))
  if (isToolFile(value)) return redactFile(value, secrets)
  // `fromEntries` defines properties instead of assigning them, so that `__proto__` stays plain data.
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [redactText(key, secrets), redactValue(item, secrets)]))
}

/** A file stays one: its bytes are searched, not their encoding. */
function redactFile(file: ToolFile, secrets: readonly string[]): ToolFile {
  const bytes = Buffer.from(file.data, "base64").toString("latin1")
  const clean = redactText(
    bytes,
    secrets.map((secret) => Buffer.from(secret).toString("latin1")),
  )
  return clean === bytes ? file : toolFile(Buffer.from(clean, "latin1"), file.mimeType, file.name)
}

const longestFirst = (secrets: readonly string[]): string[] =>
  secrets.filter((secret) => secret.length >= secretCharsMin).toSorted((a, b) => b.length - a.length)
