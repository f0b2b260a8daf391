// The taxonomy of tools: four buckets by where a tool comes from, and subtypes by how it is performed.
//
// It imports nothing, so that a page can load it by itself: `toolplane/tool-types`.

export type ToolBucket = "built_in" | "mcp" | "artifact" | "custom"

export const TOOL_BUCKETS: readonly { readonly id: ToolBucket; readonly label: string; readonly description: string }[] = [
  { id: "built_in", label: "Built-in", description: "Comes with Executor." },
  { id: "mcp", label: "MCP", description: "Served by an MCP server." },
  { id: "artifact", label: "Artifact", description: "Runs a code artifact." },
  { id: "custom", label: "Custom", description: "Made in this tenant, or imported from an API or a plugin." },
]

export type ToolSubtype = "internal" | "http" | "rag_retrieval" | "agent_call" | "function" | "custom" | "artifact" | "mcp"

export const TOOL_SUBTYPES: readonly { readonly id: ToolSubtype; readonly label: string }[] = [
  { id: "internal", label: "Internal" },
  { id: "http", label: "HTTP" },
  { id: "rag_retrieval", label: "RAG Retrieval" },
  { id: "agent_call", label: "Agent Call" },
  { id: "function", label: "Function" },
  { id: "custom", label: "Custom" },
  { id: "artifact", label: "Artifact" },
  { id: "mcp", label: "MCP" },
]

/** What the bucket follows from. `toolType`: of a tool as the API lists it, which derived the bucket already. */
export type TypedTool = {
  readonly toolType?: string
  readonly implementationType?: string | null
  readonly configSchema?: unknown
  readonly artifactId?: string | null
  readonly builtinKey?: string | null
  readonly isSystem?: boolean
}

export function getToolBucket(tool: TypedTool): ToolBucket {
  const known = TOOL_BUCKETS.find(({ id }) => id === tool.toolType)
  if (known !== undefined) return known.id
  if (tool.isSystem === true || isGiven(tool.builtinKey)) return "built_in"
  if (tool.implementationType === "mcp" || configType(tool.configSchema) === "mcp") return "mcp"
  return isGiven(tool.artifactId) || tool.implementationType === "artifact" ? "artifact" : "custom"
}

/** A type that this version does not know is shown as it is written. */
export const getSubtypeLabel = (type: string): string => TOOL_SUBTYPES.find(({ id }) => id === type)?.label ?? type

/** Those that are left out filter nothing. */
export type ToolTypeFilters = {
  readonly status?: string
  readonly bucket?: string
  /** The implementation type. */
  readonly subtype?: string
  /** Case-insensitive substring of the name, title, slug or description. */
  readonly query?: string
}

export type FilteredTool = TypedTool & {
  readonly status?: string
  readonly name?: string
  readonly title?: string
  readonly slug?: string
  readonly description?: string
}

export function filterTools<Tool extends FilteredTool>(tools: readonly Tool[], filters: ToolTypeFilters): Tool[] {
  const { status, bucket, subtype } = filters
  const query = filters.query?.toLowerCase() ?? ""
  return tools.filter(
    (tool) =>
      (status === undefined || tool.status === status) &&
      (subtype === undefined || tool.implementationType === subtype) &&
      (bucket === undefined || getToolBucket(tool) === bucket) &&
      (query === "" || [tool.name, tool.title, tool.slug, tool.description].some((text) => text?.toLowerCase().includes(query))),
  )
}

const isGiven = (text: string | null | undefined): boolean => text !== undefined && text !== null && text !== ""

function configType(config: unknown): unknown {
  const { implementation } = (config ?? {}) as { implementation?: unknown } // of whatever else, the field is undefined
  return ((implementation ?? {}) as { type?: unknown }).type // as above
}
