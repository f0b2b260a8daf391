// Publishes agents, and rolls them back: each content has a version of its own, and runs are runs of a version.
import type { AgentDefinition } from "../../core/agents/agent.ts"
import { ExecutorError } from "../../core/errors.ts"
import { requireRight } from "../../core/principal.ts"
import type { Principal, Scope } from "../../core/principal.ts"
import { compareVersions, nextPatch } from "../../registry/semver.ts"
import type { AgentRow } from "../../store/agents/agent-store.ts"
import type { Store } from "../../store/store.ts"
import type { AgentParts } from "../parts.ts"
import { findAgent, findVersion, isPublished, readSnapshot, updateCatalog, viewAgent } from "./agent.ts"
import type { AgentChange } from "./agent.ts"
import { changeDefinition, checkProvider, contentHash, readDefinition } from "./definition.ts"

const reasonCharsMax = 1000

type Publication = { readonly snapshot: AgentDefinition; readonly writtenBy: string; readonly reason: string | null }

export async function publishAgent(
  principal: Principal,
  ref: string,
  { reason }: { readonly reason?: string },
  parts: AgentParts,
): Promise<AgentChange> {
  requireRight(principal, "registry.publish", "publish agents")
  return parts.store.transaction(async (store) => {
    const before = await findAgent(principal, ref, store)
    const snapshot = readDefinition(before)
    return publish(principal, before, { snapshot, writtenBy: before.writtenBy, reason: checkReason(reason) }, snapshot, store, parts)
  })
}

/** Edits that wait stay in the working copy; without any it becomes what is published. */
export async function rollbackAgent(principal: Principal, ref: string, version: string, parts: AgentParts): Promise<AgentChange> {
  requireRight(principal, "registry.publish", "roll agents back")
  return parts.store.transaction(async (store) => {
    const before = await findAgent(principal, ref, store)
    const earlier = await findVersion(principal, before, version, store)
    const snapshot = readSnapshot(earlier)
    const working = before.contentHash === before.publishedHash ? snapshot : readDefinition(before)
    const reason = `Rolled back to ${version}`
    return publish(principal, before, { snapshot, writtenBy: earlier.writtenBy, reason }, working, store, parts)
  })
}

async function publish(
  principal: Principal,
  before: AgentRow,
  publication: Publication,
  working: AgentDefinition,
  store: Store,
  parts: AgentParts,
): Promise<AgentChange> {
  const { snapshot } = publication
  // As if it were new: limits and providers may have changed.
  changeDefinition(snapshot, snapshot, parts.limits)
  await checkProvider(principal, snapshot, store)
  const publishedHash = contentHash(snapshot)
  const content = { definition: JSON.stringify(working), contentHash: contentHash(working) }
  if (isPublished(before) && before.publishedHash === publishedHash && before.contentHash === content.contentHash)
    return { before: viewAgent(before), after: viewAgent(before) }
  const version = await versionFor(principal, before, publication, store, parts)
  const now = parts.clock.now()
  const after: AgentRow = {
    ...before,
    ...content,
    status: "published",
    version: compareVersions(version, before.version) > 0 ? version : before.version,
    publishedVersion: version,
    publishedHash,
    publishedAt: before.publishedAt ?? now.toISOString(),
    updatedAt: now.toISOString(),
  }
  await store.agents.put(principal, after)
  await updateCatalog(principal, after, store, now)
  return { before: viewAgent(before), after: viewAgent(after) }
}

/** The version of this content: that of what is published, the latest one, or a new one. */
async function versionFor(scope: Scope, agent: AgentRow, publication: Publication, store: Store, parts: AgentParts): Promise<string> {
  const { snapshot, writtenBy, reason } = publication
  const hash = contentHash(snapshot)
  if (agent.publishedVersion !== null && agent.publishedHash === hash) return agent.publishedVersion
  const latest = await store.agentVersions.get(scope, agent.id, agent.version)
  if (latest?.hash === hash) return latest.version
  const version = latest === null ? agent.version : nextPatch(agent.version)
  const at = parts.clock.now().toISOString()
  const row = { agentId: agent.id, version, snapshot: JSON.stringify(snapshot), hash, writtenBy, by: scope.user, at, reason }
  if ((await store.agentVersions.add(scope, row)) > parts.limits.registryVersionsMax)
    throw new ExecutorError("conflict", `An agent has at most ${parts.limits.registryVersionsMax} versions; make another agent`)
  return version
}

function checkReason(reason: string | undefined): string | null {
  if (reason === undefined || reason.trim() === "") return null
  if (reason.length > reasonCharsMax) throw new ExecutorError("invalid_request", `reason must have at most ${reasonCharsMax} characters`)
  return reason.trim()
}
