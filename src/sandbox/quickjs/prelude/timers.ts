// Timers over the journal's clock: a heap ordered by due time and age, fired one at a time by the host's ticks.
import type { Kit } from "./kit.ts"

export function installTimers(kit: Kit): void {
  type Timer = { id: number; dueMs: number; everyMs: number; run: () => void; isArmed: boolean }

  const delayMsMax = 2 ** 31 - 1
  const heap: Timer[] = []
  const byId = new Map<number, Timer>()
  let lastId = 0
  let timeouts = 0

  const isBefore = (left: Timer, right: Timer): boolean => left.dueMs < right.dueMs || (left.dueMs === right.dueMs && left.id < right.id)

  function swap(left: number, right: number): void {
    const timer = heap[left] as Timer // both indices are inside the heap
    heap[left] = heap[right] as Timer
    heap[right] = timer
  }

  function push(timer: Timer): void {
    let index = heap.length
    heap[index] = timer
    while (index > 0) {
      const parent = (index - 1) >> 1
      if (!isBefore(timer, heap[parent] as Timer)) break // a parent is inside the heap
      swap(index, parent)
      index = parent
    }
  }

  function pop(): void {
    swap(0, heap.length - 1)
    heap.length -= 1
    let index = 0
    for (;;) {
      let first = index
      for (const child of [index * 2 + 1, index * 2 + 2]) {
        if (child < heap.length && isBefore(heap[child] as Timer, heap[first] as Timer)) first = child // checked against the length
      }
      if (first === index) return
      swap(index, first)
      index = first
    }
  }

  /** Cleared timers stay in the heap until they come to its top. */
  function report(): void {
    while (heap[0] && !heap[0].isArmed) pop()
    kit.bridge.timers(heap[0] ? heap[0].dueMs : -1, timeouts)
  }

  function arm(callback: unknown, delay: unknown, args: unknown[], isInterval: boolean): number {
    if (typeof callback !== "function") throw new TypeError("A timer needs a function.")
    const wanted = Math.floor(Number(delay))
    const delayMs = wanted >= 1 && wanted <= delayMsMax ? wanted : 1
    const id = ++lastId
    const timer = { id, dueMs: Date.now() + delayMs, everyMs: isInterval ? delayMs : 0, run: () => callback(...args), isArmed: true }
    byId.set(id, timer)
    push(timer)
    if (!isInterval) timeouts += 1
    report()
    return id
  }

  function clear(id: unknown): void {
    const timer = byId.get(Number(id))
    if (!timer) return
    byId.delete(timer.id)
    timer.isArmed = false
    if (timer.everyMs === 0) timeouts -= 1
    report()
  }

  /** Fires the next timer that is due; 0 when none is. */
  kit.fireTimer = () => {
    report()
    const timer = heap[0]
    if (!timer || timer.dueMs > Date.now()) return 0
    pop()
    if (timer.everyMs > 0) {
      timer.dueMs = Date.now() + timer.everyMs
      push(timer)
    } else {
      byId.delete(timer.id)
      timeouts -= 1
    }
    report()
    timer.run()
    return 1
  }

  kit.define("setTimeout", (callback: unknown, delay?: unknown, ...args: unknown[]) => arm(callback, delay, args, false))
  kit.define("setInterval", (callback: unknown, delay?: unknown, ...args: unknown[]) => arm(callback, delay, args, true))
  kit.define("setImmediate", (callback: unknown, ...args: unknown[]) => arm(callback, 0, args, false))
  kit.define("clearTimeout", clear)
  kit.define("clearInterval", clear)
  kit.define("clearImmediate", clear)
}
