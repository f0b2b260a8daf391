// Which rows a scope may access: those of the tenant, and among user-owned rows those of its user.
import type { Owner } from "../../core/address.ts"
import { ExecutorError } from "../../core/errors.ts"
import type { Scope } from "../../core/principal.ts"

/** The `user_id` of what the tenant owns. */
export const orgUser = ""

export function ownerUser(scope: Scope, owner: Owner): string {
  if (owner === "org") return orgUser
  // Without this, a user without a name would own what belongs to everybody.
  if (scope.user === orgUser) throw new ExecutorError("invalid_request", "A scope without a user owns nothing of its own")
  return scope.user
}

/** A scope without a user has no rows of its own to look for. */
export const sees = (scope: Scope, owner: Owner): boolean => owner === "org" || scope.user !== orgUser

export const ownerOf = (userId: string): Owner => (userId === orgUser ? "org" : "user")

export const visibleUsers = (scope: Scope): string[] => (scope.user === orgUser ? [orgUser] : [orgUser, scope.user])
