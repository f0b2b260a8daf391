// The vault port: where secret values are stored between calls.
import type { Scope } from "../core/principal.ts"
import type { Store } from "../store/store.ts"

/** Secret values by name. */
export type SecretValues = Readonly<Record<string, string>>

export interface Vault {
  /** Null when nothing is stored under the reference; throws when it cannot be opened with this key. */
  open(scope: Scope, ref: string): Promise<SecretValues | null>
  put(scope: Scope, ref: string, values: SecretValues): Promise<void>
  drop(scope: Scope, ref: string): Promise<void>
}

/** A vault that keeps its ciphertext in the store takes part in that store's transaction. */
export type VaultOn = (store: Store) => Vault
