// Reads the shared definitions that a tool set's schemas refer to, and caches their text for its next tool.
//
// A tool of a large API may reach most of the definitions that the API has, and so may its neighbour. A tool set never
// changes, so that what was read of it stays true.
import { referencesIn } from "../../core/json/schema.ts"
import { LruMap } from "../../core/lru-map.ts"
import type { Scope } from "../../core/principal.ts"
import type { JsonSchema } from "../../core/tool.ts"
import { createTimeSlices } from "../../io/time-slices.ts"
import type { TimeSlices } from "../../io/time-slices.ts"
import type { Store } from "../../store/store.ts"

/** Definitions that are read at once; a tool reaches a handful, a hostile schema would reach thousands. */
const definitionsMax = 2000

type Definition = { readonly text: string; readonly references: readonly string[] }
/** Of one tool set. `chars`: what its texts take. */
type Pool = { readonly definitions: Map<string, Definition>; chars: number }

const pools = new LruMap<string, Pool>({ sizeMax: 100, weightMax: 16_000_000, weigh: ({ chars }) => chars })

/** As JSON text. Level by level, each with one query for what was not read before. */
export async function reachableDefinitions(
  scope: Scope,
  toolSetId: string,
  texts: readonly string[],
  store: Store,
  { most = definitionsMax, slices = createTimeSlices() }: { readonly most?: number; readonly slices?: TimeSlices } = {},
): Promise<Map<string, string>> {
  const reached = new Map<string, string>()
  let wanted = new Set<string>()
  for (const text of texts) {
    for (const name of referencesIn(text)) wanted.add(name)
    if (slices.isOver()) await slices.next()
  }
  if (wanted.size === 0) return reached
  const pool = pools.get(toolSetId) ?? { definitions: new Map(), chars: 0 }
  while (wanted.size > 0 && reached.size < most) {
    const names = [...wanted].slice(0, most)
    await readInto(pool, scope, toolSetId, names, store)
    wanted = new Set()
    for (const name of names) {
      if (slices.isOver()) await slices.next()
      const definition = pool.definitions.get(name)
      if (definition === undefined) continue
      reached.set(name, definition.text)
      for (const reference of definition.references) wanted.add(reference)
    }
    for (const name of wanted) if (reached.has(name)) wanted.delete(name)
  }
  // Set anew, because it may have grown.
  pools.set(toolSetId, pool)
  return reached
}

async function readInto(pool: Pool, scope: Scope, toolSetId: string, names: readonly string[], store: Store): Promise<void> {
  const missing = names.filter((name) => !pool.definitions.has(name))
  if (missing.length === 0) return
  for (const [name, text] of await store.toolSets.definitions(scope, toolSetId, missing)) {
    if (pool.definitions.has(name)) continue
    pool.definitions.set(copyOf(name), { text, references: [...new Set(referencesIn(text))] })
    pool.chars += name.length + text.length
  }
}

/** A name is cut out of a text, and would keep all of it in memory. */
const copyOf = (name: string): string => JSON.parse(JSON.stringify(name)) as string // a text stays one

export function definitionIn(texts: ReadonlyMap<string, string>, name: string): JsonSchema | undefined {
  const text = texts.get(name)
  return text === undefined ? undefined : parseSchema(text)
}

export const parseSchema = (text: string): JsonSchema => JSON.parse(text) as JsonSchema // the compiler emits objects
