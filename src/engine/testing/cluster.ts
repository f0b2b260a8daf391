// A cluster for unit tests of the engine: nodes on one database in memory, the real sandbox, and tools that a test writes.
//
// Nothing runs by itself: a test says when a node looks for expired leases, or hears what another one did.
import { join } from "node:path"
import { oauthLinks } from "../../catalog/oauth/links.ts"
import type { StaticTool } from "../../catalog/static-tool.ts"
import { withLimits } from "../../core/limits.ts"
import type { Limits } from "../../core/limits.ts"
import type { Principal, TokenPrincipal } from "../../core/principal.ts"
import { createEncryptedVault } from "../../credentials/encrypted/vault.ts"
import { joinParts } from "../../executor.ts"
import { createAccess } from "../../identity/access.ts"
import { newToken } from "../../identity/token-create.ts"
import { systemClock } from "../../io/clock.ts"
import type { Clock } from "../../io/clock.ts"
import { newId } from "../../io/ids.ts"
import { silentLog } from "../../io/log.ts"
import { createNetwork } from "../../io/network/guarded-fetch.ts"
import { lazySandbox } from "../../preset/sandbox-lazy.ts"
import { createQuickJsSandbox } from "../../sandbox/quickjs/sandbox.ts"
import type { SourceAdapter } from "../../sources/source-adapter.ts"
import type { ExecutionStore } from "../../store/execution-store.ts"
import { createMemoryDatabase } from "../../store/executions/testing/memory.ts"
import type { Store } from "../../store/store.ts"
import { openTestStore } from "../../store/testing/open.ts"
import type { EngineParts } from "../engine-parts.ts"

export type NodeOptions = {
  readonly tools?: readonly StaticTool[]
  readonly limits?: Partial<Limits>
  readonly source?: SourceAdapter
  /** Where a test stands between the node and its rows. */
  over?(store: ExecutionStore): ExecutionStore
}

export type Cluster = {
  readonly store: Store
  /** The rows as a bystander reads them. */
  readonly executions: ExecutionStore
  readonly clock: Clock & { advance(ms: number): void }
  node(options?: NodeOptions): EngineParts
  /** Of a tenant of its own. */
  human(): Promise<Principal>
  agentOf(human: Principal): Promise<TokenPrincipal>
  close(): Promise<void>
}

export const leaseMs = 30_000

export async function openCluster(): Promise<Cluster> {
  const opened = await openTestStore()
  const { store } = opened
  const database = await createMemoryDatabase()
  const clock = createTestClock()
  const network = createNetwork({ allowPrivateHosts: [], trustLiteralUrls: false, limits: withLimits({}), log: silentLog })
  const spillDir = join(opened.directory, "spill")
  // Code that computes is not timed by a clock that a test moves.
  const sandbox = lazySandbox(() =>
    createQuickJsSandbox({ limits: withLimits({}), clock: systemClock, log: silentLog, spillDir }, { workers: 1 }),
  )
  return {
    store,
    executions: database.open(),
    clock,
    node: ({ tools = [], limits = {}, source, over = (rows: ExecutionStore) => rows } = {}) =>
      joinParts({
        store,
        access: createAccess(store, clock),
        executions: over(database.open()),
        sandbox,
        clock,
        network,
        log: silentLog,
        limits: withLimits(limits),
        node: newId("node"),
        leaseMs,
        isSsoOnly: false,
        vaultOn: createEncryptedVault(new Uint8Array(32)),
        grants: { open: async () => null },
        oauthLinks: oauthLinks(
          () => null,
          () => "http://localhost",
        ),
        adapters: new Map(source === undefined ? [] : [[source.kind, source]]),
        env: { variables: {}, allow: [] },
        staticTools: tools,
        approvalUrl: () => null,
        closeSources: async () => {},
      }),
    async human() {
      const scope = { tenant: newId("tenant"), user: "alice" }
      await store.tenants.ensure({ tenant: scope.tenant, id: scope.user, name: "Alice", roles: ["member"] })
      return { ...scope, roles: ["member"], rights: [], kind: "human", tokenId: null }
    },
    async agentOf({ tenant, user, roles }) {
      const { row } = newToken({ tenant, user }, { name: "claude", kind: "agent" }, clock)
      await store.tokens.put(row)
      return { tenant, user, roles, rights: [], kind: "agent", tokenId: row.id, elicitation: ["browser"], surface: null }
    },
    async close() {
      await sandbox.close()
      await network.close()
      await opened.close()
      database.close()
    },
  }
}

/** Real time, and what a test adds to it. */
function createTestClock(): Cluster["clock"] {
  let addedMs = 0
  return {
    now: () => new Date(Date.now() + addedMs),
    monotonicMs: () => performance.now() + addedMs,
    advance: (ms) => void (addedMs += ms),
  }
}
