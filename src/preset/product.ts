// Which implementations make the product: the one place that names them.
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import type { Limits } from "../core/limits.ts"
import { withLimits } from "../core/limits.ts"
import { ExecutorError } from "../core/errors.ts"
import { createEncryptedVault } from "../credentials/encrypted/encrypted-vault.ts"
import { keyFromDirectory, keyFromText } from "../credentials/encrypted/secret-key.ts"
import { joinExecutor } from "../executor.ts"
import type { ExecutorCore } from "../executor.ts"
import { ensureLocalUser } from "../identity/local-token.ts"
import { systemClock } from "../io/clock.ts"
import { createNetwork } from "../io/guarded-fetch.ts"
import type { Log } from "../io/log.ts"
import type { Network } from "../io/outbound.ts"
import { openApiAdapter } from "../sources/openapi/adapter.ts"
import type { SourceAdapter } from "../sources/source-adapter.ts"
import { openPostgresStore } from "../store/postgres.ts"
import { openSqliteStore } from "../store/sqlite.ts"
import type { Store } from "../store/store.ts"
import type { Settings } from "./settings.ts"

export type Product = {
  readonly core: ExecutorCore
  readonly store: Store
  readonly storeKind: "sqlite" | "postgresql"
  readonly network: Network
  readonly limits: Limits
}

export type ProductOptions = { readonly isLoopbackOnly: boolean; readonly limits?: Partial<Limits>; readonly log: Log }

// An adapter's config is private to it: the map hands each one back exactly what its own `parseConfig` made.
const adapters: readonly SourceAdapter[] = [openApiAdapter as SourceAdapter]

export async function openProduct(settings: Settings, options: ProductOptions): Promise<Product> {
  const limits = withLimits(options.limits ?? {})
  const { log } = options
  mkdirSync(settings.dataDir, { recursive: true, mode: 0o700 })
  const vaultOn = createEncryptedVault(secretKey(settings))
  const store = await openStore(settings)
  const network = createNetwork({
    allowPrivateHosts: [...settings.allowPrivateHosts],
    trustLiteralUrls: options.isLoopbackOnly,
    limits,
    log,
  })
  const core = joinExecutor({
    store,
    vaultOn,
    adapters: new Map(adapters.map((adapter) => [adapter.kind, adapter])),
    network,
    env: settings.envAccess,
    limits,
    clock: systemClock,
    log,
  })
  await ensureLocalUser(store)
  return { core, store, storeKind: settings.databaseUrl === null ? "sqlite" : "postgresql", network, limits }
}

const openStore = (settings: Settings): Promise<Store> =>
  settings.databaseUrl === null
    ? openSqliteStore({ path: join(settings.dataDir, "executor.db") })
    : openPostgresStore({ url: settings.databaseUrl })

/** Nodes on one PostgreSQL must share the key, so it cannot be made by one of them. */
function secretKey(settings: Settings): Uint8Array {
  if (settings.secretKey !== null) return keyFromText(settings.secretKey)
  if (settings.databaseUrl === null) return keyFromDirectory(settings.dataDir)
  throw new ExecutorError(
    "invalid_request",
    "EXECUTOR_SECRET_KEY is required with PostgreSQL: make one with `openssl rand -base64 32` and give it to every node",
  )
}
