// A map that evicts the least recently used entries.

export type LruBounds<Value> = { readonly sizeMax: number; readonly weightMax: number; weigh(value: Value): number }

export class LruMap<Key, Value> {
  readonly #entries = new Map<Key, { readonly value: Value; readonly weight: number }>()
  readonly #bounds: LruBounds<Value>
  #weight = 0

  /** The maximum number of entries, and optionally their total weight. */
  constructor(bounds: number | LruBounds<Value>) {
    this.#bounds = typeof bounds === "number" ? { sizeMax: bounds, weightMax: Number.POSITIVE_INFINITY, weigh: () => 0 } : bounds
  }

  get(key: Key): Value | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    return entry.value
  }

  /** An entry that exceeds the limit by itself is not stored. */
  set(key: Key, value: Value): Value {
    const weight = this.#bounds.weigh(value)
    this.#delete(key)
    if (weight > this.#bounds.weightMax) return value
    this.#entries.set(key, { value, weight })
    this.#weight += weight
    for (const [oldest] of this.#entries) {
      if (this.#entries.size <= this.#bounds.sizeMax && this.#weight <= this.#bounds.weightMax) break
      this.#delete(oldest)
    }
    return value
  }

  clear(): void {
    this.#entries.clear()
    this.#weight = 0
  }

  #delete(key: Key): void {
    this.#weight -= this.#entries.get(key)?.weight ?? 0
    this.#entries.delete(key)
  }
}
