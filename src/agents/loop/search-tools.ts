// The three tools of an agent that has too many to be told of all: it searches, reads and calls.
import { isOwner, withoutRoot } from "../../core/address.ts"
import type { Principal } from "../../core/principal.ts"
import type { ModelTool } from "../../models/model.ts"
import type { BoundTool, MatchedTools, ToolBinder } from "./bound-tools.ts"

export const searchToolSpecs: readonly ModelTool[] = [
  {
    name: "search_tools",
    description: "Finds tools by what they do. Read a tool before you call it for the first time.",
    parameters: {
      type: "object",
      properties: { query: { type: "string", description: "What the tool should do, e.g. 'create an invoice'." } },
      required: ["query"],
    },
  },
  {
    name: "read_tool",
    description: "Shows what a tool does and which arguments it takes.",
    parameters: { type: "object", properties: { name: { type: "string", description: "As search_tools shows it." } }, required: ["name"] },
  },
  {
    name: "call_tool",
    description: "Calls a tool.",
    parameters: {
      type: "object",
      properties: {
        name: { type: "string", description: "As search_tools shows it." },
        arguments: { type: "object", description: "As read_tool describes them." },
      },
      required: ["name"],
    },
  },
]

/** What `search_tools` and `read_tool` answer, as text. */
export async function answerSearch(
  name: string,
  args: Readonly<Record<string, unknown>>,
  principal: Principal,
  patterns: readonly string[],
  binder: ToolBinder,
): Promise<string> {
  const matched = await binder.match(principal, patterns)
  if (name === "search_tools") {
    const addresses = await binder.search(principal, textIn(args, "query"), matched)
    if (addresses.length === 0) return "No tool matches. Try other words."
    return JSON.stringify(
      addresses.map((address) => ({ name: withoutRoot(address), description: (matched.get(address)?.description ?? "").slice(0, 200) })),
    )
  }
  const wanted = textIn(args, "name")
  const address = addressNamed(wanted, matched)
  const [tool] = address === undefined ? [] : await binder.describe(principal, [address])
  if (tool === undefined) return `There is no tool '${withoutRoot(wanted).slice(0, 120)}'; find one with search_tools.`
  return JSON.stringify({ name: withoutRoot(tool.address), description: tool.description, arguments: tool.schema })
}

/** The tool that `call_tool` names; null where the agent has none of that name. */
export async function toolNamed(
  path: string,
  principal: Principal,
  patterns: readonly string[],
  binder: ToolBinder,
): Promise<BoundTool | null> {
  const address = addressNamed(path, await binder.match(principal, patterns))
  const [tool] = address === undefined ? [] : await binder.describe(principal, [address])
  return tool ?? null
}

/** Instructions name tools as people do: without owner and connection, where only one tool can be meant. */
function addressNamed(path: string, matched: MatchedTools): string | undefined {
  const wanted = withoutRoot(path)
  const addresses = [...matched.keys()]
  const meant = addresses.filter((one) => shortPath(one) === wanted)
  return addresses.find((one) => withoutRoot(one) === wanted) ?? (meant.length === 1 ? meant[0] : undefined)
}

function shortPath(address: string): string | null {
  const [integration, owner = "", , ...tool] = withoutRoot(address).split(".")
  return isOwner(owner) && tool.length > 0 ? [integration, ...tool].join(".") : null
}

/** What is no text names nothing. */
export function textIn(args: Readonly<Record<string, unknown>>, name: string): string {
  const value = args[name]
  return typeof value === "string" ? value : ""
}
