// Publishes tools: whole or not at all, each content under a version of its own.
//
// Order of events in one transaction, which holds the tenant's lock from its first read: the working copy is pinned to
// its artifact's version, checked as if it were new, given a version, and put into the catalog. Whoever publishes at the
// same time comes after it, and finds nothing left to publish or the next version.
import { ExecutorError } from "../core/errors.ts"
import { requireRight } from "../core/principal.ts"
import type { Principal, Scope } from "../core/principal.ts"
import type { ArtifactCode, ArtifactInput } from "../core/registry/binding.ts"
import { checkExecution } from "../core/registry/execution.ts"
import type { RegistryToolRow } from "../store/registry-store.ts"
import type { Store } from "../store/store.ts"
import { checkSnapshotSyntax } from "./code.ts"
import { checkConfig } from "./config/check.ts"
import { contentColumns, contentHash, readSnapshot, readWorkingCopy, typeOf } from "./definition.ts"
import type { Snapshot, WorkingCopy } from "./definition.ts"
import { renewSchemas } from "./derived-schema.ts"
import { askAnnotations } from "./mcp-annotations.ts"
import type { RegistryParts } from "./parts.ts"
import { checkVersion, compareVersions, nextPatch } from "./semver.ts"
import { checkPublishable } from "./status.ts"
import { findTool, findVersion, updateCatalog } from "./tool.ts"
import type { ToolChange } from "./tool.ts"
import { checkDescription, checkName, checkSchemas } from "./tool-input.ts"
import { viewTool } from "./views.ts"

const reasonCharsMax = 1000

export async function publishTool(
  principal: Principal,
  id: string,
  { reason }: { readonly reason?: string },
  parts: RegistryParts,
): Promise<ToolChange> {
  requireRight(principal, "registry.publish", "publish tools")
  const draft = await findTool(principal, id, parts.store)
  await checkSnapshotSyntax(principal, await snapshotOf(principal, readWorkingCopy(draft), parts.store, parts), parts)
  const annotate = await askAnnotations(principal, draft.slug, readWorkingCopy(draft), parts)
  return parts.store.transaction(async (store) => {
    const before = await findTool(principal, id, store)
    const snapshot = annotate(await snapshotOf(principal, readWorkingCopy(before), store, parts))
    return publish(principal, before, { snapshot, working: snapshot, reason: checkReason(reason) }, store, parts)
  })
}

/** Edits that wait stay in the working copy; without any it becomes what is published. */
export async function rollbackTool(principal: Principal, id: string, version: string, parts: RegistryParts): Promise<ToolChange> {
  requireRight(principal, "registry.publish", "roll tools back")
  const earlier = await findVersion(principal, await findTool(principal, id, parts.store), version, parts.store)
  await checkSnapshotSyntax(principal, readSnapshot(earlier), parts)
  return parts.store.transaction(async (store) => {
    const before = await findTool(principal, id, store)
    const snapshot = readSnapshot(await findVersion(principal, before, version, store))
    const working = before.contentHash === before.publishedHash ? snapshot : readWorkingCopy(before)
    return publish(principal, before, { snapshot, working, reason: `Rolled back to ${version}` }, store, parts)
  })
}

/** What runs stays what was published. */
export async function versionTool(principal: Principal, id: string, newVersion: string, parts: RegistryParts): Promise<ToolChange> {
  requireRight(principal, "registry.write", "make versions of tools")
  const version = checkVersion(newVersion)
  return parts.store.transaction(async (store) => {
    const before = await findTool(principal, id, store)
    if (compareVersions(version, before.version) <= 0)
      throw new ExecutorError(
        "conflict",
        `The version ${version} is not greater than ${before.version}, the current one: write ${nextPatch(before.version)} or more`,
      )
    const snapshot = await snapshotOf(principal, readWorkingCopy(before), store, parts)
    await addVersion(principal, before, { snapshot, version, reason: null }, store, parts)
    const after = { ...before, ...contentColumns(snapshot), version, updatedAt: parts.clock.now().toISOString() }
    await store.registryTools.put(principal, after)
    return { before: viewTool(before), after: viewTool(after) }
  })
}

type Publication = {
  readonly snapshot: Snapshot
  /** The working copy afterwards. */
  readonly working: WorkingCopy
  readonly reason: string | null
}

