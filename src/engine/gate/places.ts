// What the gate needs to let only so many calls of a group run at once.
//
// The calls of a group have an order. One may run when fewer than its own maximum are before it, whether those run or
// wait: tools of one group may state different maxima, and the answer is still the same on every node.

/** The calls of one group. */
export type PlaceQueue = {
  /** Takes the next place in the order. `onWait`: told how many are ahead when the call has to wait, and when that number changes. */
  join(max: number, onWait: (ahead: number) => void): Ticket
}

export type Ticket = {
  /** `full`: so many wait already that this one should not. Rejects where the order cannot be known. */
  readonly admitted: Promise<"admitted" | "full">
  /** Frees the place, or ends the wait. */
  leave(): void
}

/** The groups that count for a tenant on all nodes. */
export type Places = { group(tenant: string, name: string): PlaceQueue }
