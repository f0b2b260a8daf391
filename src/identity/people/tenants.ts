// Manages tenants, for the operator: the local human of the data directory.
import { readPage } from "../../core/cursor.ts"
import { ExecutorError } from "../../core/errors.ts"
import type { Page, PageRequest } from "../../core/page.ts"
import { adminRole } from "../../core/people/role.ts"
import type { TenantCreate, TenantCreated, TenantView } from "../../core/people/tenant.ts"
import type { Principal } from "../../core/principal.ts"
import { localTenant, localUser } from "../../core/principal.ts"
import { newToken } from "../token-create.ts"
import type { IdentityParts } from "../token-create.ts"
import { checkId } from "./input.ts"

const firstAdmin = "admin"

export function listTenants(principal: Principal, page: PageRequest, parts: IdentityParts): Promise<Page<TenantView>> {
  requireOperator(principal)
  return readPage(
    page,
    parts.limits,
    (after) => parts.store.tenants.list(after),
    ({ id }) => id,
  )
}

/** With one user, whose token is shown once. */
export async function createTenant(principal: Principal, input: TenantCreate, parts: IdentityParts): Promise<TenantCreated> {
  requireOperator(principal)
  const tenant = checkId("tenant", input.id)
  const { row, token } = newToken({ tenant, user: firstAdmin }, { name: "first admin", kind: "human" }, parts.clock)
  return parts.store.transaction(async (store) => {
    // Locks the id, also of a tenant that does not exist: of two requests at once, the second finds it taken.
    await store.roles.list(tenant)
    const taken = (await store.tenants.list({ after: null, limit: parts.limits.tenantsMax + 1 })).map(({ id }) => id)
    if (taken.includes(tenant)) throw new ExecutorError("conflict", `There already is a tenant '${tenant}'; choose another id`)
    if (taken.length >= parts.limits.tenantsMax)
      throw new ExecutorError("conflict", `There can be at most ${parts.limits.tenantsMax} tenants`)
    await store.tenants.ensure({ tenant, id: firstAdmin, name: "Admin", roles: [adminRole] })
    await store.tokens.put(row)
    return { id: tenant, createdAt: row.createdAt, admin: firstAdmin, tokenId: row.id, token }
  })
}

function requireOperator({ tenant, user, kind }: Principal): void {
  if (tenant === localTenant && user === localUser && kind === "human") return
  throw new ExecutorError("forbidden", "Only whoever runs this server may see and add tenants, with the token in its data directory")
}
