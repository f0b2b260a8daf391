// Conformance of scoping: whoever knows another's ids gets nothing by them, and changes nothing.
import { describe, expect, it } from "vitest"
import { ExecutorError } from "../../core/errors.ts"
import type { Scope } from "../../core/principal.ts"
import { newId, sha256 } from "../../io/ids.ts"
import type { AgentGrantRow } from "../agent-grant-store.ts"
import type { BrowserSessionRow, InvitationRow } from "../session-store.ts"
import type { OauthClientRow, OauthFlowRow, OauthGrantRow } from "../oauth-store.ts"
import type { PasskeyRow } from "../passkey-store.ts"
import type { PolicyRow, Store, TokenRow } from "../store.ts"
import { connectionSecretRef, integrationSecretRef } from "../store.ts"
import { addSignIn, signInAttempts, signInInventory } from "./sign-in.ts"
import type { StoreUnderTest } from "./suite.ts"
import { agentGrantRow, minute } from "./agent-grant-samples.ts"
import { challengeRow, passkeyRow } from "./passkeys.ts"
import { at, clientRow, flowRow, grantRow } from "./oauth-samples.ts"
import {
  connectionRef,
  connectionRow,
  ensureUser,
  integrationRow,
  invitationRow,
  newScope,
  policyRow,
  roleRow,
  sessionRow,
  tokenRow,
  toolKey,
  toolSet,
  toolWrite,
  userRow,
} from "./samples.ts"

const page = { after: null, limit: 100 }
const ref = connectionRef("github", "user", "main")
const key = toolKey("github", "user", "main", "repos.get")
const sealed = new Uint8Array([1, 2, 3])

/** Everything that one user owns, and how it is known. */
type Victim = {
  readonly scope: Scope
  readonly token: TokenRow
  readonly passkey: PasskeyRow
  readonly policy: PolicyRow
  readonly documentHash: string
  readonly secret: string
  readonly session: BrowserSessionRow
  readonly invitation: InvitationRow
  readonly client: OauthClientRow
  readonly flow: OauthFlowRow
  readonly grant: OauthGrantRow
  readonly agentGrant: AgentGrantRow
}

async function createVictim(store: Store): Promise<Victim> {
  const scope = newScope()
  await ensureUser(store, scope)
  const token = tokenRow(scope)
  const passkey = passkeyRow(scope)
  const policy = policyRow("user")
  const secret = connectionSecretRef(scope, ref)
  const documentHash = await store.documents.put(scope, "the document")
  await store.tokens.put(token)
  await store.passkeys.put(passkey)
  await store.roles.put(scope.tenant, roleRow())
  await store.policies.put(scope, policy)
  await store.toolSets.put(scope, toolSet("set", ["repos.get"], { Repo: "{}" }))
  await store.integrations.put(scope, integrationRow("github", { documentHash, toolSetId: "set" }))
  await store.connections.put(scope, connectionRow("github", "user", "main", { toolSetId: "set" }))
  await store.pins.put(scope, ref, [{ tool: "repos.get", definition: "{}" }])
  await store.credentials.put(scope, secret, sealed)
  await store.credentials.put(scope, integrationSecretRef("github"), sealed)
  const [client, flow, grant] = [clientRow(), flowRow(scope), grantRow("user")]
  await store.oauthClients.put(scope, client)
  await store.oauthFlows.put(flow)
  await store.oauthGrants.put(scope, ref, grant)
  const agentGrant = agentGrantRow(scope, { tokenId: token.id, secretHash: newId("hash"), expiresAt: minute(90) })
  await store.agentGrants.put(agentGrant)
  await addSignIn(scope, store)
  const [session, invitation] = [sessionRow(scope), invitationRow(scope)]
  await store.browserSessions.put(session)
  await store.invitations.put(invitation)
  return { scope, token, passkey, policy, documentHash, secret, session, invitation, client, flow, grant, agentGrant }
}

