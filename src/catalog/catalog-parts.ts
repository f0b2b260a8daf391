// The ports and settings that the catalog's functions take as their last parameter.
import type { SourceKind } from "../core/integration.ts"
import type { Limits } from "../core/limits.ts"
import type { EnvAccess } from "../credentials/env/reference.ts"
import type { GrantOpener } from "../credentials/oauth/oauth.ts"
import type { VaultOn } from "../credentials/vault.ts"
import type { AccessReader } from "../identity/access.ts"
import type { Clock } from "../io/clock.ts"
import type { Log } from "../io/log.ts"
import type { Network } from "../io/network/outbound.ts"
import type { SourceAdapter } from "../sources/source-adapter.ts"
import type { Store } from "../store/store.ts"
import type { OauthLinks } from "./oauth/links.ts"

export type CatalogParts = {
  readonly store: Store
  readonly access: AccessReader
  readonly vaultOn: VaultOn
  readonly grants: GrantOpener
  readonly oauthLinks: OauthLinks
  readonly adapters: ReadonlyMap<SourceKind, SourceAdapter>
  readonly network: Network
  readonly env: EnvAccess
  readonly limits: Limits
  readonly clock: Clock
  readonly log: Log
}
