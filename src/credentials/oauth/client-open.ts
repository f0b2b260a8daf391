// A client with its secret, for one request to its provider.
import type { Scope } from "../../core/principal.ts"
import { oauthClientSecretRef } from "../../store/oauth-store.ts"
import type { OauthClientRow } from "../../store/oauth-store.ts"
import type { Store } from "../../store/store.ts"
import { resolveEnv } from "../env/reference.ts"
import type { EnvAccess } from "../env/reference.ts"
import type { VaultOn } from "../vault.ts"
import type { ProviderClient } from "./token-request.ts"

export type ClientParts = { readonly store: Store; readonly vaultOn: VaultOn; readonly env: EnvAccess }

export async function openClient(scope: Scope, client: OauthClientRow, parts: ClientParts): Promise<ProviderClient> {
  const secret = (await parts.vaultOn(parts.store).open(scope, oauthClientSecretRef(client.id)))?.["secret"] ?? null
  return { clientId: client.clientId, authMethod: client.authMethod, secret: secret === null ? null : resolveEnv(secret, parts.env) }
}
