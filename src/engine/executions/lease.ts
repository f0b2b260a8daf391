// How long this node keeps its executions without renewing the lease.
import type { Lease } from "../../store/execution-store.ts"
import type { EngineParts } from "../engine-parts.ts"

export const newLease = (parts: Pick<EngineParts, "node" | "clock" | "leaseMs">): Lease => ({
  owner: parts.node,
  until: new Date(parts.clock.now().getTime() + parts.leaseMs).toISOString(),
})
