// Reads the registry: tools, their versions, and what differs between two of them.
import { currentAccess } from "../identity/access.ts"
import { readPage, viewPage } from "../core/cursor.ts"
import type { Page, PageRequest } from "../core/page.ts"
import type { Principal } from "../core/principal.ts"
import type { DefinitionDiff, ToolDefinition as DiffedDefinition } from "../core/registry/diff.ts"
import { registrySlug } from "../core/registry/tool.ts"
import type { RegistryToolFilter, RegistryToolView, ToolVersionView } from "../core/registry/tool.ts"
import { roleSubject } from "../policy/visible.ts"
import { diffVersions, pageOfVersions, working } from "./version-read.ts"
import type { VersionsCompared } from "./version-read.ts"
import { firstShown } from "../store/all-rows.ts"
import type { RegistryToolRow } from "../store/registry-store.ts"
import { isResolved } from "./catalog.ts"
import { readSnapshot, readWorkingCopy, typeOf } from "./definition.ts"
import type { WorkingCopy } from "./definition.ts"
import { factsOf } from "./facts.ts"
import type { RegistryParts } from "./parts.ts"
import { findTool, findVersion, isEditor, noTool, requireEditor } from "./tool.ts"
import { viewPublished, viewTool, viewVersion } from "./views.ts"

export async function listRegistry(
  principal: Principal,
  filter: RegistryToolFilter,
  request: PageRequest,
  parts: RegistryParts,
): Promise<Page<RegistryToolView>> {
  const list = (page: { readonly after: string | null; readonly limit: number }) => parts.store.registryTools.list(principal, filter, page)
  const slugOf = ({ slug }: RegistryToolRow): string => slug
  if (isEditor(principal)) return viewPage(await readPage(request, parts.limits, list, slugOf), viewTool)
  const isShown = await shownTo(principal, parts)
  const rows = await readPage(request, parts.limits, (page) => firstShown(page, list, slugOf, (read) => read.filter(isShown)), slugOf)
  return { items: await Promise.all(rows.items.map((row) => publishedView(principal, row, parts))), nextCursor: rows.nextCursor }
}

export const getTool = async (principal: Principal, id: string, parts: RegistryParts): Promise<RegistryToolView> =>
  showTool(principal, await parts.store.registryTools.get(principal, id), id, parts)

export const getToolBySlug = async (principal: Principal, slug: string, parts: RegistryParts): Promise<RegistryToolView> =>
  showTool(principal, await parts.store.registryTools.findBySlug(principal, slug), slug, parts)

async function showTool(principal: Principal, row: RegistryToolRow | null, id: string, parts: RegistryParts): Promise<RegistryToolView> {
  if (row !== null && isEditor(principal)) return viewTool(row)
  if (row === null || !(await shownTo(principal, parts))(row)) throw noTool(id)
  return publishedView(principal, row, parts)
}

/** What production resolves, as far as it exists for them. */
async function shownTo(principal: Principal, parts: RegistryParts): Promise<(row: RegistryToolRow) => boolean> {
  const { isVisible } = await currentAccess(principal, parts)
  return (row) => isResolved(row) && isVisible(roleSubject(registrySlug, row.slug))
}

const publishedView = async (principal: Principal, row: RegistryToolRow, parts: RegistryParts): Promise<RegistryToolView> =>
  viewPublished(row, await findVersion(principal, row, row.publishedVersion ?? "", parts.store))

export async function listVersions(
  principal: Principal,
  id: string,
  request: PageRequest,
  parts: RegistryParts,
): Promise<Page<ToolVersionView>> {
  requireEditor(principal, "read the versions of tools")
  const tool = await findTool(principal, id, parts.store)
  return pageOfVersions(
    request,
    parts.limits,
    (page) => parts.store.toolVersions.list(principal, id, page),
    (row) => viewVersion(row, tool),
  )
}

export async function getVersion(principal: Principal, id: string, version: string, parts: RegistryParts): Promise<ToolVersionView> {
  requireEditor(principal, "read the versions of tools")
  const tool = await findTool(principal, id, parts.store)
  return viewVersion(await findVersion(principal, tool, version, parts.store), tool)
}

export async function diffTool(principal: Principal, id: string, between: VersionsCompared, parts: RegistryParts): Promise<DefinitionDiff> {
  requireEditor(principal, "compare the versions of tools")
  const tool = await findTool(principal, id, parts.store)
  return diffVersions("tool", tool.publishedVersion, between, async (version) =>
    toDiffed(version === working ? readWorkingCopy(tool) : readSnapshot(await findVersion(principal, tool, version, parts.store)), parts),
  )
}

function toDiffed(copy: WorkingCopy, parts: RegistryParts): DiffedDefinition {
  const { effect, requiresApproval } = factsOf(copy, parts)
  const { artifactId, artifactVersion, configSchema } = copy
  const artifact = artifactId === null ? {} : { artifactId, artifactVersion }
  return {
    title: copy.name,
    description: copy.description,
    effect,
    requiresApproval,
    inputSchema: copy.schema.input,
    outputSchema: copy.schema.output ?? null,
    implementation: { type: typeOf(copy), config: { ...configSchema.implementation, ...artifact } },
    execution: configSchema.execution,
  }
}
