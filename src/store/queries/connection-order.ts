// The order in which connections are listed, and how a page goes on after one.
//
// The order is integration, owner, name. The rows of one owner are neighbours in the primary key, those of all
// visible owners are not: other users' lie between. So a page is merged from one range for each visible owner,
// and costs what it returns, however many users a tenant has.
import type { ExpressionBuilder, ExpressionWrapper, SqlBool } from "kysely"
import type { ConnectionRef, Owner } from "../../core/address.ts"
import { owners } from "../../core/address.ts"
import type { Scope } from "../../core/principal.ts"
import type { Tables } from "../schema.ts"
import type { ConnectionFilter } from "../store.ts"
import { ownerUser, sees } from "./owner.ts"

/** `from` includes the connection itself, `after` does not. */
export type ConnectionStart = { readonly kind: "from" | "after"; readonly ref: ConnectionRef } | { readonly kind: "beginning" }

type Where = ExpressionBuilder<{ c: Tables["connections"] }, "c">

/** Sorts behind every character that a name may have. */
const afterAllNames = "~"

export function visibleOwners(scope: Scope, filter: ConnectionFilter): Owner[] {
  return owners.filter((owner) => (filter.owner ?? owner) === owner && sees(scope, owner))
}

/** The rows of one owner that come after the start, in a form that the primary key answers. */
export function ownerRange(scope: Scope, filter: ConnectionFilter, owner: Owner, start: ConnectionStart) {
  return (where: Where): ExpressionWrapper<{ c: Tables["connections"] }, "c", SqlBool> => {
    const conditions = [where("c.tenant_id", "=", scope.tenant), where("c.user_id", "=", ownerUser(scope, owner))]
    if (filter.integration !== undefined) conditions.push(isOf(filter.integration, where))
    if (filter.name !== undefined) conditions.push(where("c.name", "=", filter.name))
    if (start.kind === "beginning") return where.and(conditions)
    const position = where.tuple<string, string>(start.ref.integration, namePosition(owner, start.ref))
    conditions.push(where(where.refTuple("c.integration", "c.name"), start.kind === "from" ? ">=" : ">", position))
    return where.and(conditions)
  }
}

/** Databases do not agree on an empty list; no connection has an empty name. */
function isOf(integration: string | readonly string[], where: Where) {
  if (typeof integration === "string") return where("c.integration", "=", integration)
  return integration.length === 0 ? where("c.name", "=", "") : where("c.integration", "in", integration)
}

function namePosition(owner: Owner, ref: ConnectionRef): string {
  if (owner === ref.owner) return ref.connection
  return owner === "user" ? "" : afterAllNames
}
