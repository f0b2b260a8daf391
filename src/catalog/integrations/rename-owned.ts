// Renames the integrations of older versions whose slugs Executor has since taken for itself.
import { IntegrationSlug, ownedSlugs } from "../../core/address.ts"
import { ExecutorError } from "../../core/errors.ts"
import type { Scope } from "../../core/principal.ts"
import type { Vault } from "../../credentials/vault.ts"
import type { Store } from "../../store/store.ts"
import { connectionSecretRef, integrationSecretRef } from "../../store/store.ts"
import type { CatalogParts } from "../catalog-parts.ts"

export type RenameParts = Pick<CatalogParts, "store" | "vaultOn" | "log">
export type RenamedIntegration = { readonly tenant: string; readonly from: IntegrationSlug; readonly to: IntegrationSlug }

/** The kind of what Executor itself keeps under these slugs. */
const ownKind = "registry"

/** Of every tenant. Each is renamed as a whole or stays, and by one of several processes that start at once. */
export async function renameOwnedSlugs(parts: RenameParts): Promise<RenamedIntegration[]> {
  const renamed: RenamedIntegration[] = []
  for (const { tenant, slug } of await parts.store.integrations.findNamed(ownedSlugs, ownKind)) {
    const done = await renameUnlessSealed(tenant, slug, parts)
    if (done !== null) renamed.push(done)
  }
  return renamed
}

/** What this key cannot open stays as it is, so that the right key still finds it; that is no reason not to start. */
async function renameUnlessSealed(tenant: string, slug: string, parts: RenameParts): Promise<RenamedIntegration | null> {
  try {
    return await parts.store.transaction((store) => renameIn({ tenant, user: "" }, IntegrationSlug.make(slug), store, parts))
  } catch (error) {
    if (!(error instanceof ExecutorError)) throw error
    const message = `The slug '${slug}' is reserved now, and this integration cannot be renamed: ${error.message}. The next start tries again`
    parts.log.warn({ tenant, integration: slug }, message)
    return null
  }
}

async function renameIn(
  scope: Scope,
  from: IntegrationSlug,
  store: Store,
  { vaultOn }: Pick<RenameParts, "vaultOn">,
): Promise<RenamedIntegration | null> {
  const row = await store.integrations.get(scope, from)
  // Another process was faster, and the slug may have been taken by its owner since.
  if (row === null || row.kind === ownKind || row.kind === from) return null
  const to = await freeSlug(scope, from, store)
  const connections = (await store.integrations.rename(scope, from, to)) ?? []
  const vault = vaultOn(store)
  await reseal(scope, [integrationSecretRef(from), integrationSecretRef(to)], vault)
  for (const { user, ...connection } of connections) {
    const owner = { ...scope, user }
    const refOf = (integration: IntegrationSlug): string => connectionSecretRef(owner, { integration, ...connection })
    await reseal(owner, [refOf(from), refOf(to)], vault)
  }
  return { tenant: scope.tenant, from, to }
}

async function freeSlug(scope: Scope, from: IntegrationSlug, store: Store): Promise<IntegrationSlug> {
  for (let number = 1; ; number++) {
    const slug = IntegrationSlug.make(`${from}_api${number === 1 ? "" : number}`)
    if ((await store.integrations.get(scope, slug)) === null) return slug
  }
}

async function reseal(scope: Scope, [before, after]: readonly [string, string], vault: Vault): Promise<void> {
  const values = await vault.open(scope, before)
  if (values === null) return
  await vault.put(scope, after, values)
  await vault.drop(scope, before)
}
