// Replaces secret values in whatever comes back from an upstream, before anybody sees or records it.
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
