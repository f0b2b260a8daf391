// The tools that the host shows to clients, with descriptions made for one principal.
import type { Tool } from "@modelcontextprotocol/server"
import type { Inventory } from "../../../core/inventory.ts"
import type { Limits } from "../../../core/limits.ts"
import type { HostOptions } from "../host-options.ts"
import { executeTool, resumeTool } from "../../../core/text/code-mode.ts"

export function toolDefinitions(inventory: Inventory, options: HostOptions, limits: Limits): Tool[] {
  const inventoryCharsMax = options.discovery === "tools" ? inventoryCharsBesideTools : undefined
  return [
    {
      ...executeTool(inventory, options, limits, inventoryCharsMax),
      annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
    },
    ...(options.mode === "native" ? [] : [{ ...resumeTool(options.mode), annotations: resumeHints }]),
    ...(options.discovery === "tools" ? [searchTool, readTool] : []),
  ]
}

/** Tools that search and describe leave less room, and less to be said. */
const inventoryCharsBesideTools = 800

const resumeHints = { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true }

const searchTool: Tool = {
  name: "search_tools",
  title: "Search tools",
  description: "Find the tools that `execute` can call, by what you want to do; shows their arguments.",
  inputSchema: {
    type: "object",
    properties: { query: { type: "string" }, limit: { type: "integer", minimum: 1, maximum: 100, default: 12 } },
    required: ["query"],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true, openWorldHint: false },
}

const readTool: Tool = {
  name: "read_tool",
  title: "Read a tool",
  description: "The TypeScript types and description of one tool that `execute` can call.",
  inputSchema: {
    type: "object",
    properties: {
      path: { type: "string" },
      definitions: { type: "array", items: { type: "string" }, maxItems: 20, description: "Only these types that its own ones name" },
    },
    required: ["path"],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true, openWorldHint: false },
}
