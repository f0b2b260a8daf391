// Conformance of signing in: providers, sign-ins under way, and identities.
import { describe, expect, it } from "vitest"
import type { Scope } from "../../../core/principal.ts"
import { newId } from "../../../io/ids.ts"
import { signInFlowSecretRef, signInProviderSecretRef } from "../../sign-in-store.ts"
import type { SignInFlowRow, SignInProviderRow } from "../../sign-in-store.ts"
import type { Store } from "../../store.ts"
import { at } from "./oauth-samples.ts"
import { ensureUser, newScope } from "../samples.ts"
import type { StoreUnderTest } from "../suite.ts"

export const providerRow = ({ tenant }: Pick<Scope, "tenant">, fields: Partial<SignInProviderRow> = {}): SignInProviderRow => ({
  tenant,
  id: "okta",
  name: "Okta",
  issuer: "https://acme.okta.com",
  clientId: "client",
  scopes: '["openid"]',
  claim: "groups",
  rules: "[]",
  defaultRole: null,
  allow: "{}",
  createdAt: at(0),
  ...fields,
})

export const signInFlowRow = ({ tenant }: Pick<Scope, "tenant">, fields: Partial<SignInFlowRow> = {}): SignInFlowRow => ({
  tenant,
  id: newId("sif"),
  provider: "okta",
  purpose: "sign_in",
  stateHash: newId("state"),
  cookieHash: "cookie",
  keyHash: "key",
  returnTo: null,
  createdAt: at(0),
  expiresAt: at(10),
  ...fields,
})

const identityOf = ({ tenant, user }: Scope) => ({ tenant, user, issuer: "https://acme.okta.com", subject: "00u1", createdAt: at(0) })

type Attempt = {
  readonly try: (store: Store, stranger: Scope, victim: { readonly scope: Scope }) => Promise<unknown>
  readonly nothing: unknown
}

/** One for each verb, as `scopes.ts` wants them. */
export const signInAttempts: Record<string, Attempt> = {
  "signInProviders.list": { try: (store, { tenant }) => store.signInProviders.list(tenant), nothing: [] },
  "signInProviders.get": { try: (store, { tenant }) => store.signInProviders.get(tenant, "okta"), nothing: null },
  "signInProviders.put": { try: (store, stranger) => store.signInProviders.put(providerRow(stranger, { name: "M" })), nothing: undefined },
  "signInProviders.remove": { try: (store, { tenant }) => store.signInProviders.remove(tenant, "okta"), nothing: false },
  // A flow points to a provider of its tenant.
  "signInFlows.put": { try: (store, stranger) => store.signInFlows.put(signInFlowRow(stranger)), nothing: undefined },
  // The state is the secret itself: whoever knows it was given it.
  "signInFlows.find": { try: (store) => store.signInFlows.find("M"), nothing: null },
  "signInFlows.take": { try: (store, stranger) => store.signInFlows.take(signInFlowRow(stranger)), nothing: false },
  "identities.get": { try: (store, { tenant }) => store.identities.get(tenant, "https://acme.okta.com", "00u1"), nothing: null },
  "identities.add": {
    try: (store, stranger, { scope }) => store.identities.add({ ...identityOf(scope), tenant: stranger.tenant, subject: "M" }),
    nothing: undefined,
  },
  "identities.signedIn": {
    try: (store, stranger, { scope }) => store.identities.signedIn({ ...identityOf(scope), tenant: stranger.tenant }, '"M"'),
    nothing: undefined,
  },
  "identities.signIns": { try: (store, stranger) => store.identities.signIns(stranger), nothing: [] },
}

/** What a victim has of it. */
export async function addSignIn(scope: Scope, store: Store): Promise<void> {
  await store.signInProviders.put(providerRow(scope))
  await store.identities.add(identityOf(scope))
  await store.identities.signedIn(identityOf(scope), '{"at":"then"}')
}

export const signInInventory = async (scope: Scope, store: Store): Promise<unknown> => [
  await store.signInProviders.list(scope.tenant),
  await store.identities.get(scope.tenant, "https://acme.okta.com", "00u1"),
  await store.identities.signIns(scope),
]

