// What the call of a tool needs to know, recorded when the tool was listed.
import type { Tool } from "@modelcontextprotocol/client"
import type { Effect, JsonText } from "../../core/tool.ts"
import { sha256 } from "../../io/ids.ts"

export type McpBinding =
  | {
      readonly kind: "tool"
      /** As the server calls it. */
      readonly name: string
      readonly effect: Effect
      /** The server gives no hint, so that the worst is assumed. */
      readonly isEffectAssumed?: true
      /** Of everything that the server says about it. */
      readonly hash: string
    }
  | { readonly kind: McpMethod }

/** What a server has besides tools, as tools of ours. */
export type McpMethod = "resources.list" | "resources.read" | "resources.templates" | "prompts.list" | "prompts.get"

export const writeBinding = (binding: McpBinding): JsonText => JSON.stringify(binding)
export const readBinding = (text: JsonText): McpBinding => JSON.parse(text) as McpBinding // written by `writeBinding` only

/** The same for the same words in any order of keys. */
export const hashTool = ({ name, title, description, inputSchema, outputSchema, annotations }: Tool): string =>
  sha256(JSON.stringify(canonical([name, title ?? null, description ?? null, inputSchema, outputSchema ?? null, annotations ?? null])))

/** As lists of names and values, not as `canonicalJson`: stored hashes were made of it, and a tool whose hash differs is not called. */
function canonical(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return value.map(canonical)
  return Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, item]) => [key, canonical(item)])
}