/** All that the victim can see of their own. */
const inventory = async (store: Store, victim: Victim): Promise<unknown> => {
  const { scope, policy, token, documentHash, secret, session, invitation, flow, agentGrant } = victim
  return {
    session: await store.browserSessions.find("session", session.hash),
    invitation: await store.invitations.findByHash(invitation.hash),
    user: await store.users.get(scope),
    roles: await store.roles.list(scope.tenant),
    token: await store.tokens.findByHash(token.hash),
    tokens: await store.tokens.list(scope, page),
    passkeys: await store.passkeys.list(scope),
    policy: await store.policies.get(scope, policy.id),
    policies: await store.policies.list(scope),
    integrations: await store.integrations.list(scope, page),
    connections: await store.connections.list(scope, {}, page),
    pins: await store.pins.list(scope, ref),
    tools: await store.tools.list(scope, {}, page),
    tool: await store.tools.get(scope, key),
    definitions: await store.toolSets.definitions(scope, "set", ["Repo"]),
    names: await store.toolSets.names(scope, "set"),
    document: await store.documents.get(scope, documentHash),
    secret: await store.credentials.get(scope, secret),
    integrationSecret: await store.credentials.get(scope, integrationSecretRef("github")),
    clients: await store.oauthClients.list(scope, page),
    flow: await store.oauthFlows.findById(flow.id),
    grant: await store.oauthGrants.get(scope, ref),
    agentGrant: await store.agentGrants.findByCode(agentGrant.codeHash),
    signIn: await signInInventory(scope, store),
  }
}

type Attempt = (store: Store, stranger: Scope, victim: Victim) => Promise<unknown>

