// Which integrations and connections a principal is shown: those that can have tools for them; all of them to whoever manages what is shared.
import { isHiddenIntegration } from "../core/address.ts"
import type { Owner } from "../core/address.ts"
import { hasRight } from "../core/principal.ts"
import type { Principal } from "../core/principal.ts"
import type { AccessReader } from "../identity/access.ts"
import { currentAccess } from "../identity/access.ts"

export type Listed = {
  integration(slug: string): boolean
  connection(row: { readonly integration: string; readonly owner: Owner }): boolean
}

export async function listedFor(principal: Principal, parts: { readonly access: AccessReader }): Promise<Listed> {
  const { reach, principal: current } = await currentAccess(principal, parts)
  const isManager = hasRight(current, "connections.org")
  const integration = (slug: string): boolean => !isHiddenIntegration(slug) && (isManager || reach.coverage(slug) !== "none")
  return {
    integration,
    // A human can always remove what is their own.
    connection: ({ integration: slug, owner }) =>
      integration(slug) || (owner === "user" && current.kind === "human" && !isHiddenIntegration(slug)),
  }
}
