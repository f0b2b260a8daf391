// How long this node holds what it runs, unless it says so again.
import type { Lease } from "../store/execution-store.ts"
import type { EngineParts } from "./engine-parts.ts"

export const newLease = (parts: Pick<EngineParts, "node" | "clock" | "leaseMs">): Lease => ({
  owner: parts.node,
  until: new Date(parts.clock.now().getTime() + parts.leaseMs).toISOString(),
})
