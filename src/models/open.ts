// Opens a tenant's model provider for a question: its address, and its key from the vault or the environment.
import type { Limits } from "../core/limits.ts"
import { resolveEnv } from "../credentials/env/reference.ts"
import type { EnvAccess } from "../credentials/env/reference.ts"
import type { VaultOn } from "../credentials/vault.ts"
import { modelProviderRef } from "../store/agents/agent-store.ts"
import type { Store } from "../store/store.ts"
import type { ModelDriver, Models } from "./model.ts"
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

export const createModels = ({ store, vaultOn, env, limits, driver }: OpenModelsParts): Models => ({
  async open(scope, id) {
    const row = await store.modelProviders.get(scope, id)
    if (row === null) return null
    const key = row.hasKey ? (await vaultOn(store).open(scope, modelProviderRef(id)))?.[keyName] : undefined
    const apiKey = key === undefined ? null : resolveEnv(key, env)
    return withCosts(withRetries(driver({ kind: row.kind, baseUrl: row.baseUrl, apiKey }), limits), readModels(row))
  },
})
