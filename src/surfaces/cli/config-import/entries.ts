// Finds the MCP servers in the config of a client: Claude, Cursor, VS Code or Codex.
import { isRecord } from "../../../core/json/record.ts"
import { ExecutorError } from "../../../core/errors.ts"
import { readToml as readTomlText } from "../../../io/toml-read.ts"
import { parseJsonc } from "./jsonc-read.ts"

/** A server as its client describes it. */
export type ConfigEntry = { readonly name: string; readonly fields: Readonly<Record<string, unknown>>; readonly origin: string | null }

/** What VS Code asks before it starts a server. */
export type ConfigInput = {
  readonly id: string
  readonly message: string
  readonly isSecret: boolean
  readonly choices: readonly string[] | null
}

export type ConfigEntries = { readonly entries: readonly ConfigEntry[]; readonly inputs: readonly ConfigInput[] }

const fileCharsMax = 10_000_000
const entriesMax = 500

export function readEntries(text: string, fileName: string): ConfigEntries {
  if (text.length > fileCharsMax) throw unusable(fileName, "the file is too large to be a config")
  const root = fieldsOf(/\.toml$/i.test(fileName) ? readToml(text, fileName) : readJson(text, fileName))
  const settings = fieldsOf(root["mcp"])
  const entries = [
    ...entriesOf(root["mcpServers"], null),
    ...entriesOf(root["servers"], null),
    ...entriesOf(settings["servers"], null),
    ...entriesOf(root["mcp_servers"], null),
    ...Object.entries(fieldsOf(root["projects"])).flatMap(([path, project]) => entriesOf(fieldsOf(project)["mcpServers"], path)),
  ]
  if (entries.length === 0)
    throw unusable(fileName, "it has no MCP servers: expected mcpServers (Claude, Cursor), servers (VS Code) or [mcp_servers.name] (Codex)")
  if (entries.length > entriesMax) throw unusable(fileName, `it has more than ${entriesMax} servers`)
  return { entries, inputs: [...inputsOf(root["inputs"]), ...inputsOf(settings["inputs"])] }
}

function readToml(text: string, fileName: string): unknown {
  const read = readTomlText(text)
  if (!read.ok) throw unusable(fileName, read.reason)
  return read.value
}

/** A file without a telling name is JSON if it looks like it. */
function readJson(text: string, fileName: string): unknown {
  try {
    return parseJsonc(text)
  } catch (error) {
    if (!/^\s*(?:[{[]|\/[/*])/.test(text)) return readToml(text, fileName)
    throw unusable(fileName, `it is not valid JSON: ${firstLine(error)}`)
  }
}

const entriesOf = (servers: unknown, origin: string | null): ConfigEntry[] =>
  Object.entries(fieldsOf(servers)).map(([name, fields]) => ({ name, fields: fieldsOf(fields), origin }))

function inputsOf(inputs: unknown): ConfigInput[] {
  if (!Array.isArray(inputs)) return []
  return (inputs as unknown[]).map(fieldsOf).flatMap((input) => {
    const { id, type, description, password, options } = input
    // An input of another type is the answer of an editor's command, which nobody can give here.
    if (typeof id !== "string" || (type !== "promptString" && type !== "pickString")) return []
    const choices = type === "pickString" && Array.isArray(options) ? (options as unknown[]).map(choiceOf) : null
    return [{ id, message: typeof description === "string" ? description : id, isSecret: password === true, choices }]
  })
}

const choiceOf = (option: unknown): string => {
  const value = fieldsOf(option)["value"] ?? option
  return typeof value === "string" ? value : JSON.stringify(value)
}

export const fieldsOf = (value: unknown): Record<string, unknown> => (isRecord(value) ? Object.fromEntries(Object.entries(value)) : {})

const unusable = (fileName: string, reason: string): ExecutorError =>
  new ExecutorError("invalid_request", `Could not import ${fileName}: ${reason}`)

const firstLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split("\n", 1)[0]?.slice(0, 300) ?? ""
