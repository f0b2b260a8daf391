// The credential stage: opens the credential that a call needs, or explains why it is not available.
import type { Credential } from "../../core/auth.ts"
import { ExecutorError } from "../../core/errors.ts"
import type { Scope } from "../../core/principal.ts"
import { fail } from "../../core/result.ts"
import type { ToolFailure } from "../../core/result.ts"
import type { CatalogParts } from "../../catalog/catalog-parts.ts"
import { openConnection } from "../../catalog/connections/connection.ts"
import { openIntegration } from "../../catalog/integrations/integration.ts"
import type { OpenIntegration } from "../../catalog/integrations/integration.ts"
import type { ResolvedTool } from "../../catalog/tools/resolver.ts"

export type OpenCall = {
  readonly ok: true
  readonly integration: OpenIntegration
  readonly credential: Credential
  readonly secrets: readonly string[]
}

export async function openCall(scope: Scope, found: ResolvedTool, parts: CatalogParts): Promise<OpenCall | ToolFailure> {
  try {
    const integration = await openIntegration(scope, found.integration, parts)
    const vault = parts.vaultOn(parts.store)
    const credential =
      (await integration.adapter.openCredential?.({ scope, binding: found.tool.binding, openSecret: (ref) => vault.open(scope, ref) })) ??
      (await openConnection(scope, found.connection, parts))
    return { ok: true, integration, credential, secrets: [...credential.secrets, ...integration.secrets] }
  } catch (error) {
    return toAuthFailure(error)
  }
}

/** A provider that is away is not the same as a credential that is gone: the first mends itself. */
export function toAuthFailure(error: unknown): ToolFailure {
  if (!(error instanceof ExecutorError)) throw error
  const isPassing = error.code === "upstream_unreachable" || error.code === "timeout"
  return fail(isPassing ? error.code : "auth_required", error.message, error.details === undefined ? {} : { details: error.details })
}
