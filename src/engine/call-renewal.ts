// Calls once more, with a renewed credential, what an upstream refused only for the one before.
//
// A refusal (401) means that nothing was done, so that a write may be repeated as well.
import type { Credential } from "../core/auth.ts"
import type { Scope } from "../core/principal.ts"
import type { ToolFailure, ToolResult } from "../core/result.ts"
import type { CatalogParts } from "../catalog/catalog-parts.ts"
import type { ResolvedTool } from "../catalog/tool-resolve.ts"
import { redactResult } from "../credentials/redact.ts"
import { unopened } from "./call-open.ts"
import type { OpenCall } from "./call-open.ts"
import { callSource } from "./call-source.ts"
import type { SourceCall } from "./call-source.ts"

export async function callRenewing(
  call: SourceCall,
  found: ResolvedTool,
  opened: OpenCall,
  scope: Scope,
  parts: CatalogParts,
): Promise<ToolResult> {
  const answer = await callSource(call, found, opened, scope, parts)
  const { renew } = opened.credential
  if (renew === undefined || !isRefused(answer)) return answer
  const renewed = await renewal(renew)
  if (renewed === null) return answer
  if ("ok" in renewed) return renewed
  // The gate knows only the secrets that it opened the call with.
  return redactResult(await callSource(call, found, { ...opened, credential: renewed }, scope, parts), renewed.secrets)
}

async function renewal(renew: () => Promise<Credential | null>): Promise<Credential | null | ToolFailure> {
  try {
    return await renew()
  } catch (error) {
    return unopened(error)
  }
}

const isRefused = (answer: ToolResult): boolean => !answer.ok && answer.error.status === 401
