// Loads the config of an agent's tools from TOML, in the words that Codex uses.
import { readFile } from "node:fs/promises"
import { dirname, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { isRecord } from "../core/json/record.ts"
import { readToml } from "../io/toml-read.ts"
import { ToolsConfigError, tableOf } from "./config-fields.ts"
import type { Table } from "./config-fields.ts"
import { readServerConfig } from "./mcp/server-config-read.ts"
import type { McpServerConfig, ToolsConfig } from "./tools-config.ts"

/** A file, or the text of one. Relative paths in a file are relative to its folder, in a text to the working directory. */
export type ToolsConfigSource = string | URL | { readonly text: string }

const charsMax = 1_000_000
const serversMax = 500
const serverName = /^[a-zA-Z0-9_-]+$/

/** Top-level keys of other programs are left alone, so that one file can serve several. Throws a `ToolsConfigError`. */
export async function loadToolsConfig(source: ToolsConfigSource): Promise<ToolsConfig> {
  if (typeof source === "object" && !(source instanceof URL)) return readConfig(source.text, "config", process.cwd())
  const path = source instanceof URL ? fileURLToPath(source) : resolve(source)
  let text: string
  try {
    text = await readFile(path, "utf8")
  } catch (error) {
    throw new ToolsConfigError(`${path}: it cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
  return readConfig(text, path, dirname(path))
}

function readConfig(text: string, place: string, folder: string): ToolsConfig {
  if (text.length > charsMax) throw new ToolsConfigError(`${place}: it is longer than ${charsMax} characters`)
  const read = readToml(text)
  if (!read.ok) throw new ToolsConfigError(`${place}: ${read.reason}`)
  const table = tableOf(read.value, place)
  const workspace = table.text("workspace")
  const applyPatch = table.choice("apply_patch", ["freeform", "function"])
  const shell = table.choice("shell", ["sandboxed", "unsandboxed", "off"])
  const approvalPolicy = readApprovalPolicy(table)
  const network = table.flag("network")
  const outputTokensMax = table.number("output_tokens_max") ?? table.number("tool_output_token_limit")
  return {
    ...(workspace === undefined ? {} : { workspace: resolve(folder, workspace) }),
    ...(applyPatch === undefined ? {} : { applyPatch }),
    ...(shell === undefined ? {} : { shell }),
    ...(approvalPolicy === undefined ? {} : { approvalPolicy }),
    ...(network === undefined ? {} : { network }),
    ...(outputTokensMax === undefined ? {} : { outputTokensMax }),
    mcpServers: readServers(table, place, folder),
  }
}

/** Codex writes it with a hyphen. */
function readApprovalPolicy(table: Table): ToolsConfig["approvalPolicy"] {
  const policy = table.choice("approval_policy", ["on_request", "never", "on-request", "on-failure"])
  return policy === undefined || policy === "never" ? policy : "on_request"
}

function readServers(table: Table, place: string, folder: string): { readonly [name: string]: McpServerConfig } {
  const servers = table.value("mcp_servers") ?? {}
  if (!isRecord(servers)) throw table.wrong("mcp_servers must be tables: [mcp_servers.name]")
  const entries = Object.entries(servers)
  if (entries.length > serversMax) throw table.wrong(`it has more than ${serversMax} MCP servers`)
  return Object.fromEntries(
    entries.map(([name, server]) => {
      if (!serverName.test(name)) throw table.wrong(`invalid server name '${name.slice(0, 100)}': must match pattern ${serverName.source}`)
      return [name, readServerConfig(tableOf(server, `${place}: mcp_servers.${name}`), folder)]
    }),
  )
}
