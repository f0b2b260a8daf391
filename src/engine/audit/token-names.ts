// The names of tokens, including revoked ones, for histories that show names instead of ids.
import { LruMap } from "../../core/lru-map.ts"
import { callerName } from "../../core/principal.ts"
import type { Caller, Principal, PrincipalKind } from "../../core/principal.ts"
import type { Store } from "../../store/store.ts"

export type TokenNames = {
  of(tenant: string, ids: readonly (string | null)[]): Promise<ReadonlyMap<string, string>>
}

const keptMax = 1000

/** A token keeps its name, so that what was read once stays true. */
export function createTokenNames(store: Pick<Store, "tokens">): TokenNames {
  const kept = new LruMap<string, string>(keptMax)
  return {
    async of(tenant, ids) {
      const names = new Map<string, string>()
      const missing = new Set<string>()
      for (const id of ids) {
        const known = id === null ? undefined : kept.get(`${tenant}\0${id}`)
        if (id !== null && known !== undefined) names.set(id, known)
        else if (id !== null) missing.add(id)
      }
      if (missing.size > 0)
        for (const [id, name] of await store.tokens.names(tenant, [...missing])) names.set(id, kept.set(`${tenant}\0${id}`, name))
      return names
    },
  }
}

type CallerRow = { readonly user: string; readonly principalKind: PrincipalKind; readonly tokenId: string | null }

export const viewCaller = (row: CallerRow, names: ReadonlyMap<string, string>): Caller => ({
  user: row.user,
  kind: row.principalKind,
  tokenId: row.tokenId,
  tokenName: names.get(row.tokenId ?? "") ?? null,
})

/** What humans are told about who asks. */
export async function requesterOf({ tenant, user, kind, tokenId }: Principal, tokenNames: TokenNames): Promise<string> {
  const names = kind === "human" ? null : await tokenNames.of(tenant, [tokenId])
  return callerName({ user, kind, tokenName: names?.get(tokenId ?? "") ?? null })
}
