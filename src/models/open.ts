// Opens a tenant's model provider for a question: its address, and its key from the vault or the environment.
//
// Every step of every run asks: what was opened is kept while the store's revision stands, which moves with every change of a provider.
import type { Limits } from "../core/limits.ts"
import type { Scope } from "../core/principal.ts"
import { resolveEnv } from "../credentials/env/reference.ts"
import type { EnvAccess } from "../credentials/env/reference.ts"
import type { VaultOn } from "../credentials/vault.ts"
import { modelProviderRef } from "../store/agents/agent-store.ts"
import { createRevisionCache } from "../store/revision-cache.ts"
import type { Store } from "../store/store.ts"
import type { ModelDriver, ModelProvider, Models } from "./model.ts"
import { withCosts } from "./priced.ts"
import { keyName, readModels } from "./providers.ts"
import { withRetries } from "./retry.ts"

export type OpenModelsParts = {
  readonly store: Store
  readonly vaultOn: VaultOn
  readonly env: EnvAccess
  readonly limits: Limits
  readonly driver: ModelDriver
}

const cachedMax = 100

/** A variable of the environment is read for every question; another value of it is another provider. */
type OpenNow = () => ModelProvider

export function createModels({ store, vaultOn, env, limits, driver }: OpenModelsParts): Models {
  const cache = createRevisionCache<OpenNow | null>(store, cachedMax)
  const read = async (scope: Scope, id: string): Promise<OpenNow | null> => {
    const row = await store.modelProviders.get(scope, id)
    if (row === null) return null
    const key = row.hasKey ? (await vaultOn(store).open(scope, modelProviderRef(id)))?.[keyName] : undefined
    const { kind, baseUrl } = row
    let opened: { readonly apiKey: string | null; readonly provider: ModelProvider } | null = null
    return () => {
      const apiKey = key === undefined ? null : resolveEnv(key, env)
      if (opened?.apiKey !== apiKey)
        opened = { apiKey, provider: withCosts(withRetries(driver({ kind, baseUrl, apiKey }), limits), readModels(row)) }
      return opened.provider
    }
  }
  return {
    async open(scope, id) {
      const openNow = await cache(JSON.stringify([scope.tenant, id]), () => read(scope, id))
      return openNow?.() ?? null
    },
  }
}
