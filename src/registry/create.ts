// Makes a tool: a draft that nobody but its editors can call.
import { ExecutorError } from "../core/errors.ts"
import { requireRight } from "../core/principal.ts"
import type { Principal, Scope } from "../core/principal.ts"
import type { RegistryToolCreate, RegistryToolView } from "../core/registry/tool.ts"
import { newId } from "../io/ids.ts"
import type { RegistryToolRow } from "../store/registry-store.ts"
import type { Store } from "../store/store.ts"
import { checkConfigSyntax } from "./code.ts"
import { contentColumns } from "./definition.ts"
import type { WorkingCopy } from "./definition.ts"
import type { RegistryParts } from "./parts.ts"
import { firstVersion } from "./semver.ts"
import { checkName, checkSlug, suggestSlug } from "./tool-input.ts"
import { viewTool } from "./views.ts"
import { changeCopy, emptyCopy, putSecrets } from "./working-copy.ts"

export async function createTool(principal: Principal, input: RegistryToolCreate, parts: RegistryParts): Promise<RegistryToolView> {
  requireRight(principal, "registry.write", "make tools")
  checkScope(input.scope)
  checkFirstStatus(input.status)
  const slug = input.slug === undefined ? suggestSlug(checkName(input.name, parts.limits), "tool") : checkSlug(input.slug, "tool")
  await checkConfigSyntax(principal, input.implementationConfig, parts)
  return parts.store.transaction(async (store) => {
    await requireFreeSlug(principal, slug, store)
    await requireRoom(principal, store, parts)
    const id = newId("tool", parts.clock.now())
    const given = { ...input, implementationConfig: input.implementationConfig ?? {} }
    const { copy, added } = await changeCopy(principal, id, given, emptyCopy, store, parts)
    const row = newTool(principal, { id, slug, copy }, parts)
    await store.registryTools.put(principal, row)
    await putSecrets(principal, added, store, parts)
    return viewTool(row)
  })
}

export const newTool = (
  { user }: Scope,
  { id, slug, copy }: { readonly id: string; readonly slug: string; readonly copy: WorkingCopy },
  parts: Pick<RegistryParts, "clock">,
): RegistryToolRow => {
  const now = parts.clock.now().toISOString()
  return {
    id,
    slug,
    ...contentColumns(copy),
    publishedHash: null,
    status: "draft",
    version: firstVersion,
    publishedAt: null,
    publishedVersion: null,
    builtinKey: null,
    isActive: true,
    isSystem: false,
    replacedBy: null,
    createdBy: user,
    createdAt: now,
    updatedAt: now,
    builtinTemplateId: null,
    isBuiltinTemplate: false,
  }
}

export function checkScope(scope: string | undefined): void {
  if (scope !== undefined && scope !== "tenant")
    throw new ExecutorError("invalid_request", "scope must be 'tenant': only built-ins are global, and they come with the server")
}

function checkFirstStatus(status: string | undefined): void {
  if (status === undefined || status === "draft") return
  const hint =
    status === "published"
      ? "make it as a draft, then publish it with POST /tools/{id}/publish"
      : "leave it out; a draft goes on from there with POST /tools/{id}/publish"
  throw new ExecutorError("invalid_request", `A tool is made with the status 'draft': ${hint}`)
}

export async function requireFreeSlug(scope: Scope, slug: string, store: Store): Promise<void> {
  if ((await store.registryTools.findBySlug(scope, slug)) !== null)
    throw new ExecutorError("conflict", `There already is a tool '${slug}'; choose another slug, or change that one with PUT`)
}

export async function requireRoom(scope: Scope, store: Store, { limits }: Pick<RegistryParts, "limits">): Promise<void> {
  const count = (await store.registryTools.counts(scope)).reduce((sum, one) => sum + one.count, 0)
  if (count >= limits.registryToolsMax)
    throw new ExecutorError("conflict", `A tenant has at most ${limits.registryToolsMax} tools in its registry; remove some first`)
}
