// Opens a tenant's credentials for the tools that use them.
import type { Scope } from "../core/principal.ts"
import { resolveEnv } from "../credentials/env/reference.ts"
import type { EnvAccess } from "../credentials/env/reference.ts"
import type { VaultOn } from "../credentials/vault.ts"
import { tenantCredentialRef } from "../store/registry-store.ts"
import type { TenantCredentialRow } from "../store/registry-store.ts"
import type { Store } from "../store/store.ts"
import type { OpenCredential, TenantCredentials } from "./builtins/web-search/search-key.ts"

type OpenerParts = { readonly store: Store; readonly vaultOn: VaultOn; readonly env: EnvAccess }

export interface TenantCredentialOpener extends TenantCredentials {
  /** By its id, with its references to the environment; null when the tenant has none. */
  open(scope: Scope, id: string): Promise<OpenCredential | null>
}

export function createTenantCredentials({ store, vaultOn, env }: OpenerParts): TenantCredentialOpener {
  const opened = async (scope: Scope, row: TenantCredentialRow | null): Promise<OpenCredential | null> =>
    row === null ? null : { values: (await vaultOn(store).open(scope, tenantCredentialRef(row.id))) ?? {}, endpoint: row.endpoint }
  return {
    async find(scope, wanted) {
      const found = await opened(scope, await store.tenantCredentials.find(scope, wanted))
      if (found === null) return null
      return { ...found, values: Object.fromEntries(Object.entries(found.values).map(([name, text]) => [name, resolveEnv(text, env)])) }
    },
    open: async (scope, id) => opened(scope, await store.tenantCredentials.get(scope, id)),
  }
}
