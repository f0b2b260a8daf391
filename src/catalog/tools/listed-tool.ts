// Says what a row of the list is: its type, status and, of tools that were made here, what the registry adds.
import { ownSlug } from "../../core/address.ts"
import type { SourceKind } from "../../core/integration.ts"
import type { Scope } from "../../core/principal.ts"
import { registrySlug } from "../../core/registry/tool.ts"
import type { RegistryListFields, ToolFilter, ToolView } from "../../core/tool.ts"
import { filterTools } from "../../core/tool-types.ts"
import type { ToolTypeFilters } from "../../core/tool-types.ts"
import type { ToolListRow } from "../../store/store.ts"
import type { StaticTool } from "../static-tool.ts"
import { slugOfStatic } from "../static-tool.ts"
import type { RegistryListing } from "./registry-listing.ts"

type ToolTypes = Pick<ToolView, "toolType" | "implementationType" | "status">

export type ListedTool = ToolTypes & {
  readonly row: ToolListRow | StaticTool
  /** Null: counted by the changes of its definition. */
  readonly version: string | null
  readonly made?: Partial<RegistryListFields>
}

const typesOfKind: Readonly<Record<Exclude<SourceKind, "registry">, ToolTypes>> = {
  openapi: { toolType: "custom", implementationType: "http", status: "published" },
  graphql: { toolType: "custom", implementationType: "http", status: "published" },
  mcp: { toolType: "mcp", implementationType: "mcp", status: "published" },
  plugin: { toolType: "custom", implementationType: "function", status: "published" },
  agents: { toolType: "custom", implementationType: "agent_call", status: "published" },
}
const builtinTypes: ToolTypes = { toolType: "built_in", implementationType: "internal", status: "published" }

/** The first segment of the built-ins that are called like tools. */
const builtinSlug = "builtin"

export const implementationTypeOf = (kind: Exclude<SourceKind, "registry">): string => typesOfKind[kind].implementationType
export const implementationTypeOfStatic = (tool: StaticTool): string => listedStatic(tool).implementationType

/** Whether some tool of a source can pass the filter; those that were made here always can. */
export const wantsSources = (filter: ToolFilter): boolean => filterTools(Object.values(typesOfKind), typeFilter(filter)).length > 0

export const wanted = (tools: readonly ListedTool[], filter: ToolFilter): readonly ListedTool[] => {
  const { status, toolType, implementationType } = filter
  const isAll = status === undefined && toolType === undefined && implementationType === undefined
  return isAll ? tools : filterTools(tools, typeFilter(filter))
}

/** Text is looked for by the store. */
const typeFilter = ({ status, toolType, implementationType }: ToolFilter): ToolTypeFilters => ({
  ...(status === undefined ? {} : { status }),
  ...(toolType === undefined ? {} : { bucket: toolType }),
  ...(implementationType === undefined ? {} : { subtype: implementationType }),
})

export function listedStatic(tool: StaticTool): ListedTool {
  const slug = slugOfStatic(tool)
  if (slug === ownSlug) return { row: tool, version: "1", ...builtinTypes }
  if (slug !== builtinSlug) return { row: tool, version: "1", ...typesOfKind.plugin }
  const made = { isSystem: true, builtinKey: tool.fqid.slice(slug.length + 1) }
  return { row: tool, version: "1", ...builtinTypes, made }
}

/** Rows of the catalog. Of tools that were made here, what production runs is read in one go. */
export async function listedRows(scope: Scope, rows: readonly ToolListRow[], registry: RegistryListing): Promise<ListedTool[]> {
  const slugs = rows.flatMap((row) => (row.kind === registrySlug ? [row.name as string] : []))
  const made = slugs.length === 0 ? null : await registry.published(scope, slugs)
  return rows.map((row) => {
    if (row.kind !== registrySlug) return { row, version: null, ...typesOfKind[row.kind] }
    // One that was removed a moment ago: a page that is shorter than asked for would be the last one.
    return { row, version: "1", ...typesOfKind.plugin, ...made?.get(row.name) }
  })
}
