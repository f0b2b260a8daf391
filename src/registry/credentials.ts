// Credentials of a tenant for built-ins and registry tools: their values go into the vault, and come out for calls alone.
import { refuseEnvReferences, refusePrivateUrls } from "../catalog/integrations/admin-text.ts"
import { readPage, viewPage } from "../core/cursor.ts"
import { ExecutorError } from "../core/errors.ts"
import type { Page, PageRequest } from "../core/page.ts"
import { requireAdmin } from "../core/principal.ts"
import type { Principal, Scope } from "../core/principal.ts"
import type { TenantCredentialCreate, TenantCredentialUpdate, TenantCredentialView } from "../core/registry/credential.ts"
import { checkEnvReferences } from "../credentials/env/reference.ts"
import { newId } from "../io/ids.ts"
import { allRows } from "../store/all-rows.ts"
import { tenantCredentialRef } from "../store/registry-store.ts"
import type { TenantCredentialRow } from "../store/registry-store.ts"
import type { Store } from "../store/store.ts"
import type { RegistryParts } from "./parts.ts"
import { mask } from "./secrets.ts"
import { checkName } from "./tool-input.ts"

type Parts = Pick<RegistryParts, "store" | "vaultOn" | "env" | "limits" | "clock">

const keyPattern = /^[a-z0-9][a-z0-9_.-]{0,62}$/
const valueName = /^[A-Za-z_][A-Za-z0-9_.-]{0,62}$/
/** Among the values, the one that is no secret. */
const endpointName = "endpoint"

export async function listCredentials(principal: Principal, request: PageRequest, parts: Parts): Promise<Page<TenantCredentialView>> {
  requireAdmin(principal, "read the tenant's credentials")
  const page = await readPage(
    request,
    parts.limits,
    (next) => parts.store.tenantCredentials.list(principal, next),
    ({ id }) => id,
  )
  return viewPage(page, viewCredential)
}

export async function createCredential(principal: Principal, input: TenantCredentialCreate, parts: Parts): Promise<TenantCredentialView> {
  requireAdmin(principal, "add credentials of the tenant")
  const now = parts.clock.now()
  const { secrets, endpoint } = checkValues(principal, input.values, parts)
  const row: TenantCredentialRow = {
    id: newId("cred", now),
    ...checkKind(input),
    label: checkName(input.label, parts.limits),
    valueNames: JSON.stringify(Object.keys(secrets)),
    endpoint: endpoint ?? null,
    createdAt: now.toISOString(),
    updatedAt: now.toISOString(),
  }
  return parts.store.transaction(async (store) => {
    const all = await allCredentials(principal, store)
    refuseTaken(row, all)
    if (all.length >= parts.limits.tenantCredentialsMax)
      throw new ExecutorError("conflict", `A tenant has at most ${parts.limits.tenantCredentialsMax} credentials; remove some first`)
    await store.tenantCredentials.put(principal, row)
    await parts.vaultOn(store).put(principal, tenantCredentialRef(row.id), refuseMasks(secrets))
    return viewCredential(row)
  })
}

/** `values` replaces all of them, except where `***` keeps one; without an endpoint among them it stays. */
export async function updateCredential(
  principal: Principal,
  id: string,
  change: TenantCredentialUpdate,
  parts: Parts,
): Promise<{ readonly before: TenantCredentialView; readonly after: TenantCredentialView }> {
  requireAdmin(principal, "change credentials of the tenant")
  const given = change.values === undefined ? null : checkValues(principal, change.values, parts)
  return parts.store.transaction(async (store) => {
    const before = await findCredential(principal, id, store)
    const endpoint = given?.endpoint === undefined ? before.endpoint : given.endpoint
    const values = given === null ? null : await keepValues(principal, before, { secrets: given.secrets, endpoint }, store, parts)
    const after: TenantCredentialRow = {
      ...before,
      ...checkKind({ ...before, ...change }),
      label: change.label === undefined ? before.label : checkName(change.label, parts.limits),
      valueNames: values === null ? before.valueNames : JSON.stringify(Object.keys(values)),
      endpoint,
      updatedAt: parts.clock.now().toISOString(),
    }
    if (after.label !== before.label) refuseTaken(after, await allCredentials(principal, store))
    await store.tenantCredentials.put(principal, after)
    if (values !== null) await parts.vaultOn(store).put(principal, tenantCredentialRef(id), values)
    return { before: viewCredential(before), after: viewCredential(after) }
  })
}

export async function removeCredential(principal: Principal, id: string, parts: Parts): Promise<TenantCredentialView> {
  requireAdmin(principal, "remove credentials of the tenant")
  return parts.store.transaction(async (store) => {
    const row = await findCredential(principal, id, store)
    await store.tenantCredentials.remove(principal, id)
    await parts.vaultOn(store).drop(principal, tenantCredentialRef(id))
    return viewCredential(row)
  })
}

