// The store port for places: the calls of a tenant's concurrency groups that run or wait, in order, on all nodes.
//
// Each call has a ticket, and tickets of a group are committed in their order. So whoever has fewer than n tickets before
// it never has more later, and of those for whom that is true there are never more than n.
import type { Lease } from "./execution-store.ts"

export interface PlaceRows {
  /** Puts a call at the end of its group, under a lease, and removes those of the group whose lease has run out. */
  take(place: PlaceId, lease: Lease, now: string): Promise<void>
  /** How many are before each of the owner's. One whose lease has run out has lost its ticket: it is left out, and before nobody. */
  ahead(group: PlaceGroup, owner: string, now: string): Promise<ReadonlyMap<string, number>>
  /** Answers whether other owners have tickets in the group. */
  release(place: PlaceId, owner: string): Promise<boolean>
  /** Prolongs the leases of all that the owner has, unless they have run out. */
  renew(lease: Lease, now: string): Promise<void>
  /** Of a node that ends. */
  releaseAll(owner: string): Promise<void>
}

export type PlaceGroup = { readonly tenant: string; readonly group: string }
export type PlaceId = PlaceGroup & { readonly id: string }
