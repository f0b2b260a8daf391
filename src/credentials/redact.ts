// Redacts secret values in everything that an upstream returns, before anybody sees or records it.
import { inspect } from "node:util"
import { isLargeJson } from "../io/json-write.ts"
import { createTimeSlices } from "../io/time-slices.ts"
import type { TimeSlices } from "../io/time-slices.ts"
import { ExecutorError } from "../core/errors.ts"
import { fail, isMadeFile, toolFile, untrustedFileTag } from "../core/result.ts"
import type { ToolFile, ToolResult } from "../core/result.ts"

const mask = "***"
/** Shorter values would mangle ordinary text, and are no secrets. */
const secretCharsMin = 4

/** An upstream may echo a key of digits as a number; smaller ones are counts and years. */
const secretNumberMin = 100_000
/** Of shorter ones too little is left of an unaligned base64 form to be told from ordinary text. */
const unalignedBytesMin = 8
/** Fewer characters of a key's beginning are a vendor's prefix, which ordinary texts may have. */
const beginningCharsMin = 12
/** Shorter lines of a key or certificate occur in other texts too. */
const keyLine = /^[A-Za-z0-9+/=_-]{32,}$/
/** No source cuts a text to fewer; a shorter one that ends like the beginning of a secret is a name or a word. */
const cutTextCharsMin = 100
const cutMarkCharsMax = 4

/** A secret in the forms in which an upstream may echo it. */
export function formsOf(secret: string): string[] {
  // Of `Bearer abc` an upstream repeats `abc` alone as well.
  const value = /^(?:bearer|basic|token|apikey)\s+(\S+)$/i.exec(secret)?.[1] ?? secret
  // Of a key in several lines a program may print each by itself.
  const lines = secret.split(/\r?\n/).filter((line) => keyLine.test(line))
  const forms = [secret, Buffer.from(secret).toString("base64"), ...encodingsOf(value), ...lines]
  return [...new Set(forms)].filter((form) => form.length >= secretCharsMin)
}

