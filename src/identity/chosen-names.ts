// Caches which tools of a tool set are visible, as positions in its list of names.
//
// The key is made of the patterns and the tool set, which never change, so entries stay valid when people, roles or
// connections change. People with the same roles share them.
import { LruMap } from "../core/lru-map.ts"
import { sha256 } from "../io/ids.ts"
import { createTimeSlices } from "../io/time-slices.ts"
import { roleSubject } from "../policy/visible.ts"
import type { Reach } from "../policy/visible.ts"
import type { ChooseNames } from "../store/store.ts"

/** `patterns`: those that the reach was made of. */
export type ChosenNames = (tenant: string, reach: Reach, patterns: readonly (readonly string[] | null)[]) => ChooseNames

const bounds = { sizeMax: 20_000, weightMax: 32 * 1024 * 1024, weigh: (chosen: Uint32Array) => chosen.byteLength }

export function createChosenNames(): ChosenNames {
  const kept = new LruMap<string, Uint32Array>(bounds)
  return (tenant, reach, patterns) => {
    const reachKey = sha256(JSON.stringify([tenant, patterns]))
    return async ({ integration, toolSetId }, names) => {
      if (reach.coverage(integration) === "all") return null
      const key = [reachKey, integration, toolSetId].join("\0")
      return kept.get(key) ?? kept.set(key, await positions(names, (name) => reach.isVisible(roleSubject(integration, name))))
    }
  }
}

async function positions(names: readonly string[], isIncluded: (name: string) => boolean): Promise<Uint32Array> {
  const slices = createTimeSlices()
  const found: number[] = []
  for (const [position, name] of names.entries()) {
    if (slices.isOver()) await slices.next()
    if (isIncluded(name)) found.push(position)
  }
  return Uint32Array.from(found)
}
