// The one line that every tool call passes, in this order, with every branch in sight.
//
//   resolve ▶ check args ▶ credential ▶ call
//
// Arguments are checked before anything is decided or sent, so that a model's mistake costs nothing. The credential is
// opened last, so that its bytes exist for the length of the call only, and everything that comes back is cleaned of
// them before anybody sees it.
import type { Principal } from "../core/principal.ts"
import type { ToolResult } from "../core/result.ts"
import type { CatalogParts } from "../catalog/catalog-parts.ts"
import type { ArgsChecker } from "../catalog/args-checker.ts"
import type { ToolResolver } from "../catalog/tool-resolve.ts"
import { redactResult } from "../credentials/redact.ts"
import { callSource } from "./call-source.ts"
import { openCall } from "./call-open.ts"

export type GateParts = CatalogParts & { readonly resolver: ToolResolver; readonly argsChecker: ArgsChecker }

export type GateCall = {
  readonly principal: Principal
  readonly path: string
  readonly args: Record<string, unknown>
  readonly signal: AbortSignal
  readonly timeoutMs: number
}

export async function gate(call: GateCall, parts: GateParts): Promise<ToolResult> {
  const resolution = await parts.resolver.resolve(call.principal, call.path)
  if (!resolution.ok) return resolution
  const { found } = resolution

  const refusal = await parts.argsChecker.check(call.principal, found.tool, call.args)
  if (refusal !== null) return refusal

  const opened = await openCall(call.principal, found, parts)
  if (!opened.ok) return opened

  const result = await callSource(call, found.tool, opened, parts)
  return redactResult(result, opened.secrets)
}
