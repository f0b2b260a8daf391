// Makes of a server's settings what the MCP client is told: settings checked, variables of the environment filled in.
import type { McpClientConfig } from "../../sources/mcp/client.ts"
import type { McpServerConfig } from "../tools-config.ts"
import { McpConnectionError } from "./connection-error.ts"

export type Variables = { readonly [name: string]: string | undefined }

export type ServerTarget = { readonly config: McpClientConfig; readonly startMs: number; readonly callMs: number }

export type TargetDefaults = {
  /** The environment from which `envVars`, `bearerTokenEnvVar` and `envHttpHeaders` are read. */
  readonly env: Variables
  /** Where programs start whose config does not say. */
  readonly cwd: string
  readonly startMs: number
  readonly callMs: number
}

const namePattern = /^[a-zA-Z0-9_-]+$/
/** The longest time that a timer takes is 24 days. */
const timeoutMsMax = 2 ** 31 - 1

/** Throws a `McpConnectionError` that says which setting is wrong. */
export function serverTarget(name: string, config: McpServerConfig, defaults: TargetDefaults): ServerTarget {
  const wrong = (message: string): McpConnectionError => new McpConnectionError(message, name)
  if (!namePattern.test(name)) throw wrong(`Invalid server name '${name.slice(0, 100)}': must match pattern ${namePattern.source}`)
  const timeout = (field: "startupTimeoutMs" | "toolTimeoutMs", fallback: number): number => {
    const ms = config[field] ?? fallback
    if (Number.isFinite(ms) && ms > 0) return Math.min(ms, timeoutMsMax)
    throw wrong(`${field} of MCP server '${name}' must be more than 0`)
  }
  const times = { startMs: timeout("startupTimeoutMs", defaults.startMs), callMs: timeout("toolTimeoutMs", defaults.callMs) }
  const variable = (variableName: string, field: string): string => {
    const value = defaults.env[variableName]
    if (value !== undefined && value !== "") return value
    throw wrong(`${field} of MCP server '${name}' names the environment variable ${variableName}, which is not set`)
  }
  if ("command" in config) {
    const { command, args = [], env = {}, envVars = [], cwd = defaults.cwd } = config
    // Codex passes on those that are set: a program that needs one says so better than we could.
    const passed = envVars.flatMap((one) => (defaults.env[one] === undefined ? [] : [[one, defaults.env[one]] as const]))
    return {
      ...times,
      config: { transport: "stdio", command, args, env: { ...Object.fromEntries(passed), ...env }, cwd, timeoutSeconds: null },
    }
  }
  if (!("url" in config)) throw wrong(`MCP server '${name}' has neither a command nor a url`)
  const url = URL.parse(config.url)
  if (url === null || !/^https?:$/.test(url.protocol)) throw wrong(`url of MCP server '${name}' must be an http or https URL`)
  const { httpHeaders = {}, envHttpHeaders = {}, bearerTokenEnvVar } = config
  const named = Object.entries(envHttpHeaders).map(([header, from]) => [header, variable(from, "envHttpHeaders")] as const)
  const bearer = bearerTokenEnvVar === undefined ? {} : { Authorization: `Bearer ${variable(bearerTokenEnvVar, "bearerTokenEnvVar")}` }
  return {
    ...times,
    config: {
      transport: "http",
      url: url.href,
      headers: { ...httpHeaders, ...Object.fromEntries(named), ...bearer },
      timeoutSeconds: null,
    },
  }
}