const allCredentials = (scope: Scope, store: Store): Promise<TenantCredentialRow[]> =>
  allRows<TenantCredentialRow, string>(
    (page) => store.tenantCredentials.list(scope, page),
    ({ id }) => id,
  )

/** People name a credential by its label. */
function refuseTaken({ id, label }: TenantCredentialRow, all: readonly TenantCredentialRow[]): void {
  const taken = all.find((other) => other.label === label && other.id !== id)
  if (taken !== undefined)
    throw new ExecutorError(
      "conflict",
      `There already is a credential '${label}' (${taken.id}): change it with PATCH /credentials/${taken.id}, or choose another label`,
    )
}

async function findCredential(scope: Scope, id: string, store: Store): Promise<TenantCredentialRow> {
  const row = await store.tenantCredentials.get(scope, id)
  if (row === null) throw new ExecutorError("not_found", `There is no credential '${id.slice(0, 80)}'; GET /credentials lists them`)
  return row
}

type Kind = Pick<TenantCredentialRow, "category" | "providerKey" | "providerVariant">

function checkKind({ category, providerKey, providerVariant = null }: Omit<Kind, "providerVariant"> & Partial<Kind>): Kind {
  for (const [field, text] of Object.entries({ category, providerKey, ...(providerVariant === null ? {} : { providerVariant }) }))
    if (!keyPattern.test(text))
      throw invalid(`${field} must be a name such as web_search: up to 63 lower-case letters, digits, '_', '-' and '.'`)
  return { category, providerKey, providerVariant }
}

type CheckedValues = {
  readonly secrets: Record<string, string>
  /** Null: none any more; undefined: nothing was said. */
  readonly endpoint: string | null | undefined
}

function checkValues(principal: Principal, given: Readonly<Record<string, string>>, { limits, env }: Parts): CheckedValues {
  const { [endpointName]: address, ...secrets } = given
  const entries = Object.entries(secrets)
  if (entries.length === 0 || entries.length > limits.tenantCredentialValuesMax)
    throw invalid(`values must have 1 to ${limits.tenantCredentialValuesMax} secrets by name, such as { "api_key": "…" }`)
  for (const [name, text] of entries) {
    if (!valueName.test(name)) throw invalid(`values: ${JSON.stringify(name.slice(0, 80))} is not a name such as api_key`)
    if (text === "" || text.length > limits.tenantCredentialCharsMax)
      throw invalid(`values.${name} must have 1 to ${limits.tenantCredentialCharsMax} characters`)
    checkEnvReferences(text, env)
  }
  refuseEnvReferences(principal, Object.values(secrets))
  if (address === undefined || address === "") return { secrets, endpoint: address === undefined ? undefined : null }
  const url = URL.parse(address)
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "")
    throw invalid("values.endpoint must be an address such as https://api.example.com, without a user name or password")
  refusePrivateUrls(principal, [address])
  return { secrets, endpoint: url.href }
}

function refuseMasks(secrets: Record<string, string>): Record<string, string> {
  const masked = Object.entries(secrets).find(([, text]) => text === mask)
  if (masked !== undefined) throw invalid(`values.${masked[0]}: *** does not stand for a stored value here; send the value itself`)
  return secrets
}

async function keepValues(
  scope: Scope,
  before: TenantCredentialRow,
  { secrets, endpoint }: { readonly secrets: Record<string, string>; readonly endpoint: string | null },
  store: Store,
  parts: Parts,
): Promise<Record<string, string>> {
  const stored = (await parts.vaultOn(store).open(scope, tenantCredentialRef(before.id))) ?? {}
  const kept = Object.keys(secrets).filter((name) => secrets[name] === mask && Object.hasOwn(stored, name))
  if (kept.length > 0 && endpoint !== before.endpoint)
    throw new ExecutorError(
      "invalid_request",
      `The endpoint is now ${endpoint ?? "the provider's own"} instead of ${before.endpoint ?? "the provider's own"}, and a credential goes only where it was meant to: send ${kept.join(", ")} again`,
      { resend: kept },
    )
  return refuseMasks({ ...secrets, ...Object.fromEntries(kept.map((name) => [name, stored[name] ?? mask])) })
}

const viewCredential = (row: TenantCredentialRow): TenantCredentialView => ({
  id: row.id,
  category: row.category,
  providerKey: row.providerKey,
  providerVariant: row.providerVariant,
  label: row.label,
  values: Object.fromEntries((JSON.parse(row.valueNames) as string[]).map((name) => [name, mask])) as Record<string, "***">, // each of them is the mask
  endpoint: row.endpoint,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
})

const invalid = (message: string): ExecutorError => new ExecutorError("invalid_request", message)
