// Caches the most recently used argument checks, because preparing one costs more than using it.
import type { ArgsCheck } from "./check.ts"

/** Equal schemas of one tool set share a check; another tool set may give the same references another meaning. */
type ArgsCheckKey = { readonly toolSetId: string; readonly schemaHash: string }

export type ArgsCheckCache = {
  get(key: ArgsCheckKey): ArgsCheck | null
  put(key: ArgsCheckKey, check: ArgsCheck): void
}

type Entry = { readonly check: ArgsCheck; weight: number }

/** `weightMax`: in nodes, of which each takes a few hundred bytes. */
export function createArgsCheckCache(weightMax = 200_000): ArgsCheckCache {
  // A map keeps the order of insertion, so its first entry is the one that was used longest ago.
  const entries = new Map<string, Entry>()
  let weight = 0

  const insert = (id: string, check: ArgsCheck): void => {
    const entry = { check, weight: 1 + check.weight() }
    entries.set(id, entry)
    weight += entry.weight
    for (const [oldest, { weight: freed }] of entries) {
      if (weight <= weightMax || oldest === id) break
      entries.delete(oldest)
      weight -= freed
    }
  }
  const take = (id: string): ArgsCheck | null => {
    const entry = entries.get(id)
    if (entry === undefined) return null
    entries.delete(id)
    weight -= entry.weight
    return entry.check
  }
  const get = (key: ArgsCheckKey): ArgsCheck | null => {
    const id = idOf(key)
    const check = take(id)
    // Inserted anew: it is the latest now, and may have grown since.
    if (check !== null) insert(id, check)
    return check
  }
  const put = (key: ArgsCheckKey, check: ArgsCheck): void => {
    take(idOf(key))
    insert(idOf(key), check)
  }
  return { get, put }
}

const idOf = (key: ArgsCheckKey): string => `${key.toolSetId} ${key.schemaHash}`
