// What a user has in the store, for the conformance of scoping: one of everything, and all that they see of it.
import type { Scope } from "../../core/principal.ts"
import { newId } from "../../io/ids.ts"
import type { AgentGrantRow } from "../agent-grant-store.ts"
import type { BrowserSessionRow, InvitationRow } from "../session-store.ts"
import type { OauthClientRow, OauthFlowRow, OauthGrantRow } from "../oauth-store.ts"
import type { PasskeyRow } from "../passkey-store.ts"
import type { PolicyRow, Store, TokenRow } from "../store.ts"
import { connectionSecretRef, integrationSecretRef } from "../store.ts"
import { agentGrantRow, minute } from "./people/agent-grant-samples.ts"
import { at, clientRow, flowRow, grantRow } from "./people/oauth-samples.ts"
import { passkeyRow } from "./people/passkeys.ts"
import { addAgents, agentInventory } from "./agents.ts"
import { addNotifications, notificationInventory } from "./notifications.ts"
import { addRegistry, registryInventory } from "./registry.ts"
import { addRetrieval, retrievalInventory } from "./retrieval.ts"
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
} from "./samples.ts"
import { addSignIn, signInInventory } from "./people/sign-in.ts"

export const page = { after: null, limit: 100 }
export const ref = connectionRef("github", "user", "main")
export const key = toolKey("github", "user", "main", "repos.get")
export const sealed = new Uint8Array([1, 2, 3])

/** Everything that one user owns, and how it is known. */
export type Victim = {
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

export async function createVictim(store: Store): Promise<Victim> {
  const scope = newScope()
  await ensureUser(store, scope)
  const token = tokenRow(scope)
  const passkey = passkeyRow(scope)
  const policy = policyRow("user")
  const secret = connectionSecretRef(scope, ref)
  const documentHash = await store.documents.put(scope, "the document")
  await store.tokens.put(token)
  await store.passkeys.add(passkey)
  await store.roles.put(scope.tenant, roleRow())
  await store.policies.put(scope, policy)
  await store.toolSets.put(scope, toolSet("set", ["repos.get"], { Repo: "{}" }))
  await store.integrations.put(scope, integrationRow("github", { documentHash, toolSetId: "set" }))
  await store.connections.put(scope, connectionRow("github", "user", "main", { toolSetId: "set" }))
  await store.pins.put(scope, ref, [{ tool: "repos.get", definition: "{}" }])
  await store.toolChanges.add(scope, ref, [{ tool: "repos.get", at: at(1), change: "changed", diff: "{}" }], {
    versionsMax: 9,
    removedToolsMax: 9,
  })
  await store.credentials.put(scope, secret, sealed)
  await store.credentials.put(scope, integrationSecretRef("github"), sealed)
  const [client, flow, grant] = [clientRow(), flowRow(scope), grantRow("user")]
  await store.oauthClients.put(scope, client)
  await store.oauthFlows.put(flow)
  await store.oauthGrants.put(scope, ref, grant)
  const agentGrant = agentGrantRow(scope, { tokenId: token.id, secretHash: newId("hash"), expiresAt: minute(90) })
  await store.agentGrants.put(agentGrant)
  await addSignIn(scope, store)
  await addRegistry(scope, store)
  await addAgents(scope, store)
  await addNotifications(scope, store)
  await addRetrieval(scope, store)
  const [session, invitation] = [sessionRow(scope), invitationRow(scope)]
  await store.browserSessions.put(session)
  await store.invitations.put(invitation)
  return { scope, token, passkey, policy, documentHash, secret, session, invitation, client, flow, grant, agentGrant }
}

/** All that the victim can see of their own. */
export const inventory = async (store: Store, victim: Victim): Promise<unknown> => {
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
    toolChanges: await store.toolChanges.list(scope, key, { after: null, limit: 100 }),
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
    registry: await registryInventory(scope, store),
    agents: await agentInventory(scope, store),
    notifications: await notificationInventory(scope, store),
    retrieval: await retrievalInventory(scope, store),
  }
}

type Attempt = (store: Store, stranger: Scope, victim: Victim) => Promise<unknown>

/** By the verb of the store that is tried; `nothing` are the answers that give nothing away. */
export type Attempts = Record<string, { readonly try: Attempt; readonly nothing: unknown }>
