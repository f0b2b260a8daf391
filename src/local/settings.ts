// Reads settings from the environment, once, with errors that name the invalid variable.
import { ExecutorError } from "../core/errors.ts"
import { parseLimits } from "../core/limits.ts"
import type { Limits } from "../core/limits.ts"
import type { EnvAccess } from "../credentials/env/reference.ts"
import { logLevels } from "../io/log.ts"
import { hasDesktop } from "../io/open-browser.ts"
import type { LogLevel } from "../io/log.ts"
import { parseAddress, parseCidr, singleAddress } from "../io/network/address-range.ts"
import type { AddressBlock } from "../io/network/address-range.ts"
import type { TlsFiles } from "./tls-files.ts"
import { readDataDir } from "./data-dir.ts"

/** Every variable that the server or the command line reads. */
export const knownVariables: ReadonlySet<string> = new Set(
  "DATA_DIR PORT HOST DATABASE_URL SECRET_KEY CONFIG PRESETS PUBLIC_URL TRUSTED_PROXIES TLS_CERT TLS_KEY ALLOW_PRIVATE_HOSTS ALLOW_STDIO ENV_ALLOW OPEN_BROWSER SSO_ONLY LOG LIMITS ORIGIN TOKEN"
    .split(" ")
    .map((name) => `EXECUTOR_${name}`),
)

export type Environment = Readonly<Record<string, string | undefined>>

export type Settings = {
  readonly dataDir: string
  /** Null: the embedded store. */
  readonly databaseUrl: string | null
  /** Where `executor.config.ts` is, when it is not in the data directory. */
  readonly configPath: string | null
  /** A file with presets beside those that the product brings. */
  readonly presetsPath: string | null
  readonly secretKey: string | null
  /** The key of `builtin.web_search` for everybody who has none of their own. */
  readonly serperApiKey: string | null
  readonly host: string
  readonly port: number
  readonly publicUrl: string | null
  /** Null: plain HTTP, for this machine or for a proxy. */
  readonly tls: TlsFiles | null
  /** Whose word about their clients is believed. */
  readonly trustedProxies: readonly AddressBlock[]
  readonly allowPrivateHosts: readonly string[]
  readonly envAccess: EnvAccess
  /** Whether integrations may run programs on this machine. */
  readonly allowStdio: boolean
  /** Whether the server may open pages on this machine's desktop. */
  readonly opensBrowser: boolean
  /** Whether people sign in at providers alone, besides the human of this machine. */
  readonly isSsoOnly: boolean
  /** Whether what agents called after their searches orders the next ones. */
  readonly isSearchLearning: boolean
  readonly logLevel: LogLevel
  readonly limits: Partial<Limits>
}

export const portDefault = 4788

export function readSettings(env: Environment): Settings {
  const host = env["EXECUTOR_HOST"] || "127.0.0.1"
  return {
    dataDir: readDataDir(env),
    databaseUrl: readDatabaseUrl(env["EXECUTOR_DATABASE_URL"]),
    configPath: env["EXECUTOR_CONFIG"] || null,
    presetsPath: env["EXECUTOR_PRESETS"] || null,
    secretKey: env["EXECUTOR_SECRET_KEY"] || null,
    serperApiKey: env["SERPER_API_KEY"] || null,
    host,
    port: readPort(env["EXECUTOR_PORT"]),
    publicUrl: readPublicUrl(env["EXECUTOR_PUBLIC_URL"]),
    tls: readTlsFiles(env),
    trustedProxies: readList(env["EXECUTOR_TRUSTED_PROXIES"]).map(readProxy),
    allowPrivateHosts: readList(env["EXECUTOR_ALLOW_PRIVATE_HOSTS"]),
    envAccess: {
      variables: process.env,
      allow: env["EXECUTOR_ENV_ALLOW"] === undefined && isLoopback(host) ? "all" : readList(env["EXECUTOR_ENV_ALLOW"]),
    },
    allowStdio: readSwitch("EXECUTOR_ALLOW_STDIO", env) ?? isLoopback(host),
    opensBrowser: isLoopback(host) && hasDesktop(env),
    isSsoOnly: readSwitch("EXECUTOR_SSO_ONLY", env) ?? false,
    isSearchLearning: readSwitch("EXECUTOR_SEARCH_LEARNING", env) ?? true,
    logLevel: readLogLevel(env["EXECUTOR_LOG"]),
    limits: readLimits(env["EXECUTOR_LIMITS"]),
  }
}

export const isLoopback = (host: string): boolean => host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host)

