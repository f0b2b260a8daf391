// Opens the authorization server of `/mcp` with the parts of the product.
import type { AuthorizationServer } from "../core/authorization-server.ts"
import type { Limits } from "../core/limits.ts"
import { localTenant } from "../core/principal.ts"
import { auditAnonymous } from "../engine/audit/anonymous.ts"
import { newAuditRow } from "../engine/audit/row.ts"
import type { ExecutorCore } from "../executor.ts"
import type { AccessReader } from "../identity/access.ts"
import { createAuthorizationServer } from "../identity/consent/authorization-server.ts"
import type { AuthorizationServerOptions } from "../identity/consent/authorization-server.ts"
import { systemClock } from "../io/clock.ts"
import type { ExecutionStore } from "../store/execution-store.ts"
import type { Store } from "../store/store.ts"

type AuthorizationParts = {
  readonly store: Store
  readonly executions: ExecutionStore
  readonly access: AccessReader
  readonly core: Pick<ExecutorCore, "as">
  readonly limits: Limits
}

/** A client has no token yet, so its actions are recorded for the human who allowed it, or as anonymous. */
export function openAuthorizationServer(options: AuthorizationServerOptions, parts: AuthorizationParts): AuthorizationServer {
  const clock = systemClock
  return createAuthorizationServer({
    ...parts,
    ...options,
    clock,
    endToken: ({ tenant, user }, id) =>
      parts.core.as({ tenant, user, roles: [], rights: [], kind: "human", tokenId: null }).tokens.remove(id),
    note(who, { details, ...facts }) {
      const row = newAuditRow(who, { ...facts, details: JSON.stringify(details) }, clock)
      return parts.executions.journal.append([{ kind: "audit", row }], "now")
    },
    noteAnonymous: (facts, address) => auditAnonymous(localTenant, { ...facts, address }, { executions: parts.executions, clock }),
  })
}