function encodingsOf(value: string): string[] {
  const bytes = Buffer.from(value)
  const hex = bytes.toString("hex")
  const percentOfAll = hex.replaceAll(/../g, "%$&")
  const component = encodeURIComponent(value.toWellFormed())
  const strict = component.replaceAll(/[!'()*~]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
  const percent = [component, strict, strict.replaceAll("%20", "+")]
  return [
    value,
    ...percent,
    ...percent.map((text) => text.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())),
    percentOfAll,
    percentOfAll.toUpperCase(),
    hex,
    hex.toUpperCase(),
    bytes.toString("base64"),
    bytes.toString("base64url"),
    ...(bytes.length < unalignedBytesMin ? [] : [0, 1, 2].flatMap((offset) => base64Within(bytes, offset))),
    ...jsonTextsOf(value),
    value.replaceAll(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`),
    value.replaceAll(/[&<>"']/g, (char) => htmlNames[char] ?? char),
  ]
}

const htmlNames: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" }

/** JSON may escape more than it must, and common writers do. */
function jsonTextsOf(value: string): string[] {
  const json = JSON.stringify(value).slice(1, -1)
  const unicode = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`
  return [json, json.replaceAll("/", "\\/"), json.replaceAll(/[<>&]/g, unicode), json.replaceAll(/[<>&='+]/g, unicode)]
}

/** What base64 of a longer text has in common wherever the bytes stand in it: the characters that hold nothing but their bits. */
function base64Within(bytes: Buffer, offset: number): string[] {
  const padded = Buffer.concat([Buffer.alloc(offset), bytes])
  const [start, end] = [Math.ceil((offset * 8) / 6), Math.floor((padded.length * 8) / 6)]
  return [padded.toString("base64").slice(start, end), padded.toString("base64url").slice(start, end)]
}

/** Longer secrets come first in `secrets`, because one may contain another. The same text where there is nothing to change. */
export function redactText(text: string, secrets: readonly string[], by = mask): string {
  const cut = secrets.length === 0 ? null : cutSecret(text, secrets)
  let clean = cut === null ? text : text.slice(0, cut.start)
  const telling = secrets.length === 0 ? secrets : tellingPartsOf(secrets)
  for (let index = 0; index < telling.length; index += 1) {
    const part = telling[index] ?? ""
    if (clean.includes(part)) clean = replaceBeginnings(clean, secrets[index] ?? part, part.length, by)
  }
  return cut === null ? clean : `${clean}${by}${text.slice(cut.end)}`
}

const tellingParts = new WeakMap<readonly string[], readonly string[]>()

/** Worked out once for all texts of an answer. */
function tellingPartsOf(secrets: readonly string[]): readonly string[] {
  const known = tellingParts.get(secrets)
  if (known !== undefined) return known
  const parts = secrets.map(tellingPart)
  tellingParts.set(secrets, parts)
  return parts
}

/** How much of a secret gives it away wherever it stands, since what quotes may cut: half of a random one, all of one made of words or of a name and a password. */
function tellingPart(secret: string): string {
  const beginning = secret.slice(0, Math.max(beginningCharsMin, Math.ceil(secret.length / 2)))
  const isRandom = /^[^\s:@]+$/.test(secret) && /\d/.test(beginning) && /[a-z]/i.test(beginning)
  return isRandom ? beginning : secret
}

/** Each place where a secret begins, with as much of it as stands there. */
function replaceBeginnings(text: string, secret: string, charsMin: number, by: string): string {
  if (charsMin === secret.length) return text.replaceAll(secret, by)
  const beginning = secret.slice(0, charsMin)
  let clean = ""
  let from = 0
  for (let at = text.indexOf(beginning); at !== -1; at = text.indexOf(beginning, from)) {
    clean += `${text.slice(from, at)}${by}`
    from = at + charsMin
    while (from - at < secret.length && text[from] === secret[from - at]) from += 1
  }
  return `${clean}${text.slice(from)}`
}

/** Where the beginning of a secret stands at the end of a text: sources cut what they quote, and a cut may fall inside a secret. */
function cutSecret(text: string, secrets: readonly string[]): { readonly start: number; readonly end: number } | null {
  // Of a character that was cut in two, a replacement character is left.
  const mark = /\uFFFD*…?$/.exec(text.slice(-cutMarkCharsMax))?.[0] ?? ""
  if (text.length < cutTextCharsMin && !mark.endsWith("…")) return null
  const end = text.length - mark.length
  const last = text.charAt(end - 1)
  if (last === "") return null
  let longest = 0
  for (const secret of secrets) {
    const least = Math.max(cutCharsMin(secret), longest + 1)
    for (let at = secret.lastIndexOf(last); at + 1 >= least; at = secret.lastIndexOf(last, at - 1)) {
      if (!text.endsWith(secret.slice(0, at + 1), end)) continue
      longest = at + 1
      break
    }
  }
  return longest === 0 ? null : { start: end - longest, end }
}

/** Fewer characters tell little of a secret, and ordinary texts end in them. */
const cutCharsMin = (secret: string): number => Math.max(secretCharsMin, Math.min(8, Math.ceil(secret.length / 2)))

/** For texts that come one by one; the secrets are given as they are. */
export function secretRedactor(secrets: readonly string[]): (text: string) => string {
  const forms = longestFirst([...new Set(secrets.flatMap(formsOf))])
  return (text) => redactText(text, forms)
}

/**
 * An answer without the secrets, and without false files: whatever came as JSON and claims to be a file is renamed here, before it is
 * recorded, so that everybody after the gate may take the tag at its word. The same answer where there is nothing to change.
 */
export function redactResult(result: ToolResult, secrets: readonly string[]): ToolResult {
  try {
    return cleanValue(result, longestFirst(secrets)) as ToolResult // cleaning keeps every shape and replaces only texts
  } catch (error) {
    if (error instanceof RangeError) return tooDeep()
    throw error
  }
}

/** The same; a large answer is looked through in its turn, and in slices. */
export async function redactAnswer(result: ToolResult, secrets: readonly string[], turn?: { take(): Promise<void> }): Promise<ToolResult> {
  try {
    if (!isLargeJson(result)) return redactResult(result, secrets)
    await turn?.take()
    return (await cleanLarge(result, longestFirst(secrets), createTimeSlices())) as ToolResult // as above
  } catch (error) {
    if (error instanceof RangeError) return tooDeep()
    throw error
  }
}

async function cleanLarge(value: object, secrets: readonly string[], slices: TimeSlices): Promise<unknown> {
  if (isMadeFile(value)) return redactFile(value, secrets)
  if (Array.isArray(value)) return cleanItems(value, secrets, slices)
  const clean: [string, unknown][] = []
  let isClean = true
  for (const [key, item] of Object.entries(value) as [string, unknown][]) {
    if (slices.isOver()) await slices.next()
    const entry = isLargeObject(item)
      ? ([redactText(key, secrets), await cleanLarge(item, secrets, slices)] as const)
      : cleanEntry(key, item, secrets)
    isClean &&= entry[0] === key && entry[1] === item
    clean.push([entry[0], entry[1]])
  }
  return isClean ? value : Object.fromEntries(clean)
}

/** A list of millions is copied only when something in it changes. */
async function cleanItems(items: readonly unknown[], secrets: readonly string[], slices: TimeSlices): Promise<readonly unknown[]> {
  let clean: unknown[] | null = null
  for (let at = 0; at < items.length; at += 1) {
    if (slices.isOver()) await slices.next()
    const item = items[at]
    const cleaned = isLargeObject(item) ? await cleanLarge(item, secrets, slices) : cleanValue(item, secrets)
    if (cleaned !== item) clean ??= items.slice(0, at)
    clean?.push(cleaned)
  }
  return clean ?? items
}

const isLargeObject = (value: unknown): value is object => typeof value === "object" && value !== null && isLargeJson(value)

/** What a source complains of often repeats what it was sent. The same error where no secret occurs. */
export function redactError(error: unknown, secrets: readonly string[]): unknown {
  const hidden = longestFirst(secrets)
  if (error instanceof ExecutorError) {
    const [message, details] = [redactText(error.message, hidden), cleanValue(error.details, hidden)]
    const isClean = message === error.message && details === error.details && error.cause === undefined
    return isClean ? error : new ExecutorError(error.code, message, details)
  }
  // What is printed of an error that is not ours may be any part of it.
  const isClean = redactText(inspect(error, { depth: 5 }), hidden) === inspect(error, { depth: 5 })
  return isClean ? error : new Error(redactText(error instanceof Error ? error.message : String(error), hidden))
}

const tooDeep = (): ToolResult => fail("response_too_large", "The response is nested too deeply to be checked for secrets")

/** What is shown to code without having passed the gate: catalogs quote strangers too. */
export const withoutClaims = (value: unknown): unknown => cleanValue(value, [])

function cleanValue(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === "string") return redactText(value, secrets)
  if (typeof value === "number") return value >= secretNumberMin && secrets.includes(String(value)) ? mask : value
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return cleanArray(value, secrets)
  return isMadeFile(value) ? redactFile(value, secrets) : cleanObject(value, secrets)
}

function cleanArray(items: readonly unknown[], secrets: readonly string[]): readonly unknown[] {
  const clean = items.map((item) => cleanValue(item, secrets))
  return clean.every((item, at) => item === items[at]) ? items : clean
}

function cleanEntry(key: string, item: unknown, secrets: readonly string[]): [string, unknown] {
  const isClaim = key === "_tag" && item === "ToolFile"
  return [redactText(key, secrets), isClaim ? untrustedFileTag : cleanValue(item, secrets)]
}

function cleanObject(object: object, secrets: readonly string[]): object {
  let isClean = true
  const entries = Object.entries(object).map(([key, item]: [string, unknown]): [string, unknown] => {
    const entry = cleanEntry(key, item, secrets)
    isClean &&= entry[0] === key && entry[1] === item
    return entry
  })
  // `fromEntries` defines properties instead of assigning them, so that `__proto__` stays plain data.
  return isClean ? object : Object.fromEntries(entries)
}

/** A file stays one: its bytes are searched, not their encoding, and its name and type like any text. */
function redactFile(file: ToolFile, secrets: readonly string[]): ToolFile {
  if (secrets.length === 0) return file
  const name = file.name === undefined ? undefined : redactText(file.name, secrets)
  const mimeType = redactText(file.mimeType, secrets)
  const bytes = Buffer.from(file.data, "base64").toString("latin1")
  const inBytes = secrets.map((secret) => Buffer.from(secret).toString("latin1"))
  const clean = redactText(bytes, inBytes)
  const isClean = clean === bytes && name === file.name && mimeType === file.mimeType
  return isClean ? file : toolFile(Buffer.from(clean, "latin1"), mimeType, name)
}

export const longestFirst = (secrets: readonly string[]): string[] =>
  secrets.filter((secret) => secret.length >= secretCharsMin).toSorted((a, b) => b.length - a.length)
