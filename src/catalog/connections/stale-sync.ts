// Updates connections whose integration's config changed after their tools were synced.
//
// Every list asks for this, so the usual answer must be free: as long as the store's revision is the one at which
// nothing was stale, nothing is read. Callers that come at the same time share one sync, and the connections of
// one integration take turns, so that the second finds the set that the first wrote. A list waits a moment for it,
// and not at all for a connection whose source failed before: it shows what is stored, and the rest goes on behind it.
import type { Scope } from "../../core/principal.ts"
import { allConnections, allIntegrations } from "../../store/all-rows.ts"
import { refOf } from "../../store/store.ts"
import type { ConnectionRow } from "../../store/store.ts"
import type { CatalogParts } from "../catalog-parts.ts"
import { ConnectionAddress } from "../../core/address.ts"
import { syncTools } from "./tool-sync.ts"

/** A source that fails is not asked again by every list, and the more often it failed the later. */
const retryMs = { first: 30_000, most: 600_000 }

export type StaleSync = { run(scope: Scope): Promise<void> }

export function createStaleSync(parts: CatalogParts): StaleSync {
  const freshAt = new Map<string, string>()
  const underWay = new Map<string, Promise<void>>()
  const lastOf = new Map<string, Promise<void>>()
  const failures = new Map<string, { readonly count: number; readonly untilMs: number }>()
  const noteFailure = (key: string): void => {
    const count = (failures.get(key)?.count ?? 0) + 1
    failures.set(key, { count, untilMs: parts.clock.monotonicMs() + Math.min(retryMs.most, retryMs.first * 2 ** (count - 1)) })
  }

  const inTurn = (integration: string, work: () => Promise<void>): Promise<void> => {
    const turn = (lastOf.get(integration) ?? Promise.resolve()).then(work)
    lastOf.set(integration, turn)
    return turn.finally(() => {
      if (lastOf.get(integration) === turn) lastOf.delete(integration)
    })
  }

  const syncOnce = (scope: Scope, row: ConnectionRow): Promise<void> => {
    const key = `${scope.tenant}/${row.owner === "user" ? scope.user : ""}/${ConnectionAddress.format(refOf(row))}`
    if (parts.clock.monotonicMs() < (failures.get(key)?.untilMs ?? 0)) return Promise.resolve()
    const start = (): Promise<void> =>
      inTurn(`${scope.tenant}/${row.integration}`, () => sync(scope, row, key)).finally(() => underWay.delete(key))
    const running = underWay.get(key) ?? start()
    underWay.set(key, running)
    return running
  }

  const sync = async (scope: Scope, row: ConnectionRow, key: string): Promise<void> => {
    try {
      const saved = await syncTools(scope, row, "stored", parts)
      if (saved.status === "error") noteFailure(key)
      else failures.delete(key)
    } catch (error) {
      noteFailure(key)
      parts.log.warn({ connection: key, error: String(error) }, "A stale connection could not be brought up to date")
    }
  }

  return {
    async run(scope) {
      const who = `${scope.tenant}/${scope.user}`
      const revision = parts.store.revision()
      if (freshAt.get(who) === revision) return
      const stale = await staleConnections(scope, parts)
      if (stale.length === 0) return void freshAt.set(who, revision)
      const started = stale.map((row) => ({ row, synced: syncOnce(scope, row) }))
      const promising = started.filter(({ row }) => row.status !== "error").map(({ synced }) => synced)
      await withinMs(Promise.all(promising), parts.limits.listSyncWaitMs)
    },
  }
}

/** Resolves when the work is done or the time is up; the work goes on. */
async function withinMs(work: Promise<unknown>, ms: number): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  await Promise.race([work, late])
  clearTimeout(timer)
}

async function staleConnections(scope: Scope, parts: CatalogParts): Promise<ConnectionRow[]> {
  const integrations = await allIntegrations(scope, parts.store)
  const revisedAt = new Map<string, string>(integrations.map((row) => [row.slug, row.configRevisedAt]))
  const connections = await allConnections(scope, {}, parts.store)
  return connections.filter((row) => (row.toolsSyncedAt ?? "") < (revisedAt.get(row.integration) ?? ""))
}
