// Finds agents that can be run: published ones, for tools that name them.
import type { AgentBinding } from "../core/agents/agent.ts"
import type { Scope } from "../core/principal.ts"
import type { Store } from "../store/store.ts"
import { bindingOf, findVersion, isPublished } from "./lifecycle/agent.ts"

/** `ref`: an id or a slug. Null where the tenant has published no such agent. */
export async function findPublished(scope: Scope, ref: string, store: Store): Promise<AgentBinding | null> {
  const row = await store.agents.find(scope, ref)
  if (row === null || !isPublished(row)) return null
  return bindingOf(row, await findVersion(scope, row, row.publishedVersion ?? "", store))
}

export const isAgentPublished = async (scope: Scope, ref: string, store: Store): Promise<boolean> =>
  (await findPublished(scope, ref, store)) !== null
