// Asks whoever calls a tool that somebody else made of code, once for each version, before it uses their own connections.
import type { AgentBinding } from "../../core/agents/agent.ts"
import { ownUses } from "../../core/agents/own-uses.ts"
import type { Principal } from "../../core/principal.ts"
import { readBinding } from "../../core/registry/binding.ts"
import type { ResolvedTool } from "../../catalog/tools/resolver.ts"
import type { Clock } from "../../io/clock.ts"
import type { Store } from "../../store/store.ts"
import type { CallTarget } from "./call.ts"

export type OwnConsentParts = { readonly store: Pick<Store, "toolConsents">; readonly clock: Clock }

export async function withOwnConsent(
  principal: Principal,
  { integration, tool }: Pick<ResolvedTool, "integration" | "tool">,
  target: CallTarget,
  parts: OwnConsentParts,
): Promise<CallTarget> {
  const maker = makerOf(integration.kind, tool.binding)
  return maker === null ? target : withConsentTo(principal, maker, target, parts)
}

export async function withConsentTo(
  principal: Principal,
  maker: Maker,
  target: CallTarget,
  { store, clock }: OwnConsentParts,
): Promise<CallTarget> {
  if (maker.uses.length === 0 || maker.writtenBy === principal.user) return target
  const { toolId, version, publishedBy, uses } = maker
  if (await store.toolConsents.has(principal, toolId, version)) return target
  return {
    ...target,
    alwaysAsks: true,
    asksBecause: `Version ${version} of this tool, published by ${publishedBy}, uses connections of yours (${uses.join(", ")}); you are asked once for each version.`,
    approvalDescription: `${target.subject}, which uses your own connections`,
    async open() {
      await store.toolConsents.put(principal, toolId, version, clock.now().toISOString())
      return target.open()
    },
  }
}

/** Who made a tool, and which connections of its callers it names. */
export type Maker = {
  readonly toolId: string
  readonly version: string
  readonly publishedBy: string
  readonly writtenBy: string
  readonly uses: readonly unknown[]
}

/** Null for tools that act for nobody but themselves. */
function makerOf(kind: string, binding: string): Maker | null {
  if (kind === "agents") return makerOfAgent(JSON.parse(binding) as AgentBinding) // written by `agents/lifecycle`
  if (kind !== "registry") return null
  const { type, implementation, publishedBy, writtenBy, toolId, version } = readBinding(binding)
  if (type !== "custom") return null
  const { uses } = implementation
  return { toolId, version, publishedBy, writtenBy, uses: Array.isArray(uses) ? uses : [] }
}

export const makerOfAgent = ({ agentId, version, publishedBy, writtenBy, definition }: AgentBinding): Maker => ({
  toolId: agentId,
  version,
  publishedBy,
  writtenBy,
  uses: ownUses(definition.tools),
})
