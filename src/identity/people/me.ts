// Shows the acting user, with the source of each role and right.
import type { Me } from "../../core/people/user.ts"
import type { Principal } from "../../core/principal.ts"
import { rolesOf } from "../access.ts"
import type { AccessReader } from "../access.ts"
import type { IdentityParts } from "../token-create.ts"
import { userOf } from "./users.ts"

export async function readMe(principal: Principal, parts: IdentityParts & { readonly access: AccessReader }): Promise<Me> {
  const user = await userOf(principal, parts)
  const held = rolesOf(user, await parts.access.roles(principal.tenant))
  const token = principal.tokenId === null ? null : await parts.store.tokens.get(principal, principal.tokenId)
  const from = (right: string): string[] => held.filter(({ rights }) => rights.some((one) => one === right)).map(({ id }) => id)
  return {
    tenant: principal.tenant,
    id: user.id,
    name: user.name,
    email: user.email,
    kind: principal.kind,
    roles: user.roles,
    rights: principal.rights.map((right) => ({ right, from: from(right) })),
    token:
      token === null
        ? null
        : { id: token.id, name: token.name, patterns: token.patterns === null ? null : (JSON.parse(token.patterns) as string[]) }, // checked before it was written
  }
}
