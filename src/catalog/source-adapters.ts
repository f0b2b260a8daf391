// Finds source adapters by their kind.
import { ExecutorError } from "../core/errors.ts"
import type { Scope } from "../core/principal.ts"
import type { SourceAdapter } from "../sources/source-adapter.ts"
import type { CatalogParts } from "./catalog-parts.ts"

/** After an integration or one of its connections was removed. */
export function endSessions(scope: Scope, integration: string, parts: CatalogParts): void {
  for (const adapter of parts.adapters.values()) adapter.endSessions?.(scope, integration)
}

export function adapterFor(kind: string, parts: CatalogParts): SourceAdapter {
  for (const adapter of parts.adapters.values()) if (adapter.kind === kind) return adapter
  const known = [...parts.adapters.keys()].join(", ")
  throw new ExecutorError("invalid_request", `There is no source of kind ${JSON.stringify(kind)}; known kinds: ${known}`)
}
