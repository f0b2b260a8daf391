// The human whom a consent is asked of.
import { ExecutorError } from "../../core/errors.ts"
import type { Principal } from "../../core/principal.ts"
import type { CatalogParts } from "../catalog-parts.ts"

/** With the roles that the user has now. */
export async function humanOf(scope: { readonly tenant: string; readonly user: string }, parts: CatalogParts): Promise<Principal> {
  const found = await parts.access.of({ tenant: scope.tenant, user: scope.user, tokenId: null })
  if (found === null) throw new ExecutorError("forbidden", "The user who started this request no longer exists, or is disabled")
  return found.principal
}
