// Reads stored bindings once, and keeps what calls need of them in memory.
import { LruMap } from "../../core/lru-map.ts"
import { readBinding } from "../../core/registry/binding.ts"
import type { RegistryBinding } from "../../core/registry/binding.ts"
import { readExecution } from "../../core/registry/execution.ts"
import type { ExecutionSettings } from "../../core/registry/execution.ts"
import type { JsonText } from "../../core/tool.ts"
import type { Network, Outbound } from "../../io/network/outbound.ts"

export type CallPlan = {
  readonly binding: RegistryBinding
  /** What it was published as; where an older system has left that empty, what its config says. */
  readonly type: string
  readonly execution: ExecutionSettings
  /** Reaches private hosts that an admin wrote into the tool, as far as the server allows that at all. */
  readonly outbound: Outbound
  /** Whether anything must be opened before it can be called. */
  readonly hasSecrets: boolean
}

/** How many tools are remembered: far more than one process calls in turn, and at most some tens of megabytes. */
const rememberedMax = 1000
/** Code may be much longer, and is then read again for each call. */
const rememberedCharsMax = 32 * 1024

export type PlanOf = (binding: JsonText) => CallPlan

export function createPlans({ outbound }: Pick<Network, "outbound">): PlanOf {
  const known = new LruMap<string, CallPlan>(rememberedMax)
  return (text) =>
    text.length > rememberedCharsMax ? readPlan(text, outbound) : (known.get(text) ?? known.set(text, readPlan(text, outbound)))
}

function readPlan(text: JsonText, outbound: Network["outbound"]): CallPlan {
  const binding = readBinding(text)
  const { implementation, literalUrls } = binding
  return {
    binding,
    type: binding.type || (typeof implementation["type"] === "string" ? implementation["type"] : ""),
    execution: readExecution(binding.execution),
    outbound: outbound({ literalUrls }),
    hasSecrets: text.includes('"$secret"') || implementation["credentials_ref"] !== undefined,
  }
}
