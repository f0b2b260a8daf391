// The store port: rows by noun, each query limited to one principal's scope, with one transaction verb around them.
//
// JSON is text that whoever needs it parses. Tools live in sets addressed by the hash of their content: a connection points to one, so that
// connections of an integration share it, and replacing a connection's tools is the change of one pointer in one transaction.
import type { AuthTemplate } from "../core/auth.ts"
import type { ConnectionName, ConnectionRef, IntegrationSlug, Owner, ToolName } from "../core/address.ts"
import type { ConnectionStatus } from "../core/connection.ts"
import type { SourceKind } from "../core/integration.ts"
import type { PolicyAction } from "../core/policy.ts"
import type { PrincipalKind, Scope } from "../core/principal.ts"
import type { Role, RoleGrant } from "../core/people/role.ts"
import type { TokenSurface } from "../core/token.ts"
import type { Effect, JsonText, ToolFacts } from "../core/tool.ts"
import type { UserSource, UserStatus } from "../core/people/user.ts"
import type { AgentGrantRows } from "./agent-grant-store.ts"
import type { IntegrationRenames } from "./integration-rename/rename-store.ts"
import type { OauthStore } from "./oauth-store.ts"
import type { SignInStore } from "./sign-in-store.ts"
import type { PasskeyStore } from "./passkey-store.ts"
import type { AgentStore } from "./agents/agent-store.ts"
import type { NotificationStore } from "./notifications/notification-store.ts"
import type { RegistryStore, ToolSetDerive } from "./registry-store.ts"
import type { RetrievalStore } from "./retrieval/retrieval-store.ts"
import type { PinRows } from "./tool-changes/pin-store.ts"
import type { ToolChangeStore } from "./tool-changes/tool-change-store.ts"
import type { BrowserSessionRows, InvitationRows } from "./session-store.ts"