/** One attempt for each verb of the store; `nothing` are the answers that give nothing away. */
const attempts: Record<string, { readonly try: Attempt; readonly nothing: unknown }> = {
  "tenants.ensure": {
    try: (store, { tenant, user }) => store.tenants.ensure({ tenant, id: user, name: "M", roles: [] }),
    nothing: undefined,
  },
  "users.get": { try: (store, { tenant }) => store.users.get({ tenant, user: "nobody" }), nothing: null },
  // For the operator alone, who sees the ids of all tenants.
  "tenants.list": { try: (store, { tenant }) => store.tenants.list({ after: `${tenant}\uffff`, limit: 0 }), nothing: [] },
  "users.list": {
    try: async (store, { tenant }, { scope }) => (await store.users.list(tenant, page)).filter((row) => row.tenant === scope.tenant),
    nothing: [],
  },
  "users.put": { try: (store, { tenant, user }) => store.users.put(userRow({ tenant, user }, { name: "M" })), nothing: undefined },
  "users.remove": { try: (store, { tenant }) => store.users.remove({ tenant, user: "nobody" }), nothing: false },
  "users.seen": { try: (store, { tenant }) => store.users.seen({ tenant, user: "nobody" }, "2026"), nothing: undefined },
  "roles.list": { try: (store, { tenant }) => store.roles.list(tenant), nothing: [] },
  "roles.put": { try: (store, { tenant }) => store.roles.put(tenant, roleRow({ name: "M" })), nothing: undefined },
  "roles.remove": { try: (store, { tenant }) => store.roles.remove(tenant, "developer"), nothing: false },
  // The hash is the secret itself: whoever knows it is the token's bearer.
  "tokens.findByHash": { try: (store, _stranger, { token }) => store.tokens.findByHash(token.id), nothing: null },
  "tokens.get": { try: (store, stranger, { token }) => store.tokens.get(stranger, token.id), nothing: null },
  "tokens.list": { try: (store, stranger) => store.tokens.list(stranger, page), nothing: [] },
  "tokens.put": {
    try: (store, { tenant, user }, { token }) => store.tokens.put({ ...token, tenant, user, hash: newId("hash"), kind: "agent" }),
    nothing: undefined,
  },
  "tokens.remove": { try: (store, stranger, { token }) => store.tokens.remove(stranger, token.id), nothing: false },
  "tokens.find": { try: (store, stranger, { token }) => store.tokens.find(stranger.tenant, token.id), nothing: null },
  "tokens.listAll": {
    try: (store, stranger) => store.tokens.listAll(stranger.tenant, page),
    nothing: [],
  },
  "tokens.names": { try: (store, { tenant }, { token }) => store.tokens.names(tenant, [token.id]), nothing: new Map() },
  // A credential's id is what a sign-in brings; whoever knows it still has to sign with its key.
  "passkeys.findByCredential": { try: (store, _stranger, { passkey }) => store.passkeys.findByCredential(passkey.id), nothing: null },
  "passkeys.list": { try: (store, stranger) => store.passkeys.list(stranger), nothing: [] },
  "passkeys.put": {
    try: (store, { tenant, user }) => store.passkeys.put(passkeyRow({ tenant, user })),
    nothing: undefined,
  },
  "passkeys.rename": { try: (store, stranger, { passkey }) => store.passkeys.rename(stranger, passkey.id, "M"), nothing: false },
  "passkeys.remove": { try: (store, stranger, { passkey }) => store.passkeys.remove(stranger, passkey.id), nothing: false },
  "passkeys.used": {
    try: (store, { tenant }, { passkey }) => store.passkeys.used({ ...passkey, tenant, id: "psk_none" }, 9, "2026"),
    nothing: false,
  },
  // They belong to a browser that nobody knows yet.
  "passkeyChallenges.put": { try: (store) => store.passkeyChallenges.put(challengeRow()), nothing: undefined },
  "passkeyChallenges.take": { try: (store, { tenant }) => store.passkeyChallenges.take(tenant), nothing: null },
  "integrations.list": { try: (store, stranger) => store.integrations.list(stranger, page), nothing: [] },
  "integrations.get": { try: (store, stranger) => store.integrations.get(stranger, "github"), nothing: null },
  "integrations.put": {
    try: (store, stranger) => store.integrations.put(stranger, integrationRow("github", { name: "M" })),
    nothing: undefined,
  },
  "integrations.remove": { try: (store, stranger) => store.integrations.remove(stranger, "github"), nothing: false },
  "connections.list": { try: (store, stranger) => store.connections.list(stranger, {}, page), nothing: [] },
  "connections.get": { try: (store, stranger) => store.connections.get(stranger, ref), nothing: null },
  "connections.put": {
    try: (store, stranger) =>
      store.connections.put(stranger, connectionRow("github", "user", "main", { toolSetId: "set", status: "error" })),
    nothing: undefined,
  },
  "connections.remove": { try: (store, stranger) => store.connections.remove(stranger, ref), nothing: false },
  "pins.list": { try: (store, stranger) => store.pins.list(stranger, ref), nothing: [] },
  "pins.put": { try: (store, stranger) => store.pins.put(stranger, ref, [{ tool: "repos.get", definition: "M" }]), nothing: undefined },
  "toolSets.put": {
    try: (store, stranger) => store.toolSets.put(stranger, { id: "set", tools: [toolWrite("M")], definitions: new Map() }),
    nothing: undefined,
  },
  "toolSets.collectGarbage": { try: (store, stranger) => store.toolSets.collectGarbage(stranger), nothing: undefined },
  "toolSets.definitions": { try: (store, stranger) => store.toolSets.definitions(stranger, "set", ["Repo"]), nothing: new Map() },
  "toolSets.names": { try: (store, stranger) => store.toolSets.names(stranger, "set"), nothing: [] },
  "tools.list": { try: (store, stranger) => store.tools.list(stranger, {}, page), nothing: [] },
  "tools.get": { try: (store, stranger) => store.tools.get(stranger, key), nothing: null },
  "tools.connectionsWith": { try: (store, stranger) => store.tools.connectionsWith(stranger, "github", "repos.get"), nothing: [] },
  "tools.count": { try: (store, stranger) => store.tools.count(stranger, {}), nothing: 0 },
  "documents.get": { try: (store, stranger, { documentHash }) => store.documents.get(stranger, documentHash), nothing: null },
  "documents.put": { try: (store, stranger) => store.documents.put(stranger, "theirs"), nothing: sha256("theirs") },
  "credentials.get": { try: (store, stranger, { secret }) => store.credentials.get(stranger, secret), nothing: null },
  "credentials.put": {
    try: (store, stranger, { secret }) => store.credentials.put(stranger, secret, new Uint8Array([9])),
    nothing: undefined,
  },
  "credentials.remove": { try: (store, stranger, { secret }) => store.credentials.remove(stranger, secret), nothing: undefined },
  "policies.list": { try: (store, stranger) => store.policies.list(stranger), nothing: [] },
  // Of a whole tenant, for admins.
  "policies.listWithRoles": { try: (store, stranger) => store.policies.listWithRoles(stranger.tenant), nothing: [] },
  "policies.get": { try: (store, stranger, { policy }) => store.policies.get(stranger, policy.id), nothing: null },
  "policies.put": {
    try: (store, stranger, { policy }) => store.policies.put(stranger, { ...policy, action: "allow" }),
    nothing: undefined,
  },
  // A code and a cookie are the secrets themselves: whoever knows one was given it.
  "browserSessions.find": { try: (store) => store.browserSessions.find("session", sha256("M")), nothing: null },
  "browserSessions.take": { try: (store) => store.browserSessions.take("code", sha256("M")), nothing: null },
  "browserSessions.put": {
    try: (store, { tenant, user }) => store.browserSessions.put(sessionRow({ tenant, user })),
    nothing: undefined,
  },
  "browserSessions.list": {
    try: (store, stranger) => store.browserSessions.list(stranger, page),
    nothing: [],
  },
  "browserSessions.remove": {
    try: (store, stranger, { session }) => store.browserSessions.remove(stranger, session.id),
    nothing: false,
  },
  "browserSessions.removeAll": { try: (store, stranger) => store.browserSessions.removeAll(stranger), nothing: undefined },
  "browserSessions.seen": {
    try: (store, { tenant }, { session }) => store.browserSessions.seen({ ...session, tenant, id: `${session.id}x` }, at(59)),
    nothing: undefined,
  },
  // A link is the secret itself, as above. Inside a tenant, who may invite sees all of them.
  "invitations.findByHash": { try: (store) => store.invitations.findByHash(sha256("M")), nothing: null },
  "invitations.get": {
    try: (store, stranger, { invitation }) => store.invitations.get(stranger.tenant, invitation.id),
    nothing: null,
  },
  "invitations.list": { try: (store, stranger) => store.invitations.list(stranger.tenant, page), nothing: [] },
  "invitations.put": {
    try: (store, { tenant, user }) => store.invitations.put(invitationRow({ tenant, user })),
    nothing: undefined,
  },
  "invitations.accept": {
    try: (store, stranger, { invitation }) => store.invitations.accept(stranger.tenant, invitation.id, { user: stranger.user, at: at(1) }),
    nothing: false,
  },
  "invitations.remove": {
    try: (store, stranger, { invitation }) => store.invitations.remove(stranger.tenant, invitation.id),
    nothing: false,
  },
  "invitations.dropExpired": { try: (store, stranger) => store.invitations.dropExpired(stranger.tenant, at(59)), nothing: undefined },
  "oauthClients.list": { try: (store, stranger) => store.oauthClients.list(stranger, page), nothing: [] },
  "oauthClients.get": { try: (store, stranger, { client }) => store.oauthClients.get(stranger, client.id), nothing: null },
  "oauthClients.put": {
    try: (store, stranger, { client }) => store.oauthClients.put(stranger, { ...client, name: "M" }),
    nothing: undefined,
  },
  "oauthClients.remove": { try: (store, stranger, { client }) => store.oauthClients.remove(stranger, client.id), nothing: false },
  "oauthFlows.put": { try: (store, stranger) => store.oauthFlows.put(flowRow(stranger, { createdAt: at(59) })), nothing: undefined },
  // The id and the state are the secrets themselves: whoever knows one was given it.
  "oauthFlows.findById": { try: (store, _stranger, { flow }) => store.oauthFlows.findById(flow.stateHash), nothing: null },
  "oauthFlows.findByState": { try: (store, _stranger, { flow }) => store.oauthFlows.findByState(flow.id), nothing: null },
  "oauthFlows.bind": { try: (store, stranger, { flow }) => store.oauthFlows.bind({ ...flow, ...stranger }, "M"), nothing: false },
  "oauthFlows.use": { try: (store, stranger, { flow }) => store.oauthFlows.use({ ...flow, ...stranger }, at(1)), nothing: false },
  "oauthGrants.get": { try: (store, stranger) => store.oauthGrants.get(stranger, ref), nothing: null },
  "oauthGrants.put": { try: (store, stranger) => store.oauthGrants.put(stranger, ref, null), nothing: undefined },
  "oauthGrants.claim": {
    try: (store, stranger) => store.oauthGrants.claim(stranger, ref, { version: 1, owner: "M", now: at(1), until: at(2) }),
    nothing: false,
  },
  "oauthGrants.findByConnectKey": { try: (store) => store.oauthGrants.findByConnectKey("M"), nothing: null },
  // The code and the refresh token are the secrets themselves.
  "agentGrants.findByCode": { try: (store, _stranger, { agentGrant }) => store.agentGrants.findByCode(agentGrant.id), nothing: null },
  "agentGrants.findBySecret": { try: (store, _stranger, { agentGrant }) => store.agentGrants.findBySecret(agentGrant.id), nothing: null },
  "agentGrants.findByToken": { try: (store, stranger, { token }) => store.agentGrants.findByToken(stranger, token.id), nothing: null },
  "agentGrants.count": { try: (store, stranger) => store.agentGrants.count(stranger), nothing: 0 },
  "agentGrants.put": {
    try: (store, stranger) => store.agentGrants.put(agentGrantRow(stranger, { createdAt: minute(60) })),
    nothing: undefined,
  },
  "agentGrants.redeem": {
    try: (store, stranger, { agentGrant }) =>
      store.agentGrants.redeem(
        { ...agentGrant, ...stranger },
        { tokenId: "M", secretHash: newId("M"), at: minute(0), expiresAt: minute(99) },
      ),
    nothing: false,
  },
  "agentGrants.rotate": {
    try: (store, stranger, { agentGrant }) =>
      store.agentGrants.rotate({ ...agentGrant, ...stranger }, { at: minute(0), expiresAt: minute(99) }),
    nothing: false,
  },
  "agentGrants.removeAll": { try: (store, stranger) => store.agentGrants.removeAll(stranger), nothing: undefined },
  "agentGrants.remove": { try: (store, stranger, { agentGrant }) => store.agentGrants.remove(stranger, agentGrant.id), nothing: false },
  ...signInAttempts,
  "policies.remove": { try: (store, stranger, { policy }) => store.policies.remove(stranger, policy.id), nothing: false },
}

