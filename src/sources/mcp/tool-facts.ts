// States the facts of a tool from its server's annotations, pessimistically if there are none.
import type { Tool } from "@modelcontextprotocol/client"
import type { ToolName } from "../../core/address.ts"
import type { Limits } from "../../core/limits.ts"
import { titleOfIdentifier, titleOfText } from "../../core/text/title-case.ts"
import type { Effect } from "../../core/tool.ts"
import { boundedText } from "../document-value.ts"
import type { ListedTool } from "../source-adapter.ts"
import { hashTool, writeBinding } from "./binding.ts"

export function listTool(tool: Tool, name: ToolName, limits: Limits): ListedTool {
  const effect = effectOf(tool)
  return {
    name,
    title: titleOf(tool, limits),
    summary: "",
    description: boundedText(tool.description, limits.descriptionCharsMax),
    effect,
    requiresApproval: effect !== "read",
    approvalDescription: null,
    // A server never says beforehand whether it will ask.
    mayElicit: true,
    deprecated: saysDeprecated(tool.description ?? ""),
    tags: [],
    inputSchema: JSON.stringify(tool.inputSchema),
    outputSchema: tool.outputSchema === undefined ? null : JSON.stringify(tool.outputSchema),
    binding: writeBinding({
      kind: "tool",
      name: tool.name,
      effect,
      ...(effect === "destroy" && tool.annotations?.destructiveHint === undefined ? { isEffectAssumed: true } : {}),
      hash: hashTool(tool),
    }),
  }
}

/** The protocol has no word for it, so that servers write it in front of a sentence: "DEPRECATED: Use read_text_file instead." */
const saysDeprecated = (description: string): boolean => deprecation.test(description.slice(0, 2000))
const deprecation = /(?:^|[.!?)\]\n]\s*)[*_[(]{0,3}deprecated\b\s{0,3}[:.,;!)\]*_—–-]|\bthis tool (?:is|has been) deprecated\b/i

/** A server that says that a tool destroys nothing still says that it changes something. */
function effectOf({ annotations }: Tool): Effect {
  if (annotations?.readOnlyHint === true) return "read"
  return annotations?.destructiveHint === false ? "write" : "destroy"
}

/** The server's own title keeps its words; only their case is ours. */
function titleOf(tool: Tool, limits: Limits): string {
  const own = boundedText(tool.title ?? tool.annotations?.title, limits.nameCharsMax)
  if (own !== "") return titleOfText(own)
  return titleOfIdentifier(tool.name).slice(0, limits.nameCharsMax) || tool.name.toWellFormed().replaceAll("\u0000", "") || "Tool"
}
