// Keeps tools that are made here in the catalog: a hidden integration with one connection per tenant.
//
// What is published changes the tool set of both rows in the caller's transaction, so that a reader sees the lifecycle
// and the catalog as one. A set never changes: the next one is derived from it, and its id from its history.
import { ConnectionName, IntegrationSlug } from "../../core/address.ts"
import { ExecutorError } from "../../core/errors.ts"
import type { SourceKind } from "../../core/integration.ts"
import type { Scope } from "../../core/principal.ts"
import { sha256 } from "../../io/ids.ts"
import type { ConnectionRow, IntegrationRow, Store, ToolWrite } from "../../store/store.ts"
import { writeFacts } from "./integration.ts"

/** `slug` is one of Executor's own. */
export type OwnIntegration = { readonly slug: string; readonly kind: SourceKind; readonly name: string; readonly description: string }

export type CatalogChanges = { readonly put: readonly ToolWrite[]; readonly drop: readonly string[] }

/** To be called inside a transaction. */
export async function publishOwnTools(
  scope: Scope,
  own: OwnIntegration,
  { put, drop }: CatalogChanges,
  store: Store,
  now: Date,
): Promise<void> {
  const rows = ownRows(own, now.toISOString())
  const { slug } = rows.integration
  const ref = { integration: slug, owner: rows.connection.owner, connection: rows.connection.name }
  const integration = (await store.integrations.get(scope, slug)) ?? rows.integration
  if (integration.kind !== own.kind)
    throw new ExecutorError(
      "conflict",
      `An integration has the slug '${slug}', which is reserved now: remove it with DELETE /integrations/${slug}, add it under another slug, then publish again`,
    )
  const from = integration.toolSetId
  if (from === null && put.length === 0) return
  const id = sha256(JSON.stringify([from, put, drop]))
  await store.toolSets.derive(scope, { id, from, put, drop })
  await store.integrations.put(scope, { ...integration, toolSetId: id })
  const before = await store.connections.get(scope, ref)
  await store.connections.put(scope, { ...(before ?? newConnection(slug, integration.configRevisedAt)), toolSetId: id })
  await store.toolSets.collectGarbage(scope)
}

/** The rows of tools that were never published. */
export const ownRows = (
  { slug: text, kind, name, description }: OwnIntegration,
  at: string,
): { readonly integration: IntegrationRow; readonly connection: ConnectionRow } => {
  const slug = IntegrationSlug.make(text)
  return { integration: newIntegration({ slug, kind, name, description }, at), connection: newConnection(slug, at) }
}

type NewIntegration = Pick<IntegrationRow, "slug" | "kind" | "name" | "description">

/** Without origins and credentials of its own: every tool has its own. It is never synced, because it is as old as its config. */
const newIntegration = (own: NewIntegration, at: string): IntegrationRow => ({
  ...own,
  config: "{}",
  configRevisedAt: at,
  documentHash: null,
  toolSetId: null,
  toolSetSyncedAt: at,
  facts: writeFacts({
    title: own.name,
    version: "",
    description: "",
    origins: [],
    auth: [],
    warnings: [],
    toolCount: 0,
    literalUrls: [],
  }),
  createdAt: at,
})

const newConnection = (slug: IntegrationSlug, at: string): ConnectionRow => ({
  integration: slug,
  owner: "org",
  name: ConnectionName.make("main"),
  template: "none",
  placements: "[]",
  bound: "[]",
  origins: "[]",
  status: "ready",
  error: null,
  toolSetId: null,
  toolsSyncedAt: at,
  changedTools: "[]",
  createdAt: at,
})
