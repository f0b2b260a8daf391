// Counts the bytes that the journals of running executions hold in this server's memory, by principal.

export type HeldBytes = {
  /** For one run; what it has added is given back when it closes. */
  open(principal: string): RunBytes
}

export type RunBytes = {
  add(bytes: number): void
  ofPrincipal(): number
  ofAll(): number
  close(): void
}

export function createHeldBytes(): HeldBytes {
  const held = new Map<string, number>()
  let all = 0

  function change(principal: string, bytes: number): void {
    const now = (held.get(principal) ?? 0) + bytes
    all += bytes
    if (now > 0) held.set(principal, now)
    else held.delete(principal)
  }

  return {
    open(principal) {
      let own = 0
      let isOpen = true
      return {
        add(bytes) {
          // A call that the run did not wait for may be answered after its end.
          if (!isOpen) return
          own += bytes
          change(principal, bytes)
        },
        ofPrincipal: () => held.get(principal) ?? 0,
        ofAll: () => all,
        close() {
          if (!isOpen) return
          isOpen = false
          change(principal, -own)
        },
      }
    },
  }
}
