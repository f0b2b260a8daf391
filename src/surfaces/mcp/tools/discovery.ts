// `search_tools` and `read_tool`: discovery for clients that want it as tools.
import type { CallToolResult } from "@modelcontextprotocol/server"
import { readArguments, readInput, searchInput } from "./input.ts"
import type { HostCall, HostCallParts } from "./execute.ts"

export async function callSearch(given: unknown, { asker }: HostCall, parts: HostCallParts): Promise<CallToolResult> {
  const page = await parts.api(asker.principal).tools.search(readArguments(searchInput, given))
  const lines = page.items.map((item) => `${item.path} - ${item.description}${item.requiresApproval ? " (needs approval)" : ""}`)
  const said = lines.length === 0 ? "No tools match; try other words." : lines.join("\n")
  return { content: [{ type: "text", text: said }], structuredContent: { ...page } }
}

export async function callRead(given: unknown, { asker }: HostCall, parts: HostCallParts): Promise<CallToolResult> {
  const { path } = readArguments(readInput, given)
  const found = await parts.hostApi.describe(asker.principal, path)
  if ("error" in found) {
    const hint = found.error.suggestions.length === 0 ? "" : ` Did you mean ${found.error.suggestions.join(", ")}?`
    const said = found.error.message ?? `Tool path '${path}' not found.${hint}`
    return { content: [{ type: "text", text: said }], structuredContent: { ...found }, isError: true }
  }
  const definitions = Object.entries(found.typeScriptDefinitions).map(([name, type]) => `type ${name} = ${type}`)
  const said = [
    `${found.path}${found.requiresApproval ? " (needs approval)" : ""}`,
    found.description,
    `input: ${found.inputTypeScript}`,
    `output: ${found.outputTypeScript}`,
    ...definitions,
  ].join("\n\n")
  return { content: [{ type: "text", text: said }], structuredContent: { ...found } }
}