/** What every member of a tenant shares, or an admin reads: its catalog is not one user's, and tokens are called by name. */
const tenantWide =
  /^(tenants\.|users\.|roles\.|integrations\.|toolSets\.|documents\.|oauthClients\.|oauthFlows\.|signIn|identities\.|invitations\.|tokens\.(?:names|find|listAll)$)/

/** A refusal gives nothing away either. */
const answerOf = (attempt: Promise<unknown>): Promise<unknown> =>
  attempt.catch((error: unknown) => {
    if (error instanceof ExecutorError) return "refused"
    // A row that points to the victim's rows is refused by the database.
    if (error instanceof Error && /foreign key/i.test(error.message)) return "refused"
    throw error
  })

export function testScopes(use: () => StoreUnderTest): void {
  describe("scopes", () => {
    it("have an attempt for every verb", () => {
      const { store } = use()
      const nouns = Object.entries(store).filter(([, rows]) => typeof rows === "object")
      const verbs = nouns.flatMap(([noun, rows]) => Object.keys(rows as object).map((verb) => `${noun}.${verb}`)) // only objects are left
      expect(Object.keys(attempts).toSorted()).toEqual(verbs.toSorted())
    })

    for (const [verb, attempt] of Object.entries(attempts)) {
      it(`keep another tenant out of ${verb}`, async () => {
        const { store } = use()
        const victim = await createVictim(store)
        const stranger = newScope(victim.scope.user)
        await ensureUser(store, stranger)
        const before = await inventory(store, victim)
        expect([attempt.nothing, "refused"]).toContainEqual(await answerOf(attempt.try(store, stranger, victim)))
        expect(await inventory(store, victim)).toEqual(before)
      })

      if (tenantWide.test(verb)) continue
      it(`keep another user of the tenant out of ${verb}`, async () => {
        const { store } = use()
        const victim = await createVictim(store)
        const stranger = { ...victim.scope, user: "bob" }
        await ensureUser(store, stranger)
        const before = await inventory(store, victim)
        expect([attempt.nothing, "refused"]).toContainEqual(await answerOf(attempt.try(store, stranger, victim)))
        expect(await inventory(store, victim)).toEqual(before)
      })
    }

    it("leave other users' rows alone when the tenant's garbage is collected", async () => {
      const { store } = use()
      const victim = await createVictim(store)
      const before = await inventory(store, victim)
      await store.toolSets.collectGarbage({ ...victim.scope, user: "bob" })
      expect(await inventory(store, victim)).toEqual(before)
    })

    it("without a user see what the tenant owns and own nothing", async () => {
      const { store } = use()
      const victim = await createVictim(store)
      const nobody = { ...victim.scope, user: "" }
      const before = await inventory(store, victim)
      await store.connections.put(victim.scope, connectionRow("github", "org", "main"))
      expect((await store.connections.list(nobody, {}, page)).map((row) => row.owner)).toEqual(["org"])
      expect(await store.connections.list(nobody, { owner: "user" }, page)).toEqual([])
      expect(await store.tools.list(nobody, { owner: "user" }, page)).toEqual([])
      expect(await store.tools.count(nobody, { owner: "user" })).toBe(0)
      expect(await store.connections.get(nobody, ref)).toBeNull()
      expect(await store.connections.remove(nobody, ref)).toBe(false)
      expect(await store.tools.get(nobody, key)).toBeNull()
      expect(await store.credentials.get(nobody, connectionSecretRef(nobody, ref))).toBeNull()
      await expect(store.connections.put(nobody, connectionRow("github", "user", "main"))).rejects.toThrow(ExecutorError)
      await expect(store.policies.put(nobody, policyRow("user"))).rejects.toThrow(ExecutorError)
      await expect(store.credentials.put(nobody, connectionSecretRef(nobody, ref), sealed)).rejects.toThrow(ExecutorError)
      await store.connections.remove(victim.scope, connectionRef("github", "org", "main"))
      expect(await inventory(store, victim)).toEqual(before)
    })
  })
}
