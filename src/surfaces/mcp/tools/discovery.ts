// `search_tools` and `read_tool`: discovery for clients that want it as tools.
import type { CallToolResult } from "@modelcontextprotocol/server"
import type { BriefSearchItem } from "../../../core/discovery.ts"
import { readArguments, readInput, searchInput } from "./input.ts"
import type { HostCall, HostCallParts } from "./execute.ts"

export async function callSearch(given: unknown, { asker }: HostCall, parts: HostCallParts): Promise<CallToolResult> {
  const page = await parts.hostApi.search(asker.principal, readArguments(searchInput, given))
  const said = [...(page.message === undefined ? [] : [page.message]), ...page.items.map(lineOf)].join("\n")
  return { content: [{ type: "text", text: said }], structuredContent: { ...page } }
}

function lineOf({ path, signature, description, requiresApproval, deprecated }: BriefSearchItem): string {
  const notes = [...(deprecated === true ? ["deprecated"] : []), ...(requiresApproval ? ["needs approval"] : [])]
  return `${path}(${signature === "{}" ? "" : signature}) - ${description}${notes.length === 0 ? "" : ` (${notes.join(", ")})`}`
}

export async function callRead(given: unknown, { asker }: HostCall, parts: HostCallParts): Promise<CallToolResult> {
  const query = readArguments(readInput, given)
  const found = await parts.hostApi.describe(asker.principal, query)
  if ("error" in found) {
    const hint = found.error.suggestions.length === 0 ? "" : ` Did you mean ${found.error.suggestions.join(", ")}?`
    const said = found.error.message ?? `Tool path '${query.path}' not found.${hint}`
    return { content: [{ type: "text", text: said }], structuredContent: { ...found }, isError: true }
  }
  const more = found.moreDefinitions ?? []
  const said = [
    ...("description" in found
      ? [
          `${found.path}${found.requiresApproval ? " (needs approval)" : ""}`,
          found.description,
          `input: ${found.inputTypeScript}`,
          `output: ${found.outputTypeScript}`,
        ]
      : []),
    ...Object.entries(found.typeScriptDefinitions).map(([name, type]) => `type ${name} = ${type}`),
    ...(more.length === 0 ? [] : [`More, with \`definitions\`: ${more.join(", ")}`]),
  ].join("\n\n")
  return { content: [{ type: "text", text: said }], structuredContent: { ...found } }
}