async function publish(
  principal: Principal,
  before: RegistryToolRow,
  { snapshot, working, reason }: Publication,
  store: Store,
  parts: RegistryParts,
): Promise<ToolChange> {
  checkPublishable(before)
  await checkWhole(principal, snapshot, store, parts)
  const publishedHash = contentHash(snapshot)
  const content = contentColumns(working)
  const isPublished = before.status === "published" && before.publishedHash === publishedHash
  if (isPublished && content.contentHash === before.contentHash) return { before: viewTool(before), after: viewTool(before) }
  const version = await versionFor(principal, before, { snapshot, reason }, store, parts)
  const now = parts.clock.now().toISOString()
  const after: RegistryToolRow = {
    ...before,
    ...content,
    status: "published",
    version: compareVersions(version, before.version) > 0 ? version : before.version,
    publishedVersion: version,
    publishedHash,
    publishedAt: before.publishedAt ?? now,
    updatedAt: now,
  }
  await store.registryTools.put(principal, after)
  await updateCatalog(principal, before, after, store, parts)
  return { before: viewTool(before), after: viewTool(after) }
}

/** The version of this content: that of what is published, the latest one, or a new one. */
async function versionFor(
  scope: Scope,
  tool: RegistryToolRow,
  { snapshot, reason }: Omit<Publication, "working">,
  store: Store,
  parts: RegistryParts,
): Promise<string> {
  const hash = contentHash(snapshot)
  if (tool.publishedVersion !== null && tool.publishedHash === hash) return tool.publishedVersion
  const latest = await store.toolVersions.get(scope, tool.id, tool.version)
  if (latest?.hash === hash) return latest.version
  const version = latest === null ? tool.version : nextPatch(tool.version)
  await addVersion(scope, tool, { snapshot, version, reason }, store, parts)
  return version
}

async function addVersion(
  scope: Scope,
  tool: RegistryToolRow,
  { snapshot, version, reason }: { readonly snapshot: Snapshot; readonly version: string; readonly reason: string | null },
  store: Store,
  { clock, limits }: RegistryParts,
): Promise<void> {
  const row = { toolId: tool.id, version, snapshot: JSON.stringify(snapshot), hash: contentHash(snapshot) }
  const position = await store.toolVersions.add(scope, { ...row, by: scope.user, at: clock.now().toISOString(), reason })
  if (position > limits.registryVersionsMax)
    throw new ExecutorError(
      "conflict",
      `A tool has at most ${limits.registryVersionsMax} versions; make another tool, and name it in replacedBy`,
    )
}

/** The working copy with what it refers to, as it is now. */
export async function snapshotOf(scope: Scope, copy: WorkingCopy, store: Store, parts: RegistryParts): Promise<Snapshot> {
  const { implementation } = copy.configSchema
  if (typeOf(copy) !== "artifact") return { ...copy, artifact: null }
  if (copy.artifactId === null)
    return { ...copy, artifact: { code: String(implementation["code"]), inputs: (implementation["inputs"] ?? []) as ArtifactInput[] } } // checked when it was written
  const row = await store.artifacts.get(scope, copy.artifactId, copy.artifactVersion ?? undefined)
  if (row === null) {
    // Says which one is missing.
    await checkWhole(scope, { ...copy, artifact: null }, store, parts)
    throw new ExecutorError("conflict", "The tool's artifact is gone; name another one in artifactId")
  }
  const artifact: ArtifactCode = { code: row.code, inputs: JSON.parse(row.inputs) as ArtifactInput[] } // written by `artifacts.ts` only
  const pinned = { ...copy, artifactVersion: row.version }
  return { ...pinned, schema: await renewSchemas(scope, copy, pinned, store, parts), artifact }
}

/** As if it were new: what it refers to may be gone, and an import was never checked. */
export async function checkWhole(scope: Scope, snapshot: Snapshot, store: Store, parts: RegistryParts): Promise<void> {
  const { name, description, configSchema, artifactId, artifactVersion } = snapshot
  checkName(name, parts.limits)
  checkDescription(description, parts.limits)
  const schema = checkSchemas(snapshot.schema, parts.limits)
  await checkConfig(typeOf(snapshot), configSchema.implementation, { scope, schema, artifactId, artifactVersion, store, parts })
  checkExecution(configSchema.execution, parts.limits)
}

function checkReason(reason: string | undefined): string | null {
  if (reason === undefined || reason.trim() === "") return null
  if (reason.length > reasonCharsMax) throw new ExecutorError("invalid_request", `reason must have at most ${reasonCharsMax} characters`)
  return reason.trim()
}
