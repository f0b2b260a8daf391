// The files in which agents' programs keep their MCP servers, and how an entry for Executor is put into one.
import { homedir } from "node:os"
import { join } from "node:path"
import { applyEdits, modify } from "jsonc-parser"
import { parse as parseToml, stringify as stringifyToml } from "smol-toml"
import { parseJsonc } from "./jsonc-read.ts"

export const clientNames = ["claude", "claude-desktop", "cursor", "vscode", "codex"] as const
export type ClientName = (typeof clientNames)[number]

/** How a client starts Executor. */
export type ProgramEntry = {
  readonly command: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

/** Where a client reaches Executor, which asks its human for consent. */
export type UrlEntry = { readonly url: string }

export type ClientEntry = ProgramEntry | UrlEntry

export type ClientFile = {
  readonly title: string
  readonly path: string
  readonly format: { readonly kind: "json"; readonly key: string } | { readonly kind: "toml" }
}

type Machine = { readonly platform: string; readonly home: string; readonly appData: string | undefined }

const thisMachine = (): Machine => ({ platform: process.platform, home: homedir(), appData: process.env["APPDATA"] })

export function clientFile(client: ClientName, machine: Machine = thisMachine()): ClientFile {
  const { home } = machine
  switch (client) {
    case "claude":
      return { title: "Claude Code", path: join(home, ".claude.json"), format: { kind: "json", key: "mcpServers" } }
    case "claude-desktop":
      return {
        title: "Claude Desktop",
        path: join(applicationData(machine), "Claude", "claude_desktop_config.json"),
        format: { kind: "json", key: "mcpServers" },
      }
    case "cursor":
      return { title: "Cursor", path: join(home, ".cursor", "mcp.json"), format: { kind: "json", key: "mcpServers" } }
    case "vscode":
      return {
        title: "VS Code",
        path: join(applicationData(machine), "Code", "User", "mcp.json"),
        format: { kind: "json", key: "servers" },
      }
    case "codex":
      return { title: "Codex", path: join(home, ".codex", "config.toml"), format: { kind: "toml" } }
  }
}

function applicationData({ platform, home, appData }: Machine): string {
  if (platform === "darwin") return join(home, "Library", "Application Support")
  return platform === "win32" ? (appData ?? join(home, "AppData", "Roaming")) : join(home, ".config")
}

/** The entry as it stands in the file, for people to read before it is written. */
export function entryText({ format }: ClientFile, name: string, entry: ClientEntry): string {
  if (format.kind === "toml") return tomlTable(name, entry)
  return JSON.stringify({ [format.key]: { [name]: jsonEntry(format.key, entry) } }, null, 2)
}

/** VS Code wants to be told what kind of server it is, and of an address everyone may be. */
const jsonEntry = (key: string, entry: ClientEntry): object => ({
  ...("url" in entry ? { type: "http" } : key === "servers" ? { type: "stdio" } : {}),
  ...entry,
})

const tomlTable = (name: string, entry: ClientEntry): string => stringifyToml({ mcp_servers: { [name]: entry } }).trim()

/** The whole file with the entry in it; comments and all else stay as they are. Throws a `SyntaxError` for a file that cannot be read. */
export function withEntry({ format }: ClientFile, text: string, name: string, entry: ClientEntry): string {
  if (format.kind === "toml") return withTable(text, name, entry)
  const whole = text.trim() === "" ? "{}\n" : text
  parseJsonc(whole)
  const edits = modify(whole, [format.key, name], jsonEntry(format.key, entry), { formattingOptions: { insertSpaces: true, tabSize: 2 } })
  return applyEdits(whole, edits)
}

function withTable(text: string, name: string, entry: ClientEntry): string {
  parseToml(text)
  const kept = withoutTable(text, name).trimEnd()
  return `${kept === "" ? "" : `${kept}\n\n`}${tomlTable(name, entry)}\n`
}

/** A table reaches from its header to the next one that is not below it. */
function withoutTable(text: string, name: string): string {
  const own = new RegExp(String.raw`^\s*\[mcp_servers\.(?:${name}|"${name}")(?:\.[^\]]+)?\]`)
  let isOwn = false
  return text
    .split("\n")
    .filter((line) => {
      if (/^\s*\[/.test(line)) isOwn = own.test(line)
      return !isOwn
    })
    .join("\n")
}
