// A map that forgets what was not used for longest.

export class LruMap<Key, Value> {
  readonly #entries = new Map<Key, Value>()
  readonly #sizeMax: number
  constructor(sizeMax: number) {
    this.#sizeMax = sizeMax
  }

  get(key: Key): Value | undefined {
    const value = this.#entries.get(key)
    if (value === undefined) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, value)
    return value
  }

  set(key: Key, value: Value): Value {
    this.#entries.delete(key)
    this.#entries.set(key, value)
    if (this.#entries.size > this.#sizeMax) {
      const [oldest] = this.#entries.keys()
      if (oldest !== undefined) this.#entries.delete(oldest)
    }
    return value
  }

  clear(): void {
    this.#entries.clear()
  }
}
