// Takes the secret values out of a tool's config, so that its row, its versions and whatever is shown have references instead.
//
// Order of events for a config that somebody sends: `***` becomes the reference that stood there before, unless the
// config now goes to another address; every secret text that is left becomes a new reference, and its value goes to the
// vault. References never change what they stand for, so that an old version keeps its own secrets.
import { ExecutorError } from "../core/errors.ts"
import { canonicalJson } from "../core/json/canonical.ts"
import { isRecord } from "../core/json/record.ts"
import { isSecretReference } from "../core/registry/binding.ts"
import { newSecret } from "../io/ids.ts"
import { originOfTemplate, secretInUrl } from "./config/url.ts"
import { isSensitiveKey } from "./sensitive-key.ts"

export type Config = Readonly<Record<string, unknown>>

export const mask = "***"

const urlFields = ["url", "server_url", "baseUrl", "endpoint"] as const

const newRef = (toolId: string): string => `registry:${toolId}:${newSecret("s")}`

/** A secret text found on a walk, by its path. */
type Found = (text: string, path: string) => unknown

/** Replaces every secret text; references stay. */
function mapSecrets(config: Config, replace: Found): Config {
  const walk = (value: unknown, path: string, isSecret: boolean): unknown => {
    if (isSecretReference(value)) return value
    if (typeof value === "string") return isSecret && value !== "" ? replace(value, path) : value
    if (typeof value === "number" && isSecret) throw new ExecutorError("invalid_request", `${path} is kept secret, and so must be a text`)
    if (Array.isArray(value)) return value.map((item, at) => walk(item, `${path}.${at}`, isSecret))
    if (!isRecord(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => {
        const place = path === "" ? key : `${path}.${key}`
        return [key, walk(item, place, isSecret || place === "headers" || isSensitiveKey(key))]
      }),
    )
  }
  return walk(config, "", false) as Config // a record stays one
}

/** As it is shown. */
export function maskSecrets(config: Config): Config {
  const walk = (value: unknown): unknown => {
    if (isSecretReference(value)) return mask
    if (Array.isArray(value)) return value.map(walk)
    return isRecord(value) ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, walk(item)])) : value
  }
  return walk(config) as Config // a record stays one
}

/** Without the values that somebody else has masked, whose paths are answered. */
export function withoutMasks(config: Config): { readonly config: Config; readonly masked: readonly string[] } {
  const masked: string[] = []
  const walk = (value: unknown, path: string): unknown => {
    if (!isRecord(value)) return value
    const kept = Object.entries(value).flatMap(([key, item]): [string, unknown][] => {
      const place = path === "" ? key : `${path}.${key}`
      if (item !== mask) return [[key, walk(item, place)]]
      masked.push(place)
      return []
    })
    return Object.fromEntries(kept)
  }
  return { config: walk(config, "") as Config, masked } // a record stays one
}

/** By path. */
export function referencesIn(config: unknown): Map<string, string> {
  const found = new Map<string, string>()
  const walk = (value: unknown, path: string): void => {
    if (isSecretReference(value)) return void found.set(path, value.$secret)
    if (typeof value !== "object" || value === null) return
    for (const [key, item] of Object.entries(value)) walk(item, path === "" ? key : `${path}.${key}`)
  }
  walk(config, "")
  return found
}

/** Whoever could write a reference could send another tool's secret wherever they like. */
export function refuseReferences(config: unknown): void {
  if (JSON.stringify(config ?? null).includes('"$secret"'))
    throw new ExecutorError(
      "invalid_request",
      "A config may not have a field '$secret': send the value itself, or *** to keep the stored one",
    )
}

/** `***` keeps what stood there before, as long as it goes where it went before. */
export function keepSecrets(config: Config, before: Config): Config {
  refuseReferences(config)
  const stored = referencesIn(before)
  const kept: string[] = []
  const restored = mapSecrets(config, (text, path) => {
    if (text !== mask) return text
    const ref = stored.get(path)
    if (ref === undefined)
      throw new ExecutorError("invalid_request", `${path}: *** does not stand for a stored value here; send the value itself`)
    kept.push(path)
    return { $secret: ref }
  })
  const [now, then] = [destinationOf(config), destinationOf(before)]
  if (kept.length > 0 && canonicalJson(now) !== canonicalJson(then))
    throw new ExecutorError(
      "invalid_request",
      `The config now goes to ${shown(now)} instead of ${shown(then)}, and a secret goes only where it was meant to: send ${kept.join(", ")} again`,
      { resend: kept },
    )
  return restored
}

/** Where a config sends its secrets: the origins of its addresses, or the built-in that uses it. */
function destinationOf(config: Config): Record<string, string> {
  const entries = urlFields.flatMap((field) => {
    const url = config[field]
    return typeof url === "string" ? [[field, originOfTemplate(url) ?? url]] : []
  })
  const builtin = config["builtin"]
  return Object.fromEntries([...entries, ...(typeof builtin === "string" ? [["builtin", builtin]] : [])]) as Record<string, string> // made of texts
}

const shown = (destination: Record<string, string>): string => Object.values(destination).join(", ") || "no address"

/** The origins that a config names. */
export const originsIn = (config: Config): string[] =>
  urlFields.flatMap((field) => {
    const url = config[field]
    return typeof url === "string" ? (originOfTemplate(url) ?? []) : []
  })

/** An address is shown to everybody, so that nothing may be stored that has a secret in it. */
export function refuseShownSecrets(config: Config): void {
  for (const field of urlFields) {
    const url = config[field]
    const name = typeof url === "string" ? secretInUrl(url) : null
    if (name !== null)
      throw new ExecutorError(
        "invalid_request",
        `its ${field} shows the value of '${name.slice(0, 80)}' to everybody; put it into query or headers, where it is kept secret`,
      )
  }
}

export type HiddenConfig = {
  readonly config: Config
  /** By reference. */
  readonly added: ReadonlyMap<string, string>
}

/** `stored`: what is in the vault at these paths, so that a value that was sent again changes nothing. */
export function hideSecrets(
  config: Config,
  toolId: string,
  stored: ReadonlyMap<string, { readonly ref: string; readonly value: string }>,
): HiddenConfig {
  const added = new Map<string, string>()
  const hidden = mapSecrets(config, (text, path) => {
    const same = stored.get(path)
    if (same?.value === text) return { $secret: same.ref }
    const ref = newRef(toolId)
    added.set(ref, text)
    return { $secret: ref }
  })
  return { config: hidden, added }
}
