// Finds the key of a web search, in the order of the contract: the tool's own, the one it names, the tenant's, the operator's.
import type { Scope } from "../../../core/principal.ts"
import { fail } from "../../../core/result.ts"
import type { ToolFailure } from "../../../core/result.ts"

/** A tenant's credential, opened. */
export type OpenCredential = { readonly values: Readonly<Record<string, string>>; readonly endpoint: string | null }

export interface TenantCredentials {
  find(
    scope: Scope,
    wanted: { readonly category: string; readonly providerKey: string; readonly providerVariant: string | null },
  ): Promise<OpenCredential | null>
}

/** What a registry tool of type `internal` brings: its own key, or the credential that it refers to. */
export type BuiltinSettings = { readonly apiKey: string | null; readonly credential: OpenCredential | null }

export type SearchKeyParts = {
  readonly tenantCredentials: TenantCredentials
  /** SERPER_API_KEY. */
  readonly serperApiKey: string | null
}

/** The key goes to its own endpoint only; null: to the provider's. */
export type SearchKey = { readonly ok: true; readonly apiKey: string; readonly endpoint: string | null }

export async function resolveSearchKey(
  scope: Scope,
  settings: BuiltinSettings,
  { tenantCredentials, serperApiKey }: SearchKeyParts,
): Promise<SearchKey | ToolFailure> {
  if (isKey(settings.apiKey)) return { ok: true, apiKey: settings.apiKey, endpoint: null }
  const category = "custom"
  return (
    keyOf(settings.credential) ??
    keyOf(await tenantCredentials.find(scope, { category, providerKey: "web_search", providerVariant: "serper" })) ??
    keyOf(await tenantCredentials.find(scope, { category, providerKey: "serper", providerVariant: null })) ??
    (isKey(serperApiKey) ? { ok: true, apiKey: serperApiKey, endpoint: null } : missing())
  )
}

const isKey = (text: string | null | undefined): text is string => text !== null && text !== undefined && text.trim() !== ""

function keyOf(credential: OpenCredential | null): SearchKey | null {
  if (credential === null) return null
  const own = (name: string): string | undefined => (Object.hasOwn(credential.values, name) ? credential.values[name] : undefined)
  const apiKey = [own("api_key"), own("token")].find(isKey)
  const endpoint = [credential.endpoint, own("endpoint")].find(isKey) ?? null
  return apiKey === undefined ? null : { ok: true, apiKey, endpoint }
}

const missing = (): ToolFailure =>
  fail(
    "auth_required",
    "Web search has no API key. Set one of: implementation.api_key of a registry tool of type internal; its implementation.credentials_ref; a tenant credential of category custom with provider_key web_search and provider_variant serper (or provider_key serper), with the value api_key or token; or SERPER_API_KEY in the environment of the server",
  )
