// Makes, changes and removes agents: a draft that nobody but its editors can run, until it is published.
import type { AgentCreate, AgentUpdate, AgentView } from "../../core/agents/agent.ts"
import { ExecutorError } from "../../core/errors.ts"
import { requireRight } from "../../core/principal.ts"
import type { Principal } from "../../core/principal.ts"
import { newId } from "../../io/ids.ts"
import { firstVersion } from "../../registry/semver.ts"
import { checkName, checkSlug, suggestSlug } from "../../registry/tool-input.ts"
import type { AgentRow } from "../../store/agents/agent-store.ts"
import type { AgentParts } from "../parts.ts"
import { findAgent, updateCatalog, viewAgent } from "./agent.ts"
import type { AgentChange } from "./agent.ts"
import { changeDefinition, checkProvider, contentHash, emptyDefinition, readDefinition } from "./definition.ts"

export async function createAgent(principal: Principal, input: AgentCreate, parts: AgentParts): Promise<AgentView> {
  requireRight(principal, "registry.write", "make agents")
  const definition = changeDefinition(input, emptyDefinition, parts.limits)
  const slug = input.slug === undefined ? suggestSlug(checkName(input.name, parts.limits), "agent") : checkSlug(input.slug, "agent")
  const now = parts.clock.now()
  const row: AgentRow = {
    id: newId("agent", now),
    slug,
    definition: JSON.stringify(definition),
    status: "draft",
    version: firstVersion,
    publishedVersion: null,
    publishedAt: null,
    contentHash: contentHash(definition),
    publishedHash: null,
    writtenBy: principal.user,
    createdBy: principal.user,
    createdAt: now.toISOString(),
    updatedAt: now.toISOString(),
  }
  return parts.store.transaction(async (store) => {
    await checkProvider(principal, definition, store)
    const { length } = await store.agents.list(principal, { after: null, limit: parts.limits.agentsMax })
    if (length >= parts.limits.agentsMax)
      throw new ExecutorError("conflict", `A tenant has at most ${parts.limits.agentsMax} agents; remove some first`)
    await store.agents.put(principal, row)
    return viewAgent(row)
  })
}

export async function updateAgent(principal: Principal, ref: string, change: AgentUpdate, parts: AgentParts): Promise<AgentChange> {
  requireRight(principal, "registry.write", "change agents")
  return parts.store.transaction(async (store) => {
    const before = await findAgent(principal, ref, store)
    const definition = changeDefinition(change, readDefinition(before), parts.limits)
    if (change.model !== undefined) await checkProvider(principal, definition, store)
    const slug = change.slug === undefined ? before.slug : checkSlug(change.slug, "agent")
    if (slug !== before.slug && before.publishedAt !== null)
      throw new ExecutorError(
        "conflict",
        "The slug of an agent that was published cannot change, because callers use it; make another agent",
      )
    const hash = contentHash(definition)
    if (hash === before.contentHash && slug === before.slug) return { before: viewAgent(before), after: viewAgent(before) }
    const after: AgentRow = {
      ...before,
      slug,
      definition: JSON.stringify(definition),
      contentHash: hash,
      writtenBy: hash === before.contentHash ? before.writtenBy : principal.user,
      updatedAt: parts.clock.now().toISOString(),
    }
    await store.agents.put(principal, after)
    return { before: viewAgent(before), after: viewAgent(after) }
  })
}

/** A draft goes; what was ever published is disabled, because callers and versions refer to it. */
export async function removeAgent(principal: Principal, ref: string, parts: AgentParts): Promise<AgentChange> {
  requireRight(principal, "registry.write", "remove agents")
  return parts.store.transaction(async (store) => {
    const before = await findAgent(principal, ref, store)
    if (before.publishedAt === null) {
      await store.agents.remove(principal, before.id)
      return { before: viewAgent(before), after: null }
    }
    requireRight(principal, "registry.publish", "disable agents")
    if (before.status === "disabled") return { before: viewAgent(before), after: viewAgent(before) }
    const now = parts.clock.now()
    const after: AgentRow = { ...before, status: "disabled", updatedAt: now.toISOString() }
    await store.agents.put(principal, after)
    await updateCatalog(principal, after, store, now)
    return { before: viewAgent(before), after: viewAgent(after) }
  })
}
