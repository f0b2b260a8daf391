// Reads a table `[mcp_servers.<name>]` with the keys that Codex has.
import { resolve } from "node:path"
import { isRecord } from "../../core/json/record.ts"
import type { Table } from "../config-fields.ts"
import type { McpServerConfig } from "../tools-config.ts"

const sharedKeys = [
  "enabled",
  "required",
  "startup_timeout_sec",
  "startup_timeout_ms",
  "tool_timeout_sec",
  "timeout_seconds",
  "enabled_tools",
  "disabled_tools",
  "supports_parallel_tool_calls",
]
const stdioKeys = ["command", "args", "env", "env_vars", "cwd"]
const httpKeys = ["url", "bearer_token_env_var", "http_headers", "env_http_headers"]
/** Keys of Codex that have no meaning here, or another place. */
const refusedKeys: Readonly<Record<string, string>> = {
  bearer_token: "a token does not belong into the file: name a variable that holds it with bearer_token_env_var",
  default_tools_approval_mode: "approvals are the embedding program's: decide in its tool call gate, and hide tools with disabled_tools",
  tools: "approvals are the embedding program's: decide in its tool call gate, and hide tools with disabled_tools",
  oauth: "there is no browser here: get a token elsewhere and name its variable with bearer_token_env_var",
  scopes: "there is no browser here: get a token elsewhere and name its variable with bearer_token_env_var",
}

/** `folder`: what a relative `cwd` is relative to. */
export function readServerConfig(table: Table, folder: string): McpServerConfig {
  const isStdio = table.has("command")
  if (!isStdio && !table.has("url")) throw table.wrong(withoutTransport(table))
  for (const name of table.names()) checkKey(name, isStdio, table)
  const shared = sharedFields(table)
  if (isStdio) {
    const cwd = table.text("cwd")
    const command = table.text("command") ?? ""
    if (command.trim() === "") throw table.wrong("command must not be empty")
    return {
      command,
      ...optional("args", table.texts("args")),
      ...optional("env", table.map("env")),
      ...optional("envVars", passedVariables(table)),
      ...optional("cwd", cwd === undefined ? undefined : resolve(folder, cwd)),
      ...shared,
    }
  }
  const url = table.text("url") ?? ""
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) throw table.wrong("url must be an http or https URL")
  return {
    url,
    ...optional("bearerTokenEnvVar", table.text("bearer_token_env_var")),
    ...optional("httpHeaders", table.map("http_headers")),
    ...optional("envHttpHeaders", table.map("env_http_headers")),
    ...shared,
  }
}

/** A misspelt key is the likeliest reason. */
function withoutTransport(table: Table): string {
  const known = [...sharedKeys, ...stdioKeys, ...httpKeys, ...Object.keys(refusedKeys)]
  const unknown = table.names().find((name) => !known.includes(name))
  const expected = "invalid transport: set command for a program, or url for a server over HTTP"
  return unknown === undefined ? expected : `${expected}; ${unknown.slice(0, 60)} is not a key`
}

function checkKey(name: string, isStdio: boolean, table: Table): void {
  if (sharedKeys.includes(name) || (isStdio ? stdioKeys : httpKeys).includes(name)) return
  const transport = isStdio ? "stdio" : "streamable_http"
  if ([...stdioKeys, ...httpKeys].includes(name)) throw table.wrong(`${name} is not supported for ${transport}`)
  const refusal = Object.hasOwn(refusedKeys, name) ? refusedKeys[name] : undefined
  if (refusal !== undefined) throw table.wrong(`${name} is not supported for ${transport}; ${refusal}`)
  throw table.wrong(`unknown key ${name.slice(0, 60)}; known are ${[...(isStdio ? stdioKeys : httpKeys), ...sharedKeys].join(", ")}`)
}

function sharedFields(table: Table) {
  const startSeconds = table.number("startup_timeout_sec")
  const startMs = table.number("startup_timeout_ms")
  const toolSeconds = table.number("tool_timeout_sec") ?? table.number("timeout_seconds")
  return {
    ...optional("enabled", table.flag("enabled")),
    ...optional("required", table.flag("required")),
    ...optional("startupTimeoutMs", startSeconds === undefined ? startMs : startSeconds * 1000),
    ...optional("toolTimeoutMs", toolSeconds === undefined ? undefined : toolSeconds * 1000),
    ...optional("enabledTools", table.texts("enabled_tools")),
    ...optional("disabledTools", table.texts("disabled_tools")),
    ...optional("supportsParallelToolCalls", table.flag("supports_parallel_tool_calls")),
  }
}

/** Codex names them plainly, or with where they are: here, or on another machine. */
function passedVariables(table: Table): readonly string[] | undefined {
  const given = table.value("env_vars")
  if (given === undefined) return undefined
  if (!Array.isArray(given)) throw table.wrong("env_vars must be an array of strings")
  return (given as unknown[]).map((one) => {
    const { name, source = "local" } = isRecord(one) ? one : { name: one }
    if (typeof name === "string" && source === "local") return name
    throw table.wrong('env_vars must be an array of names, or of tables with name and source = "local"')
  })
}

/** A property that is there only if it has a value. */
function optional<Name extends string, Value>(name: Name, value: Value | undefined): { readonly [Key in Name]?: Value } {
  return value === undefined ? {} : ({ [name]: value } as { readonly [Key in Name]: Value }) // its only property is the one of that name
}
