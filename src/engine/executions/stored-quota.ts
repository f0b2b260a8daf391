// What one principal's executions may take in the store.
//
// Each node adds up what it writes for a principal, which costs nothing. After every eighth of the limit the store
// counts the rows, which are the truth on any number of nodes, and forgets the oldest ended executions beyond the
// limit. Whoever writes faster than that, or fills half of the limit with what has not ended, starts nothing new.
import { ExecutorError } from "../../core/errors.ts"
import type { Limits } from "../../core/limits.ts"
import { LruMap } from "../../core/lru-map.ts"
import type { Principal } from "../../core/principal.ts"
import type { Clock } from "../../io/clock.ts"
import { executorCommand } from "../../io/executor-command.ts"
import { principalKey } from "../../io/fair-queue.ts"
import type { Log } from "../../io/log.ts"
import type { ExecutionRows, JournalRecord } from "../../store/execution-store.ts"

const principalsMax = 1000
/** Whoever is refused again and again does not make the store count each time. */
const recountAfterMs = 500
/** What a row takes besides its long values. */
const rowBytes = 500
const eventBytes = 60

type Owner = Pick<Principal, "tenant" | "user" | "tokenId">

export type StoredQuota = {
  /** Null where there is room, as there nearly always is; otherwise rejects unless some is found. */
  admit(principal: Owner): Promise<void> | null
  add(principal: Owner, records: readonly JournalRecord[]): void
}

type Stored = { addedBytes: number; unendedBytes: number; countedAtMs: number; counting: Promise<void> | null }

export type StoredQuotaParts = {
  readonly rows: Pick<ExecutionRows, "trim">
  readonly limits: Limits
  readonly clock: Clock
  readonly log: Log
}

export function createStoredQuota({ rows, limits, clock, log }: StoredQuotaParts): StoredQuota {
  const bytesMax = limits.executionsStoredBytesPerPrincipalMax
  const stepBytes = bytesMax / 8
  const stored = new LruMap<string, Stored>(principalsMax)

  /** One at a time for each principal; what is written meanwhile counts for the next. */
  function count(who: Owner, own: Stored): Promise<void> {
    if (own.counting !== null) return own.counting
    const { tenant, user, tokenId } = who
    own.addedBytes = 0
    own.counting = rows
      .trim({ tenant, user, tokenId }, bytesMax)
      .then(
        ({ unendedBytes }) => void (own.unendedBytes = unendedBytes),
        // It is counted again after the next step.
        (error: unknown) => log.error({ error: String(error) }, "What a principal has stored could not be counted"),
      )
      .finally(() => {
        own.countedAtMs = clock.monotonicMs()
        own.counting = null
      })
    return own.counting
  }

  const isFull = (own: Stored): boolean => own.unendedBytes > bytesMax / 2

  async function makeRoom(who: Owner, own: Stored): Promise<void> {
    if (own.counting !== null && own.addedBytes >= stepBytes) throw tooFast()
    if (clock.monotonicMs() - own.countedAtMs >= recountAfterMs) await count(who, own)
    if (isFull(own)) throw tooMuchUnended(own.unendedBytes, bytesMax)
  }

  return {
    admit(who) {
      const own = stored.get(principalKey(who))
      if (own === undefined) return null
      return isFull(own) || own.addedBytes >= stepBytes ? makeRoom(who, own) : null
    },
    add(who, records) {
      const key = principalKey(who)
      const own = stored.get(key) ?? stored.set(key, { addedBytes: 0, unendedBytes: 0, countedAtMs: 0, counting: null })
      for (const record of records) own.addedBytes += bytesOf(record)
      if (own.addedBytes >= stepBytes && own.counting === null) void count(who, own)
    },
  }
}

/** At most: the store packs what is long. */
function bytesOf(record: JournalRecord): number {
  switch (record.kind) {
    case "execution":
      return rowBytes + record.row.code.length + outputBytes(record.row)
    case "outcome":
      return outputBytes(record.outcome)
    case "call":
      return rowBytes + record.row.argsJson.length + (record.row.answerJson?.length ?? 0)
    case "approval":
      return rowBytes + record.row.argsJson.length
    case "event":
      return eventBytes
    case "shown":
    case "audit":
      return 0
  }
}

const outputBytes = (row: { readonly result: string | null; readonly logs: string; readonly emitted: string }): number =>
  (row.result?.length ?? 0) + row.logs.length + row.emitted.length

const tooFast = (): ExecutorError =>
  new ExecutorError("rate_limited", "Your executions are stored faster than old ones can be removed; try again in a few seconds", {
    retryable: true,
  })

const tooMuchUnended = (bytes: number, bytesMax: number): ExecutorError =>
  new ExecutorError(
    "rate_limited",
    `Your executions that run or wait take ${Math.round(bytes)} bytes of storage; a new one can start below ${Math.floor(bytesMax / 2)}. Answer or cancel what waits (${executorCommand} approvals list), then try again`,
    { retryable: true },
  )