/** Tokens and sessions travel with every request: beyond this machine only with TLS, here or at a proxy that is known. */
export function refuseListening(settings: Pick<Settings, "host" | "publicUrl" | "tls" | "trustedProxies">): ExecutorError | null {
  const { host, publicUrl, tls, trustedProxies } = settings
  const isPublicSecure = publicUrl?.startsWith("https:") === true
  if (tls !== null && publicUrl !== null && !isPublicSecure)
    return new ExecutorError(
      "invalid_request",
      `EXECUTOR_PUBLIC_URL must begin with https:// where the server speaks TLS, not '${publicUrl}'`,
    )
  if (isLoopback(host) || tls !== null) return null
  if (!isPublicSecure)
    return new ExecutorError(
      "invalid_request",
      `Listening on ${host} would send tokens over the network in plain text. Set --tls-cert and --tls-key; or put a proxy with TLS in front, set EXECUTOR_PUBLIC_URL to its https address and EXECUTOR_TRUSTED_PROXIES to the address that it connects from; or listen on 127.0.0.1`,
    )
  if (trustedProxies.length > 0) return null
  return new ExecutorError(
    "invalid_request",
    `Listening on ${host} without TLS is for a proxy in front alone: set EXECUTOR_TRUSTED_PROXIES to the address that it connects from, e.g. 10.0.0.2 or 172.16.0.0/12; or set --tls-cert and --tls-key`,
  )
}

/** Allowed, because a network may have its own encryption; null where nothing is to be said. */
export function plainAddressWarning({ publicUrl }: Pick<Settings, "publicUrl">): string | null {
  if (publicUrl === null || !publicUrl.startsWith("http:") || isLoopback(new URL(publicUrl).hostname.replace(/^\[|\]$/g, ""))) return null
  return `EXECUTOR_PUBLIC_URL has no TLS: people would send tokens and sessions to ${publicUrl} in plain text, requests without TLS from other machines are refused, and passkeys do not work there. Set it to an https address`
}

export function readPort(text: string | undefined): number {
  if (text === undefined || text === "") return portDefault
  const port = Number(text)
  if (!/^\d+$/.test(text) || port > 65_535)
    throw new ExecutorError("invalid_request", `EXECUTOR_PORT (--port) must be a number from 0 to 65535, not '${text}'`)
  return port
}

export function readDatabaseUrl(text: string | undefined): string | null {
  if (text === undefined || text === "") return null
  if (URL.canParse(text) && /^postgres(ql)?:$/.test(new URL(text).protocol)) return text
  throw new ExecutorError(
    "invalid_request",
    "EXECUTOR_DATABASE_URL (--database) must be a postgres:// URL; leave it out for the embedded store",
  )
}

function readPublicUrl(text: string | undefined): string | null {
  if (text === undefined || text === "") return null
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text.replace(/\/+$/, "")
  throw new ExecutorError("invalid_request", `EXECUTOR_PUBLIC_URL must be an http or https URL, not '${text}'`)
}

function readTlsFiles(env: Environment): TlsFiles | null {
  const certPath = env["EXECUTOR_TLS_CERT"] || null
  const keyPath = env["EXECUTOR_TLS_KEY"] || null
  if (certPath === null && keyPath === null) return null
  if (certPath !== null && keyPath !== null) return { certPath, keyPath }
  const missing = certPath === null ? "EXECUTOR_TLS_CERT (--tls-cert)" : "EXECUTOR_TLS_KEY (--tls-key)"
  throw new ExecutorError("invalid_request", `${missing} is missing: a certificate and its key are set together`)
}

function readProxy(text: string): AddressBlock {
  const address = parseAddress(text)
  const block = address === null ? parseCidr(text) : singleAddress(address)
  if (block === null)
    throw new ExecutorError(
      "invalid_request",
      `EXECUTOR_TRUSTED_PROXIES: '${text}' is neither an IP address nor a range such as 10.0.0.0/8; names are not resolved`,
    )
  if (block[1] === 0)
    throw new ExecutorError("invalid_request", `EXECUTOR_TRUSTED_PROXIES: '${text}' would let anybody claim any address; name your proxies`)
  return block
}

/** Null where nothing is said. */
function readSwitch(name: string, env: Environment): boolean | null {
  const text = env[name]?.toLowerCase()
  if (text === undefined || text === "") return null
  if (["1", "true", "on", "yes"].includes(text)) return true
  if (["0", "false", "off", "no"].includes(text)) return false
  throw new ExecutorError("invalid_request", `${name} must be 1 or 0, not '${text}'`)
}

function readLogLevel(text: string | undefined): LogLevel {
  const level = logLevels.find((one) => one === (text || "info"))
  if (level === undefined) throw new ExecutorError("invalid_request", `EXECUTOR_LOG must be one of ${logLevels.join(", ")}, not '${text}'`)
  return level
}

function readLimits(text: string | undefined): Partial<Limits> {
  const limits = text === undefined || text === "" ? {} : parseLimits(text)
  if (typeof limits === "string") throw new ExecutorError("invalid_request", `EXECUTOR_LIMITS is wrong: ${limits}`)
  return limits
}

const readList = (text: string | undefined): string[] => (text ?? "").split(/[\s,]+/).filter((item) => item !== "")
