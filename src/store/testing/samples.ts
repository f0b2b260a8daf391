// Rows for tests of the store: valid, small, and changed where a test needs it.
import { ConnectionName, IntegrationSlug, ToolName } from "../../core/address.ts"
import type { ConnectionRef, Owner } from "../../core/address.ts"
import type { Scope } from "../../core/principal.ts"
import { newId } from "../../io/ids.ts"
import type { BrowserSessionRow, InvitationRow } from "../session-store.ts"
import type {
  ConnectionRow,
  IntegrationRow,
  PolicyRow,
  RoleRow,
  Store,
  TokenRow,
  ToolKey,
  ToolSetWrite,
  ToolWrite,
  UserRow,
} from "../store.ts"

const someTime = "2026-11-01T12:00:00.000Z"

/** A tenant of its own for each test. */
export const newScope = (user = "alice"): Scope => ({ tenant: newId("tenant"), user })

export const ensureUser = (store: Store, scope: Scope): Promise<void> =>
  store.tenants.ensure({ tenant: scope.tenant, id: scope.user, name: scope.user, roles: ["admin"] })

export const userRow = (scope: Scope, change: Partial<UserRow> = {}): UserRow => ({
  tenant: scope.tenant,
  id: scope.user,
  name: scope.user,
  email: null,
  status: "active",
  isService: false,
  source: "local",
  roles: [],
  createdAt: someTime,
  lastSeenAt: null,
  ...change,
})

export const roleRow = (change: Partial<RoleRow> = {}): RoleRow => ({
  id: "developer",
  name: "Developer",
  description: "",
  patterns: ["github.**"],
  rights: [],
  createdAt: someTime,
  ...change,
})

export const tokenRow = (scope: Scope, change: Partial<TokenRow> = {}): TokenRow => ({
  tenant: scope.tenant,
  user: scope.user,
  id: newId("tok"),
  hash: newId("hash"),
  name: "laptop",
  kind: "human",
  elicitation: '["browser"]',
  createdAt: someTime,
  patterns: null,
  expiresAt: null,
  createdBy: null,
  client: null,
  surface: null,
  debug: false,
  ...change,
})

export const sessionRow = (scope: Scope, change: Partial<BrowserSessionRow> = {}): BrowserSessionRow => ({
  ...scope,
  id: newId("ses"),
  kind: "session",
  hash: newId("hash"),
  keyHash: newId("hash"),
  createdAt: someTime,
  expiresAt: "2026-12-08T12:00:00.000Z",
  lastSeenAt: someTime,
  method: "passkey",
  address: "203.0.113.0/24",
  userAgent: "Mozilla/5.0",
  ...change,
})

export const invitationRow = (scope: Scope, change: Partial<InvitationRow> = {}): InvitationRow => ({
  tenant: scope.tenant,
  id: newId("inv"),
  hash: newId("hash"),
  user: scope.user,
  email: "anna@example.com",
  roles: ["developer"],
  invitedBy: "alice",
  createdAt: someTime,
  expiresAt: "2026-11-08T12:00:00.000Z",
  acceptedAt: null,
  ...change,
})

export const integrationRow = (slug: string, change: Partial<IntegrationRow> = {}): IntegrationRow => ({
  slug: IntegrationSlug.make(slug),
  kind: "openapi",
  name: slug,
  description: `All of ${slug}`,
  config: '{"spec":"https://example.com"}',
  configRevisedAt: someTime,
  documentHash: null,
  toolSetId: null,
  toolSetSyncedAt: null,
  facts: "{}",
  createdAt: someTime,
  ...change,
})

export const connectionRow = (integration: string, owner: Owner, name: string, change: Partial<ConnectionRow> = {}): ConnectionRow => ({
  integration: IntegrationSlug.make(integration),
  owner,
  name: ConnectionName.make(name),
  template: "bearer",
  placements: '[{"in":"header","name":"authorization","value":"Bearer ${token}"}]',
  bound: '["token"]',
  origins: '["https://example.com"]',
  status: "ready",
  error: null,
  toolSetId: null,
  toolsSyncedAt: null,
  changedTools: "[]",
  createdAt: someTime,
  ...change,
})

export const connectionRef = (integration: string, owner: Owner, name: string): ConnectionRef => ({
  integration: IntegrationSlug.make(integration),
  owner,
  connection: ConnectionName.make(name),
})

export const toolKey = (integration: string, owner: Owner, name: string, tool: string): ToolKey => ({
  ...connectionRef(integration, owner, name),
  tool: ToolName.make(tool),
})

export const toolWrite = (name: string, change: Partial<ToolWrite> = {}): ToolWrite => ({
  name: ToolName.make(name),
  title: `Title of ${name}`,
  summary: `Summary of ${name}`,
  description: `Description of ${name}`,
  effect: "write",
  requiresApproval: true,
  approvalDescription: "POST /things",
  mayElicit: false,
  deprecated: false,
  tags: ["things", "more"],
  inputSchema: JSON.stringify({ type: "object", title: name }),
  outputSchema: null,
  binding: JSON.stringify({ path: `/${name}` }),
  ...change,
})

/** Of the sets below, each of which has this definition unless it was told otherwise. */
export const hasToolSet = async (store: Store, scope: Scope, id: string): Promise<boolean> =>
  (await store.toolSets.definitions(scope, id, ["D"])).size > 0

export const toolSet = (id: string, names: readonly string[], definitions: Record<string, string> = { D: "{}" }): ToolSetWrite => ({
  id,
  tools: names.map((name) => toolWrite(name)),
  definitions: new Map(Object.entries(definitions)),
})

export const policyRow = (owner: Owner, change: Partial<PolicyRow> = {}): PolicyRow => ({
  id: newId("pol"),
  owner,
  pattern: "github.**",
  action: "block",
  when: "[]",
  position: 1,
  role: null,
  by: null,
  createdAt: someTime,
  ...change,
})

/** An integration with one connection that has the set's tools. */
export async function connect(store: Store, scope: Scope, integration: string, owner: Owner, set: ToolSetWrite): Promise<void> {
  await store.transaction(async (transaction) => {
    await transaction.toolSets.put(scope, set)
    await transaction.integrations.put(scope, integrationRow(integration))
    await transaction.connections.put(scope, connectionRow(integration, owner, "main", { toolSetId: set.id }))
  })
}
