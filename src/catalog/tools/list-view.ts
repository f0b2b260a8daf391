// Shows tools of the list as users see them.
import { ToolAddress } from "../../core/address.ts"
import type { ConnectionRef } from "../../core/address.ts"
import type { Scope } from "../../core/principal.ts"
import type { ToolFilter, ToolView } from "../../core/tool.ts"
import { toolKeyOf } from "../../store/store.ts"
import type { Store, ToolListRow } from "../../store/store.ts"
import { pluginIdOf } from "../integrations/integration.ts"
import type { PolicyVerdict } from "../policies/evaluator.ts"
import type { StaticTool } from "../static-tool.ts"
import type { ListedTool } from "./listed-tool.ts"

export type ShownTool = ListedTool & { readonly verdict: PolicyVerdict }

/** The connection of a static tool, as views and cursors write it. */
export const staticMark = "static"

export async function viewTools(
  shown: readonly ShownTool[],
  filter: ToolFilter,
  scope: Scope,
  { store }: { readonly store: Store },
): Promise<ToolView[]> {
  const [pluginIds, versions] = await Promise.all([readPluginIds(scope, shown, store), readVersions(scope, shown, store)])
  return shown.map((tool) => {
    const { row } = tool
    const own = "fqid" in row ? viewStatic(row, filter) : viewConnected(row, filter, pluginIds.get(row.integration) ?? row.kind)
    return {
      ...own,
      policy: tool.verdict.action,
      toolType: tool.toolType,
      implementationType: tool.implementationType,
      status: tool.status,
      version: tool.version ?? String(versions.get(row as ToolListRow) ?? 1), // static tools have one of their own
      ...tool.made,
    }
  })
}

type Connected = Pick<ToolListRow, "integration" | "owner" | "connection">
type OwnView = Omit<ToolView, "policy" | "toolType" | "implementationType" | "status" | "version">

const connectedRows = (shown: readonly ShownTool[]): ToolListRow[] => shown.flatMap(({ row }) => ("fqid" in row ? [] : [row]))

/** By integration, of those that are made of plugins. */
async function readPluginIds(scope: Scope, shown: readonly ShownTool[], store: Store): Promise<ReadonlyMap<string, string>> {
  const slugs = new Set(connectedRows(shown).flatMap((row) => (row.kind === "plugin" ? [row.integration] : [])))
  const found = await Promise.all([...slugs].map((slug) => store.integrations.get(scope, slug)))
  return new Map(found.flatMap((row) => (row === null ? [] : [[row.slug, pluginIdOf(row)]])))
}

/** Those that are not the first. */
async function readVersions(scope: Scope, shown: readonly ShownTool[], store: Store): Promise<ReadonlyMap<ToolListRow, number>> {
  const imported = shown.flatMap(({ row, version }) => ("fqid" in row || version !== null ? [] : [row]))
  const groups = Map.groupBy(imported, connectionKey)
  const found = await Promise.all(
    [...groups.values()].map(async (rows): Promise<[ToolListRow, number][]> => {
      const [first] = rows
      if (first === undefined) return []
      const versions = await store.toolChanges.versions(
        scope,
        refOf(first),
        rows.map(({ name }) => name),
      )
      if (versions.size === 0) return []
      return rows.flatMap((row) => {
        const version = versions.get(row.name)
        return version === undefined ? [] : [[row, version]]
      })
    }),
  )
  return new Map(found.flat())
}

const refOf = ({ integration, owner, connection }: Connected): ConnectionRef => ({ integration, owner, connection })
const connectionKey = ({ integration, owner, connection }: Connected): string => `${integration}.${owner}.${connection}`

const viewConnected = (row: ToolListRow, filter: ToolFilter, pluginId: string): OwnView => ({
  address: ToolAddress.format(toolKeyOf(row)),
  owner: row.owner,
  integration: row.integration,
  connection: row.connection,
  name: row.name,
  title: row.title,
  pluginId,
  description: row.description,
  static: false,
  ...(row.isChanged ? { changed: true } : {}),
  ...(filter.includeAnnotations === true
    ? {
        effect: row.effect,
        mayElicit: row.mayElicit,
        requiresApproval: row.requiresApproval,
        approvalDescription: row.approvalDescription,
      }
    : {}),
})

/** The brands are of other shapes of name; a static tool has one of its own. */
const viewStatic = (tool: StaticTool, filter: ToolFilter): OwnView => ({
  address: tool.fqid as ToolView["address"],
  owner: "org",
  integration: tool.fqid.split(".", 1)[0] as ToolView["integration"],
  connection: staticMark as ToolView["connection"],
  name: tool.fqid.slice(tool.fqid.indexOf(".") + 1) as ToolView["name"],
  title: tool.title,
  pluginId: tool.pluginId,
  description: tool.description,
  static: true,
  ...(filter.includeAnnotations === true
    ? { effect: tool.effect, mayElicit: tool.mayElicit, requiresApproval: tool.requiresApproval, approvalDescription: null }
    : {}),
})
