// Changes or removes a tool: its working copy, its place in the lifecycle, and who may find it.
import { ExecutorError } from "../core/errors.ts"
import { requireRight } from "../core/principal.ts"
import type { Principal, Scope } from "../core/principal.ts"
import type { RegistryToolUpdate } from "../core/registry/tool.ts"
import { allRows } from "../store/all-rows.ts"
import type { RegistryToolRow, ToolVersionRow } from "../store/registry-store.ts"
import type { Store } from "../store/store.ts"
import { checkConfigSyntax } from "./code.ts"
import { checkScope, requireFreeSlug } from "./create.ts"
import { isResolved } from "./catalog.ts"
import { contentColumns, readSnapshot, readWorkingCopy } from "./definition.ts"
import type { RegistryParts } from "./parts.ts"
import { referencesIn } from "./secrets.ts"
import { checkStatus, checkStep } from "./status.ts"
import { findTool, updateCatalog } from "./tool.ts"
import type { ToolChange } from "./tool.ts"
import { checkSlug } from "./tool-input.ts"
import { viewTool } from "./views.ts"
import { changeCopy, changesContent, putSecrets } from "./working-copy.ts"

export async function updateTool(principal: Principal, id: string, change: RegistryToolUpdate, parts: RegistryParts): Promise<ToolChange> {
  refuseFixed(change)
  checkRights(principal, change)
  await checkConfigSyntax(principal, change.implementationConfig, parts)
  return parts.store.transaction(async (store) => {
    const before = await findTool(principal, id, store)
    const content = await changedContent(principal, before, change, store, parts)
    const placed = await placedTool(principal, before, change, store)
    const after: RegistryToolRow = { ...before, ...content, ...placed }
    if (changesProduction(before, after)) requireRight(principal, "registry.publish", "change what production runs")
    if (JSON.stringify(after) === JSON.stringify(before)) return { before: viewTool(before), after: viewTool(before) }
    const stamped = { ...after, updatedAt: parts.clock.now().toISOString() }
    await store.registryTools.put(principal, stamped)
    if (changesProduction(before, after)) await updateCatalog(principal, before, stamped, store, parts)
    return { before: viewTool(before), after: viewTool(stamped) }
  })
}

function refuseFixed({ isSystem, builtinKey, scope }: RegistryToolUpdate): void {
  checkScope(scope)
  for (const [name, value] of [
    ["isSystem", isSystem],
    ["builtinKey", builtinKey],
  ])
    if (value !== undefined)
      throw new ExecutorError("invalid_request", `${String(name)} cannot be set: built-ins come with the server. Leave it out`)
}

/** What leads out of production needs the right to publish, everything else the right to write. */
function checkRights(principal: Principal, { status, isActive, ...rest }: RegistryToolUpdate): void {
  if (status === "deprecated" || status === "disabled" || isActive !== undefined)
    requireRight(principal, "registry.publish", "deprecate, disable or deactivate tools")
  const others = Object.values(rest).some((value) => value !== undefined)
  if (
    others ||
    (status !== undefined && status !== "deprecated" && status !== "disabled") ||
    (isActive === undefined && status === undefined)
  )
    requireRight(principal, "registry.write", "change tools")
}

async function changedContent(
  principal: Principal,
  before: RegistryToolRow,
  change: RegistryToolUpdate,
  store: Store,
  parts: RegistryParts,
): Promise<Partial<RegistryToolRow>> {
  if (!changesContent(change)) return {}
  const { copy, added } = await changeCopy(principal, before.id, change, readWorkingCopy(before), store, parts)
  await putSecrets(principal, added, store, parts)
  return contentColumns(copy)
}

async function placedTool(
  scope: Scope,
  before: RegistryToolRow,
  change: RegistryToolUpdate,
  store: Store,
): Promise<Pick<RegistryToolRow, "slug" | "status" | "isActive" | "replacedBy">> {
  const status = change.status === undefined ? before.status : checkStatus(change.status)
  checkStep(before, status)
  const slug = change.slug === undefined ? before.slug : checkSlug(change.slug, "tool")
  if (slug !== before.slug) {
    if (before.publishedAt !== null)
      throw new ExecutorError(
        "conflict",
        `The slug of '${before.slug}' is fixed since it was published, because callers use it: make another tool, and name it in replacedBy`,
      )
    await requireFreeSlug(scope, slug, store)
  }
  const replacedBy = change.replacedBy === undefined ? before.replacedBy : await replacementOf(scope, before, change.replacedBy, store)
  return { slug, status, isActive: change.isActive ?? before.isActive, replacedBy }
}

/** By its slug, which callers use. */
async function replacementOf(scope: Scope, tool: RegistryToolRow, wanted: string | null, store: Store): Promise<string | null> {
  if (wanted === null) return null
  const found = (await store.registryTools.findBySlug(scope, wanted)) ?? (await store.registryTools.get(scope, wanted))
  if (found === null)
    throw new ExecutorError(
      "invalid_request",
      `replacedBy: there is no tool '${wanted.slice(0, 80)}' in the registry; name one by its slug or id`,
    )
  if (found.id === tool.id)
    throw new ExecutorError("invalid_request", "replacedBy: a tool does not replace itself; name another one, or null")
  if (!isResolved(found))
    throw new ExecutorError(
      "invalid_request",
      `replacedBy: nobody can call '${found.slug}', which is ${standOf(found)}: publish it first with POST /tools/${found.id}/publish, or name another one`,
    )
  return found.slug
}

const standOf = ({ status, isActive }: RegistryToolRow): string => (status === "draft" ? "a draft" : isActive ? status : "inactive")

const changesProduction = (before: RegistryToolRow, after: RegistryToolRow): boolean =>
  before.status !== after.status ||
  before.isActive !== after.isActive ||
  (after.status === "deprecated" && before.replacedBy !== after.replacedBy)

/** A draft goes; what was ever published is disabled, because callers and versions refer to it. */
export async function removeTool(principal: Principal, id: string, parts: RegistryParts): Promise<ToolChange> {
  requireRight(principal, "registry.write", "remove tools")
  return parts.store.transaction(async (store) => {
    const before = await findTool(principal, id, store)
    if (before.publishedAt === null) {
      await dropSecrets(principal, before, store, parts)
      await store.registryTools.remove(principal, id)
      return { before: viewTool(before), after: null }
    }
    requireRight(principal, "registry.publish", "disable tools")
    if (before.status === "disabled") return { before: viewTool(before), after: viewTool(before) }
    const after: RegistryToolRow = { ...before, status: "disabled", updatedAt: parts.clock.now().toISOString() }
    await store.registryTools.put(principal, after)
    await updateCatalog(principal, before, after, store, parts)
    return { before: viewTool(before), after: viewTool(after) }
  })
}

async function dropSecrets(scope: Scope, tool: RegistryToolRow, store: Store, parts: RegistryParts): Promise<void> {
  const versions = await allRows<ToolVersionRow, number>(
    (page) => store.toolVersions.list(scope, tool.id, page),
    ({ position }) => position,
  )
  const copies = [readWorkingCopy(tool), ...versions.map(readSnapshot)]
  const refs = new Set(copies.flatMap(({ configSchema }) => [...referencesIn(configSchema.implementation).values()]))
  for (const ref of refs) await parts.vaultOn(store).drop(scope, ref)
}
