// Asks whoever calls a tool that somebody else made of code, once for each version, before it uses their own connections.
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
  { store, clock }: OwnConsentParts,
): Promise<CallTarget> {
  if (integration.kind !== "registry") return target
  const { type, implementation, publishedBy, writtenBy, toolId, version } = readBinding(tool.binding)
  if (type !== "custom" || writtenBy === principal.user) return target
  const { uses } = implementation
  if (!Array.isArray(uses) || uses.length === 0) return target
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