export interface Store
  extends OauthStore, SignInStore, PasskeyStore, RegistryStore, AgentStore, RetrievalStore, ToolChangeStore, NotificationStore {
  readonly tenants: TenantRows
  readonly users: UserRows
  readonly roles: RoleRows
  readonly tokens: TokenRows
  readonly browserSessions: BrowserSessionRows
  readonly invitations: InvitationRows
  readonly integrations: IntegrationRows
  readonly connections: ConnectionRows
  readonly pins: PinRows
  readonly toolSets: ToolSetRows
  readonly tools: ToolRows
  readonly documents: DocumentRows
  readonly credentials: CredentialRows
  readonly policies: PolicyRows
  readonly agentGrants: AgentGrantRows
  /** Changes whenever a user, role, token, catalog, connection or policy row changed, here or in another process: caches compare it before they answer. */
  revision(): string
  /** All or nothing. The store handed to `work` is the only one that may be used inside it. */
  transaction<T>(work: (store: Store) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** Keyset position: rows strictly after it, at most `limit`. */
export type After<Key> = { readonly after: Key | null; readonly limit: number }

export interface TenantRows {
  /** Makes tenant and user where they are missing, with these roles; never changes existing ones. */
  ensure(user: FirstUser): Promise<void>
  /** Without a scope, for the operator alone. By id. */
  list(page: After<string>): Promise<TenantRow[]>
}
export type FirstUser = { readonly tenant: string; readonly id: string; readonly name: string; readonly roles: readonly string[] }
export type TenantRow = { readonly id: string; readonly createdAt: string }

/** The people and service accounts of a tenant. */
export interface UserRows {
  get(scope: Scope): Promise<UserRow | null>
  /** By id. */
  list(tenant: string, page: After<string>): Promise<UserRow[]>
  /** Inserts or replaces; the tenant must exist. */
  put(row: UserRow): Promise<void>
  /** Their tokens, sessions, policies, and own connections with credentials go with them; what they did stays in the journal and the audit. */
  remove(scope: Scope): Promise<boolean>
  /** Caches need not know. */
  seen(scope: Scope, at: string): Promise<void>
}
export type UserRow = {
  readonly tenant: string
  readonly id: string
  readonly name: string
  readonly email: string | null
  readonly status: UserStatus
  /** It never signs in, and owns no `user` connections. */
  readonly isService: boolean
  readonly roles: readonly RoleGrant[]
  readonly source: UserSource
  readonly createdAt: string
  readonly lastSeenAt: string | null
}

/** The roles that a tenant has made, and `member` once it was edited. */
export interface RoleRows {
  /** By id. */
  list(tenant: string): Promise<RoleRow[]>
  put(tenant: string, row: RoleRow): Promise<void>
  remove(tenant: string, id: string): Promise<boolean>
}
export type RoleRow = Role & { readonly createdAt: string }

export interface TokenRows {
  /** The one query without a scope, because the scope comes from there. */
  findByHash(hash: string): Promise<TokenRow | null>
  /** Null once it was removed: for what may have outlived it. */
  get(scope: Scope, id: string): Promise<TokenRow | null>
  list(scope: Scope, page: After<string>): Promise<TokenRow[]>
  /** For admins: that of any user of the tenant. */
  find(tenant: string, id: string): Promise<TokenRow | null>
  /** For admins: of every user of the tenant, by id. */
  listAll(tenant: string, page: After<string>): Promise<TokenRow[]>
  put(row: TokenRow): Promise<void>
  /** It is found no longer, and the grant that it came out of is gone; its name stays. */
  remove(scope: Scope, id: string): Promise<boolean>
  /** Of all users of the tenant, also of what was removed: what tokens did is told by their names. Unknown ids are left out. */
  names(tenant: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>>
}
export type TokenRow = {
  readonly tenant: string
  readonly user: string
  readonly id: string
  readonly hash: string
  readonly name: string
  readonly kind: PrincipalKind
  readonly elicitation: JsonText
  readonly createdAt: string
  /** It sees only those tools of its user that these match, as a JSON array; null: all of them. */
  readonly patterns: JsonText | null
  /** Null: never. */
  readonly expiresAt: string | null
  /** Who made it, where that is not its user. */
  readonly createdBy: string | null
  /** The client that a human gave it to by consent. */
  readonly client: string | null
  readonly surface: TokenSurface | null
  readonly debug: boolean
}

export interface IntegrationRows extends IntegrationRenames {
  list(scope: Scope, page: After<string>): Promise<IntegrationRow[]>
  get(scope: Scope, slug: string): Promise<IntegrationRow | null>
  /** Inserts or replaces. */
  put(scope: Scope, row: IntegrationRow): Promise<void>
  /** Its connections of every owner, and their credentials, go with it. */
  remove(scope: Scope, slug: string): Promise<boolean>
}
export type IntegrationRow = {
  readonly slug: IntegrationSlug
  readonly kind: SourceKind
  readonly name: string
  readonly description: string
  /** Without secret values; those are in the credentials table under `integration:<slug>`. */
  readonly config: JsonText
  readonly configRevisedAt: string
  /** The document the tools were made of, in `documents`. */
  readonly documentHash: string | null
  /** Set when the source's tools do not depend on the connection, so that all of them share it. */
  readonly toolSetId: string | null
  readonly toolSetSyncedAt: string | null
  /** `SourceFacts` */
  readonly facts: JsonText
  readonly createdAt: string
}

export interface ConnectionRows {
  /** Ordered by integration, owner, name. */
  list(scope: Scope, filter: ConnectionFilter, page: After<ConnectionRef>): Promise<ConnectionRow[]>
  get(scope: Scope, ref: ConnectionRef): Promise<ConnectionRow | null>
  put(scope: Scope, row: ConnectionRow): Promise<void>
  /** Its credential goes with it, and its tool set if nobody else points to it. */
  remove(scope: Scope, ref: ConnectionRef): Promise<boolean>
}
export type ConnectionFilter = { readonly integration?: string | readonly string[]; readonly owner?: Owner; readonly name?: string }
export type ConnectionRow = {
  readonly integration: IntegrationSlug
  readonly owner: Owner
  readonly name: ConnectionName
  readonly template: AuthTemplate
  /** `Placement[]`, with references to values, never values. */
  readonly placements: JsonText
  /** The names of the values that are bound, as a JSON array. */
  readonly bound: JsonText
  /** The origins that credentials may be sent to, as a JSON array. */
  readonly origins: JsonText
  readonly status: ConnectionStatus
  readonly error: string | null
  readonly toolSetId: string | null
  readonly toolsSyncedAt: string | null
  /** The names of the tools that are not what a human accepted, as a JSON array. */
  readonly changedTools: JsonText
  readonly createdAt: string
}

/** Sets of tools by content: written once, shared, dropped when nothing points to them any more. */
export interface ToolSetRows {
  /** Does nothing when the set exists. Rows go in by the thousand, so this is one batch. */
  put(scope: Scope, set: ToolSetWrite): Promise<void>
  /** A new set made of another one's tools, without the dropped ones and with these instead of those of the same names. Shared definitions are not copied. */
  derive(scope: Scope, set: ToolSetDerive): Promise<void>
  /** Drops the sets, schemas and documents that no row points to. */
  collectGarbage(scope: Scope): Promise<void>
  /** The named shared definitions; unknown names are left out. Name to JSON text. */
  definitions(scope: Scope, id: string, names: readonly string[]): Promise<Map<string, JsonText>>
  /** The names of its tools, in order. */
  names(scope: Scope, id: string): Promise<readonly string[]>
}
export type ToolSetWrite = {
  readonly id: string
  readonly tools: readonly ToolWrite[]
  readonly definitions: ReadonlyMap<string, JsonText>
}
export type ToolWrite = ToolFacts & { readonly inputSchema: JsonText; readonly outputSchema: JsonText | null; readonly binding: JsonText }

/** Tools of the connections that are visible in the scope. */
export interface ToolRows {
  /** Metadata only, ordered by integration, owner, connection, name. */
  list(scope: Scope, filter: ToolListFilter, page: After<ToolKey>): Promise<ToolListRow[]>
  /** With schemas and binding. */
  get(scope: Scope, key: ToolKey): Promise<ToolRow | null>
  /** Visible connections of the integration that have a tool of this name: how a short path is resolved. */
  connectionsWith(scope: Scope, integration: string, tool: string): Promise<ConnectionRef[]>
  count(scope: Scope, filter: ToolRowFilter): Promise<number>
}
export type ToolKey = ConnectionRef & { readonly tool: ToolName }
/** `query`: case-insensitive substring of name or description. */
export type ToolRowFilter = ConnectionFilter & { readonly query?: string }
/** `choose`: what it leaves out is not read; with `query` it is not asked. */
export type ToolListFilter = ToolRowFilter & { readonly choose?: ChooseNames }
/** Of the names of a tool set, the positions of those that are wanted, in order; null: all. It must not read from the store. */
export type ChooseNames = (
  set: { readonly integration: string; readonly toolSetId: string },
  names: readonly string[],
) => Promise<Uint32Array | null>
export type ToolListRow = ToolFacts & {
  readonly integration: IntegrationSlug
  readonly owner: Owner
  readonly connection: ConnectionName
  readonly kind: SourceKind
  /** It is not what a human accepted. */
  readonly isChanged: boolean
}
export type ToolRow = Omit<ToolListRow, "isChanged"> & {
  readonly toolSetId: string
  readonly inputSchema: JsonText
  readonly inputSchemaHash: string
  readonly outputSchema: JsonText | null
  readonly outputSchemaHash: string | null
  readonly binding: JsonText
  readonly effect: Effect
}

/** Source documents by content hash, compressed. */
export interface DocumentRows {
  get(scope: Scope, hash: string): Promise<string | null>
  /** Answers the hash of the text. */
  put(scope: Scope, text: string): Promise<string>
}

/** Ciphertext only: what is in here is worthless without the key. */
export interface CredentialRows {
  get(scope: Scope, ref: string): Promise<Uint8Array | null>
  put(scope: Scope, ref: string, sealed: Uint8Array): Promise<void>
  remove(scope: Scope, ref: string): Promise<void>
}

export interface PolicyRows {
  /** Of both owners that the scope sees, by owner and position. */
  list(scope: Scope): Promise<PolicyRow[]>
  /** Of every user of the tenant: those that name a role, to be bound or to approve. */
  listWithRoles(tenant: string): Promise<PolicyRow[]>
  get(scope: Scope, id: string): Promise<PolicyRow | null>
  put(scope: Scope, row: PolicyRow): Promise<void>
  remove(scope: Scope, id: string): Promise<boolean>
}
export type PolicyRow = {
  readonly id: string
  readonly owner: Owner
  readonly pattern: string
  readonly action: PolicyAction
  readonly when: JsonText
  readonly position: number
  /** Null: it counts for every role. */
  readonly role: string | null
  /** JSON of an `ApprovalBy`; null: it names nobody. */
  readonly by: JsonText | null
  readonly createdAt: string
}

export const refOf = (row: ConnectionRow): ConnectionRef => ({ integration: row.integration, owner: row.owner, connection: row.name })
export const toolKeyOf = ({ integration, owner, connection, name }: ToolListRow): ToolKey => ({
  integration,
  owner,
  connection,
  tool: name,
})

/** A credential's key in the vault. For `user` owners the user is part of it, so that nobody opens another's. */
export const integrationSecretRef = (slug: string): string => `integration:${slug}`
export const connectionSecretRef = (scope: Scope, ref: ConnectionRef): string =>
  `connection:${ref.integration}:${ref.owner}:${ref.owner === "user" ? scope.user : ""}:${ref.connection}`
