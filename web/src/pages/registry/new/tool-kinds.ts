// The types of tools that people make, in the order of the dialog, and what the API is sent for each.
import { getSubtypeLabel } from "toolplane/tool-types"
import type { RegistryToolCreate } from "toolplane/client"
import { parseObject } from "../json-text.ts"

export type Values = Readonly<Record<string, string>>

/** `schemaIsGiven`: what it takes follows from what it runs. */
export type ToolKind = { readonly id: string; readonly about: string; readonly schemaIsGiven?: true }

export const toolKinds: readonly ToolKind[] = [
  { id: "http", about: "Sends one request to an address." },
  { id: "function", about: "Calls a function that the server registers." },
  { id: "mcp", about: "Calls a tool of an MCP server." },
  { id: "agent_call", about: "Runs a published agent and answers with what it says." },
  { id: "rag_retrieval", about: "Asks the documents of a retrieval pipeline.", schemaIsGiven: true },
  { id: "artifact", about: "Runs a code artifact of your organization, without other tools.", schemaIsGiven: true },
  { id: "custom", about: "Runs your TypeScript, which may call other tools." },
  { id: "internal", about: "A built-in with settings of its own, such as a key.", schemaIsGiven: true },
]

export const kindLabel = (id: string): string => (id === "custom" ? "Code" : getSubtypeLabel(id))

/** `Name: value` on each line. */
export function parseHeaders(text: string): Readonly<Record<string, string>> {
  const lines = text.split("\n").filter((line) => line.trim() !== "")
  return Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(":")
      if (colon < 1) throw new Error(`Write each header as "Name: value"; "${line.trim().slice(0, 40)}" has no colon`)
      return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()]
    }),
  )
}

const parseNumber = (text: string, label: string): number => {
  const value = Number(text)
  if (text.trim() === "" || !Number.isFinite(value)) throw new Error(`${label} must be a number`)
  return value
}

function parseSchema(text: string, label: string): Record<string, unknown> {
  const parsed = parseObject(text)
  if (!parsed.ok) throw new Error(`${label} is not a JSON object: ${parsed.problem}`)
  return { ...parsed.value }
}

/** Fields that were left empty are not sent. */
export function configOf(kind: string, values: Values): Readonly<Record<string, unknown>> {
  const given = (name: string): Readonly<Record<string, string>> => (isEmpty(values[name]) ? {} : { [name]: (values[name] ?? "").trim() })
  const headers = isEmpty(values["headers"]) ? {} : { headers: parseHeaders(values["headers"] ?? "") }
  const timeout = isEmpty(values["timeout_s"]) ? {} : { timeout_s: parseNumber(values["timeout_s"] ?? "", "Timeout") }
  switch (kind) {
    case "http":
      return { method: values["method"] ?? "GET", ...given("url"), ...headers, ...timeout }
    case "mcp":
      return { ...given("server_url"), ...given("tool_name"), ...headers, ...timeout }
    case "agent_call":
      return { ...targetOf(values["target_agent"] ?? ""), ...timeout }
    case "rag_retrieval":
      return {
        ...given("pipeline_id"),
        ...(isEmpty(values["top_k"]) ? {} : { top_k: parseNumber(values["top_k"] ?? "", "How many passages") }),
      }
    case "custom":
      return {
        ...(isEmpty(values["code"]) ? {} : { code: values["code"] }),
        ...(usesOf(values).length === 0 ? {} : { uses: usesOf(values) }),
      }
    case "internal":
      return { ...given("builtin"), ...given("api_key"), ...given("credentials_ref") }
    default:
      return given("function_name")
  }
}

/** One on each line. */
export const usesOf = (values: Values): readonly string[] => (values["uses"] ?? "").split("\n").filter((line) => line !== "")

/** A slug has no such beginning as an id has. */
function targetOf(text: string): Readonly<Record<string, string>> {
  const target = text.trim()
  if (target === "") return {}
  return target.startsWith("agent_") ? { target_agent_id: target } : { target_agent_slug: target }
}

export function toCreate(kind: string, values: Values): RegistryToolCreate {
  const execution = {
    ...(isEmpty(values["execution_timeout_s"]) ? {} : { timeout_s: parseNumber(values["execution_timeout_s"] ?? "", "Timeout of a call") }),
    ...(isEmpty(values["max_concurrency"]) ? {} : { max_concurrency: parseNumber(values["max_concurrency"] ?? "", "Calls at once") }),
    ...(isEmpty(values["concurrency_group"]) ? {} : { concurrency_group: (values["concurrency_group"] ?? "").trim() }),
    ...(values["is_pure"] === "yes" ? { is_pure: true } : {}),
  }
  const input = isEmpty(values["input"]) ? undefined : parseSchema(values["input"] ?? "", "The input schema")
  const output = isEmpty(values["output"]) ? undefined : parseSchema(values["output"] ?? "", "The output schema")
  return {
    name: (values["name"] ?? "").trim(),
    ...(isEmpty(values["slug"]) ? {} : { slug: (values["slug"] ?? "").trim() }),
    description: (values["description"] ?? "").trim(),
    ...(input === undefined ? {} : { schema: { input, ...(output === undefined ? {} : { output }) } }),
    implementationType: kind,
    ...(kind === "artifact" ? {} : { implementationConfig: configOf(kind, values) }),
    ...(kind === "artifact" && !isEmpty(values["artifact_id"]) ? { artifactId: values["artifact_id"] ?? "" } : {}),
    ...(Object.keys(execution).length === 0 ? {} : { executionConfig: execution }),
  }
}

/** A draft of the input schema: every `{name}` of the address is a text that is required. */
export function draftInput(kind: string, values: Values): string {
  if (kind === "rag_retrieval") return schemaText({ query: { type: "string" } }, ["query"])
  if (kind === "agent_call") return schemaText({ text: { type: "string" } }, ["text"])
  const names = kind === "http" ? [...(values["url"] ?? "").matchAll(/\{([^{}]+)\}/g)].map(([, name]) => name ?? "") : []
  return schemaText(Object.fromEntries(names.map((name) => [name, { type: "string" }])), names)
}

const schemaText = (properties: object, required: readonly string[]): string =>
  JSON.stringify({ type: "object", properties, ...(required.length === 0 ? {} : { required }) }, null, 2)

export const isEmpty = (text: string | undefined): boolean => text === undefined || text.trim() === ""
