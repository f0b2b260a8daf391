// Returns the types of a tool as models read them: the arguments whole, the result one level deep, the rest by name.
import { LruMap } from "../../core/lru-map.ts"
import type { Principal } from "../../core/principal.ts"
import { principalKey } from "../../io/fair-queue.ts"
import { printDefinitions, printToolBrief } from "../../typescript/typescript.ts"
import type { ToolBrief } from "../../typescript/typescript.ts"
import type { FoundTool } from "./access.ts"
import { typesInput } from "./schema.ts"
import type { ToolSchemaParts } from "./schema.ts"

/** A tool set never changes, so that what was printed of it stays true. */
const briefs = new LruMap<string, ToolBrief>({ sizeMax: 500, weightMax: 4_000_000, weigh: (brief) => JSON.stringify(brief).length })

export async function toolBrief(principal: Principal, tool: FoundTool, parts: ToolSchemaParts): Promise<ToolBrief> {
  const key = tool.kind === "static" ? null : `${tool.found.tool.toolSetId} ${tool.found.tool.name}`
  const known = key === null ? undefined : briefs.get(key)
  if (known !== undefined) return known
  const input = await typesInput(principal, tool, parts)
  const brief = await parts.fairQueue.take(principalKey(principal), async () => printToolBrief(input))
  return key === null ? brief : briefs.set(key, brief)
}

/** Those of the names that there are. */
export async function toolDefinitions(
  principal: Principal,
  tool: FoundTool,
  names: readonly string[],
  parts: ToolSchemaParts,
): Promise<Pick<ToolBrief, "typeScriptDefinitions" | "more">> {
  const input = await typesInput(principal, tool, parts)
  return parts.fairQueue.take(principalKey(principal), async () => printDefinitions(input, names))
}
