// Takes the secret values out of an integration's config, and puts them back when a call needs them.
//
// Secret are the values of `headers` and `env`, and of a URL its user info and query values. What is stored and
// shown has `***` in their place; the vault keeps each whole text under its path in the config.
import { ExecutorError } from "../../core/errors.ts"
import { isHarmlessHeader, isHarmlessVariable, isSecretUserName } from "../../core/secret-variable.ts"
import type { SecretValues } from "../../credentials/vault.ts"

type Config = Readonly<Record<string, unknown>>

const mask = "***"
const secretRecords = ["headers", "env"]
const urlFields = ["spec", "baseUrl", "endpoint", "url"]

export function hideSecrets(config: Config): { readonly shown: Record<string, unknown>; readonly secrets: SecretValues } {
  const secrets: Record<string, string> = {}
  const shown: Record<string, unknown> = { ...config }
  for (const field of secretRecords) {
    const record = textRecord(config[field])
    for (const [name, value] of record) secrets[`${field}.${name}`] = value
    if (record.length > 0) shown[field] = Object.fromEntries(record.map(([name]) => [name, mask]))
  }
  for (const field of urlFields) {
    const url = config[field]
    const masked = typeof url === "string" ? maskUrl(url) : null
    if (typeof url !== "string" || masked === null) continue
    secrets[field] = url
    shown[field] = masked
  }
  return { shown, secrets }
}

export function restoreSecrets(shown: Config, secrets: SecretValues): Config {
  const config: Record<string, unknown> = { ...shown }
  for (const field of secretRecords) {
    const record = textRecord(shown[field])
    if (record.length > 0) config[field] = Object.fromEntries(record.map(([name, value]) => [name, secrets[`${field}.${name}`] ?? value]))
  }
  for (const field of urlFields) if (secrets[field] !== undefined) config[field] = secrets[field]
  return config
}

/** The texts that must not come back from an upstream: of a URL its secret parts, and no plain setting. */
export const secretTexts = (secrets: SecretValues): string[] =>
  Object.entries(secrets).flatMap(([path, text]) => {
    if (path.startsWith("env.") && isHarmlessVariable(path.slice("env.".length), text)) return []
    if (path.startsWith("headers.") && isHarmlessHeader(path.slice("headers.".length))) return []
    if (!URL.canParse(text)) return [text]
    if (urlFields.includes(path)) return urlSecrets(new URL(text), () => true)
    // A program that complains of a URL it was given may write it differently.
    return [text, ...urlSecrets(new URL(text), (name, value) => !isHarmlessVariable(name, value))]
  })

/** As they are written and as they are meant. */
function urlSecrets({ username, password, search }: URL, isSecret: (name: string, value: string) => boolean): string[] {
  const query = search.slice(1).split("&")
  const values = [...new URLSearchParams(search)].filter(([name, value]) => isSecret(name, value)).map(([, value]) => value)
  const written = query.flatMap((pair) => {
    const at = pair.indexOf("=")
    const [name, value] = [decoded(pair.slice(0, at)), pair.slice(at + 1)]
    return at > 0 && isSecret(name, decoded(value)) ? [value] : []
  })
  // User info is sent as one text, in base64.
  const user = username === "" ? [] : [`${decoded(username)}:${decoded(password)}`, `${username}:${password}`]
  if (isSecretUserName(password)) return [...new Set([...user, decoded(username), username, ...values, ...written])].filter(Boolean)
  return [...new Set([...user, decoded(password), password, ...values, ...written])].filter((text) => text !== "")
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/**
 * A client that read a config and sends it back changes only what it changed: `***` keeps the value before it. Stored
 * headers stay behind when the config moves to another origin, because they were meant for the one before.
 */
export function keepMasked(change: Config, previous: Config): Config {
  const hasMoved = urlFields.some((field) => movesOrigin(change[field], previous[field]))
  const kept: Record<string, unknown> = { ...change, ...(hasMoved && change["headers"] === undefined ? { headers: null } : {}) }
  for (const field of secretRecords) {
    const before = new Map(textRecord(previous[field]))
    const record = textRecord(change[field])
    if (record.length > 0)
      kept[field] = Object.fromEntries(record.map(([name, value]) => [name, value === mask ? (before.get(name) ?? value) : value]))
  }
  for (const field of urlFields) {
    const before = previous[field]
    const masked = typeof before === "string" ? maskUrl(before) : null
    if (masked !== null && change[field] === masked) kept[field] = before
  }
  refuseMasks(kept)
  return kept
}

function movesOrigin(now: unknown, before: unknown): boolean {
  if (typeof now !== "string" || typeof before !== "string" || !URL.canParse(now) || !URL.canParse(before)) return false
  return new URL(now).origin !== new URL(before).origin
}

/** A mask that stands for nothing stored would be sent as the value. */
export function refuseMasks(config: Config): void {
  const isMasked = (text: unknown): boolean =>
    typeof text === "string" && (text === mask || (URL.canParse(text) && maskedPart(new URL(text))))
  for (const field of urlFields) if (isMasked(config[field])) throw maskedValue(field)
  for (const field of secretRecords)
    for (const [name, value] of textRecord(config[field])) if (value === mask) throw maskedValue(`${field}.${name}`)
}

const maskedPart = (url: URL): boolean => url.username === mask || url.password === mask || [...url.searchParams.values()].includes(mask)

const maskedValue = (place: string): ExecutorError =>
  new ExecutorError("invalid_request", `config.${place}: '***' does not stand for a stored value here; send the value itself`)

/** Null when there is nothing to hide, or when the text is no URL. */
function maskUrl(text: string): string | null {
  if (!URL.canParse(text)) return null
  const url = new URL(text)
  const hasSecret = url.username !== "" || url.password !== "" || url.search.length > 1
  if (!hasSecret) return null
  const user = url.username !== "" || url.password !== "" ? `${mask}:${mask}@` : ""
  const query = [...url.searchParams.keys()].map((key) => `${encodeURIComponent(key)}=${mask}`).join("&")
  return `${url.protocol}//${user}${url.host}${url.pathname}${query === "" ? "" : `?${query}`}`
}

function textRecord(value: unknown): [string, string][] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return []
  return Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === "string")
}
