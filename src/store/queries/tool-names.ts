// The names of a tool set, read once, because a set never changes.
import { LruMap } from "../../core/lru-map.ts"
import type { Reader } from "../session.ts"
import type { Builder } from "../statement.ts"
import { prepare } from "../statement.ts"

/** In order; none where there is no such set. */
export type ReadToolNames = (session: Reader, tenant: string, toolSetId: string) => Promise<readonly string[]>

const bounds = { sizeMax: 5000, weightMax: 500_000, weigh: (names: readonly string[]) => names.length }

export function toolNames({ kysely }: Builder): ReadToolNames {
  const kept = new LruMap<string, readonly string[]>(bounds)
  const query = prepare(["tenant", "set"], ({ tenant, set }) =>
    kysely.selectFrom("tools as t").select("t.name").where("t.tenant_id", "=", tenant).where("t.tool_set_id", "=", set).orderBy("t.name"),
  )
  return async (session, tenant, set) => {
    const key = `${tenant}\0${set}`
    const known = kept.get(key)
    if (known !== undefined) return known
    const names = (await session.all(query({ tenant, set }))).map(({ name }) => name)
    // A set that is not there yet may come.
    return names.length === 0 ? names : kept.set(key, names)
  }
}
