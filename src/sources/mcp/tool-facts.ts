// States the facts of a tool as its server annotates it, pessimistically where it says nothing.
import type { Tool } from "@modelcontextprotocol/client"
import type { ToolName } from "../../core/address.ts"
import type { Limits } from "../../core/limits.ts"
import type { Effect } from "../../core/tool.ts"
import { boundedText } from "../document-value.ts"
import type { ListedTool } from "../source-adapter.ts"
import { hashTool, writeBinding } from "./binding.ts"

export function listTool(tool: Tool, name: ToolName, limits: Limits): ListedTool {
  const effect = effectOf(tool)
  const title = boundedText(tool.title ?? tool.annotations?.title, limits.nameCharsMax) || titleOf(tool.name).slice(0, limits.nameCharsMax)
  return {
    name,
    title,
    summary: "",
    description: boundedText(tool.description, limits.descriptionCharsMax),
    effect,
    requiresApproval: effect === "destroy",
    approvalDescription: null,
    // A server never says beforehand whether it will ask.
    mayElicit: true,
    deprecated: false,
    tags: [],
    inputSchema: JSON.stringify(tool.inputSchema),
    outputSchema: tool.outputSchema === undefined ? null : JSON.stringify(tool.outputSchema),
    binding: writeBinding({ kind: "tool", name: tool.name, effect, hash: hashTool(tool) }),
  }
}

/** Only a promise counts: what is not said to be harmless may destroy. */
function effectOf({ annotations }: Tool): Effect {
  if (annotations?.readOnlyHint === true) return "read"
  return annotations?.destructiveHint === false ? "write" : "destroy"
}

/** `read_file` → `Read file` */
function titleOf(name: string): string {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
    .toLowerCase()
  return words === "" ? name.toWellFormed().replaceAll("\u0000", "") || "Tool" : `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}
