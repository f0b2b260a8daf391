// Manages the sign-in providers of a tenant, for admins.
import { ExecutorError } from "../../core/errors.ts"
import type {
  SignInAllow,
  SignInProviderCreate,
  SignInProviderUpdate,
  SignInProviderView,
  SignInRule,
  SignInTerms,
} from "../../core/people/sign-in.ts"
import { requireAdmin } from "../../core/principal.ts"
import type { Principal } from "../../core/principal.ts"
import { checkEnvReferences } from "../../credentials/env/reference.ts"
import { signInProviderSecretRef } from "../../store/sign-in-store.ts"
import type { SignInProviderRow } from "../../store/sign-in-store.ts"
import type { Store } from "../../store/store.ts"
import { peopleFor, requireAdminLeft } from "../people/people.ts"
import { changedProvider, checkProviderId, providerIdFrom } from "./provider-input.ts"
import { ofTenant } from "./sign-in-parts.ts"
import type { SignInParts } from "./sign-in-parts.ts"

export type ProviderChange = { readonly before: SignInProviderView; readonly after: SignInProviderView }

const mask = "***"
const providersMax = 50

export async function listProviders(principal: Principal, parts: SignInParts): Promise<SignInProviderView[]> {
  requireAdmin(principal, "list sign-in providers")
  const rows = await parts.store.signInProviders.list(principal.tenant)
  return Promise.all(rows.map((row) => viewProvider(row, parts.store, parts)))
}

export async function createProvider(principal: Principal, input: SignInProviderCreate, parts: SignInParts): Promise<SignInProviderView> {
  requireAdmin(principal, "add a sign-in provider")
  const secret = checkSecret(input.clientSecret, parts)
  if (secret === mask)
    throw new ExecutorError("invalid_request", "clientSecret: '***' does not stand for a stored value here; send the value itself")
  return parts.store.transaction(async (store) => {
    const { roles } = await peopleFor(principal, "admin", "add a sign-in provider", store)
    const row: SignInProviderRow = {
      tenant: principal.tenant,
      id: checkProviderId(input.id ?? providerIdFrom(input.name)),
      createdAt: parts.clock.now().toISOString(),
      ...changedProvider({ ...empty, issuer: input.issuer, clientId: input.clientId }, input, roles),
    }
    const known = await store.signInProviders.list(row.tenant)
    if (known.some(({ id }) => id === row.id))
      throw new ExecutorError("conflict", `There already is a sign-in provider '${row.id}'; change it, or choose another id`)
    if (known.length >= providersMax)
      throw new ExecutorError("conflict", `A tenant has at most ${providersMax} sign-in providers; remove some first`)
    await store.signInProviders.put(row)
    if (secret !== null) await parts.vaultOn(store).put(principal, signInProviderSecretRef(row.id), { secret })
    return viewProvider(row, store, parts)
  })
}

const empty = {
  name: "",
  scopes: JSON.stringify(["openid", "email", "profile"]),
  claim: "groups",
  rules: "[]",
  defaultRole: null,
  allow: "{}",
}

/** `clientSecret`: `***`, as it is shown, keeps what is stored. */
export async function updateProvider(
  principal: Principal,
  id: string,
  change: SignInProviderUpdate,
  parts: SignInParts,
): Promise<ProviderChange> {
  requireAdmin(principal, "change a sign-in provider")
  const secret = checkSecret(change.clientSecret, parts)
  return parts.store.transaction(async (store) => {
    const { roles } = await peopleFor(principal, "admin", "change a sign-in provider", store)
    const row = await findProvider(principal.tenant, id, store)
    const before = await viewProvider(row, store, parts)
    const changed = { ...row, ...changedProvider(row, change, roles) }
    if (changed.issuer !== row.issuer && before.clientSecret !== null && (secret === null || secret === mask))
      throw new ExecutorError(
        "invalid_request",
        "clientSecret: another issuer would be sent the secret of the one before; send its own secret with the change",
      )
    await store.signInProviders.put(changed)
    if (secret !== null && secret !== mask) await parts.vaultOn(store).put(principal, signInProviderSecretRef(id), { secret })
    return { before, after: await viewProvider(changed, store, parts) }
  })
}

/** The roles that people have from it go with it, and roles given by hand stay; refused where nobody would be an admin any more. */
export async function removeProvider(principal: Principal, id: string, parts: SignInParts): Promise<SignInProviderView> {
  return parts.store.transaction(async (store) => {
    const people = await peopleFor(principal, "admin", "remove a sign-in provider", store)
    const view = await viewProvider(await findProvider(principal.tenant, id, store), store, parts)
    await store.signInProviders.remove(principal.tenant, id)
    for (const user of people.users.values()) {
      const roles = user.roles.filter(({ from }) => from !== `sso:${id}`)
      if (roles.length === user.roles.length) continue
      people.users.set(user.id, { ...user, roles })
      await store.users.put({ ...user, roles })
    }
    requireAdminLeft(people)
    return view
  })
}

export async function findProvider(tenant: string, id: string, store: Store): Promise<SignInProviderRow> {
  const row = await store.signInProviders.get(tenant, id)
  if (row === null) throw new ExecutorError("not_found", `There is no sign-in provider '${id.slice(0, 80)}'`)
  return row
}

export const termsOf = (row: SignInProviderRow): SignInTerms => ({
  claim: row.claim,
  rules: JSON.parse(row.rules) as SignInRule[], // checked before it was written, as what follows
  ...(row.defaultRole === null ? {} : { defaultRole: row.defaultRole }),
  allow: JSON.parse(row.allow) as SignInAllow,
})

export const scopesOf = (row: SignInProviderRow): string[] => JSON.parse(row.scopes) as string[] // as above

async function viewProvider(row: SignInProviderRow, store: Store, parts: SignInParts): Promise<SignInProviderView> {
  const secret = await parts.vaultOn(store).open(ofTenant(row.tenant), signInProviderSecretRef(row.id))
  return {
    id: row.id,
    name: row.name,
    issuer: row.issuer,
    clientId: row.clientId,
    clientSecret: secret === null ? null : mask,
    scopes: scopesOf(row),
    ...termsOf(row),
    redirectUri: parts.oauthLinks.signInRedirectUri(),
    createdAt: row.createdAt,
  }
}

function checkSecret(secret: string | undefined, parts: SignInParts): string | null {
  if (secret !== undefined) checkEnvReferences(secret, parts.env)
  return secret ?? null
}