export function testSignIn(use: () => StoreUnderTest): void {
  describe("signing in", () => {
    const setUp = async (): Promise<{ scope: Scope; store: Store; other: Store }> => {
      const { store, other } = use()
      const scope = newScope()
      await ensureUser(store, scope)
      await store.signInProviders.put(providerRow(scope))
      return { scope, store, other }
    }

    it("keeps providers, and drops their secret and flows with them", async () => {
      const { scope, store, other } = await setUp()
      const row = providerRow(scope, { name: "Okta 2", defaultRole: "member", rules: '[{"value":"a","roles":["b"]}]' })
      await store.signInProviders.put(row)
      expect(await other.signInProviders.list(scope.tenant)).toEqual([row])
      const flow = signInFlowRow(scope)
      await store.signInFlows.put(flow)
      await store.credentials.put(scope, signInProviderSecretRef("okta"), new Uint8Array([1]))
      expect(await store.signInProviders.remove(scope.tenant, "okta")).toBe(true)
      expect(await store.signInProviders.remove(scope.tenant, "okta")).toBe(false)
      expect(await store.credentials.get(scope, signInProviderSecretRef("okta"))).toBeNull()
      expect(await store.signInFlows.find(flow.stateHash)).toBeNull()
    })

    it("gives a flow to exactly one of those who take it at once", async () => {
      const { scope, store, other } = await setUp()
      const flow = signInFlowRow(scope, { returnTo: "/approve" })
      await store.signInFlows.put(flow)
      expect(await other.signInFlows.find(flow.stateHash)).toEqual(flow)
      const taken = await Promise.all([store, other, store, other].map((one) => one.signInFlows.take(flow)))
      expect(taken.filter(Boolean)).toHaveLength(1)
      expect(await store.signInFlows.find(flow.stateHash)).toBeNull()
    })

    it("drops flows that ran out, with their secrets, when another is made", async () => {
      const { scope, store } = await setUp()
      const [old, still] = [signInFlowRow(scope), signInFlowRow(scope, { expiresAt: at(50) })]
      for (const flow of [old, still]) {
        await store.signInFlows.put(flow)
        await store.credentials.put(scope, signInFlowSecretRef(flow.id), new Uint8Array([1]))
      }
      await store.signInFlows.put(signInFlowRow(scope, { createdAt: at(30), expiresAt: at(40) }))
      expect(await store.signInFlows.find(old.stateHash)).toBeNull()
      expect(await store.credentials.get(scope, signInFlowSecretRef(old.id))).toBeNull()
      expect(await store.signInFlows.find(still.stateHash)).toEqual(still)
      expect(await store.credentials.get(scope, signInFlowSecretRef(still.id))).not.toBeNull()
    })

    it("knows one person by issuer and subject, in one tenant, until they are removed", async () => {
      const { scope, store, other } = await setUp()
      const elsewhere = newScope()
      await ensureUser(store, elsewhere)
      const identity = identityOf(scope)
      await store.identities.add(identity)
      expect(await other.identities.get(scope.tenant, identity.issuer, identity.subject)).toEqual(identity)
      expect(await store.identities.get(elsewhere.tenant, identity.issuer, identity.subject)).toBeNull()
      await expect(store.identities.add(identity)).rejects.toThrow(/unique/i)
      await store.identities.add(identityOf(elsewhere))
      await store.identities.signedIn(identity, '{"at":"first"}')
      await store.identities.signedIn(identity, '{"at":"last"}')
      await store.identities.signedIn({ ...identity, subject: "nobody" }, "{}")
      expect(await other.identities.signIns(scope)).toEqual(['{"at":"last"}'])
      expect(await store.identities.signIns(elsewhere)).toEqual([])
      await store.users.remove(scope)
      expect(await store.identities.get(scope.tenant, identity.issuer, identity.subject)).toBeNull()
      expect(await store.identities.get(elsewhere.tenant, identity.issuer, identity.subject)).not.toBeNull()
    })
  })
}
