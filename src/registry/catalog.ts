// Keeps the tools that production resolves in the catalog: one hidden integration with one connection per tenant.
//
// What is published changes the tool set of both rows in the caller's transaction, so that a reader sees the lifecycle
// and the catalog as one. A set never changes: the next one is derived from it, and its id from its history.
import { ConnectionName, IntegrationSlug, ToolName } from "../core/address.ts"
import { ExecutorError } from "../core/errors.ts"
import type { Scope } from "../core/principal.ts"
import type { RegistryBinding } from "../core/registry/binding.ts"
import { registrySlug } from "../core/registry/tool.ts"
import type { ToolNotice } from "../core/result.ts"
import { sha256 } from "../io/ids.ts"
import type { RegistryToolRow } from "../store/registry-store.ts"
import type { ConnectionRow, IntegrationRow, Store, ToolWrite } from "../store/store.ts"
import { writeFacts } from "../catalog/integrations/integration.ts"
import { typeOf } from "./definition.ts"
import type { Snapshot } from "./definition.ts"
import { factsOf } from "./facts.ts"
import type { RegistryParts } from "./parts.ts"

export type CatalogChanges = { readonly put: readonly ToolWrite[]; readonly drop: readonly string[] }

const slug = IntegrationSlug.make(registrySlug)
const connection = ConnectionName.make("main")
const ref = { integration: slug, owner: "org", connection } as const

/** To be called inside a transaction. */
export async function publishToCatalog(scope: Scope, { put, drop }: CatalogChanges, store: Store, now: Date): Promise<void> {
  const integration = (await store.integrations.get(scope, slug)) ?? newIntegration(now.toISOString())
  if (integration.kind !== "registry")
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
  await store.connections.put(scope, { ...(before ?? newConnection(integration.configRevisedAt)), toolSetId: id })
  await store.toolSets.collectGarbage(scope)
}

/** Without origins and credentials of its own: every tool has its own. It is never synced, because it is as old as its config. */
const newIntegration = (at: string): IntegrationRow => ({
  slug,
  kind: "registry",
  name: "Registry",
  description: "Tools that were made here.",
  config: "{}",
  configRevisedAt: at,
  documentHash: null,
  toolSetId: null,
  toolSetSyncedAt: at,
  facts: writeFacts({
    title: "Registry",
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

const newConnection = (at: string): ConnectionRow => ({
  integration: slug,
  owner: ref.owner,
  name: connection,
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

/** The rows of tools that were never published. */
export const registryRows = (at: string): { readonly integration: IntegrationRow; readonly connection: ConnectionRow } => ({
  integration: newIntegration(at),
  connection: newConnection(at),
})

/** Whether production resolves it. */
export const isResolved = (row: RegistryToolRow): boolean =>
  row.isActive && row.builtinKey === null && row.publishedVersion !== null && (row.status === "published" || row.status === "deprecated")

/** What it calls may ask. */
export const mayElicit = (type: string): boolean => ["custom", "agent_call", "mcp"].includes(type)

/** What production runs, as the catalog keeps it. `publishedBy`: who made the version. */
export function toCatalogTool(
  row: RegistryToolRow,
  { snapshot, publishedBy }: { readonly snapshot: Snapshot; readonly publishedBy: string },
  parts: Pick<RegistryParts, "functions" | "staticTools">,
): ToolWrite {
  const { name, description, schema, configSchema } = snapshot
  const isDeprecated = row.status === "deprecated"
  const binding: RegistryBinding = {
    toolId: row.id,
    slug: row.slug,
    version: row.publishedVersion ?? row.version,
    type: typeOf(snapshot),
    implementation: configSchema.implementation,
    execution: configSchema.execution,
    artifact: snapshot.artifact,
    literalUrls: snapshot.literalUrls,
    publishedBy,
    writtenBy: snapshot.writtenBy,
    deprecation: isDeprecated ? deprecationNotice(row) : null,
  }
  return {
    name: ToolName.make(row.slug),
    title: name,
    summary: description.split("\n", 1)[0] ?? "",
    description,
    ...factsOf(snapshot, parts),
    mayElicit: mayElicit(binding.type),
    deprecated: isDeprecated,
    tags: [],
    inputSchema: JSON.stringify(schema.input),
    outputSchema: schema.output === undefined ? null : JSON.stringify(schema.output),
    binding: JSON.stringify(binding),
  }
}

const deprecationNotice = ({ slug: own, replacedBy }: RegistryToolRow): ToolNotice =>
  replacedBy === null
    ? { code: "deprecated", message: `The tool ${registrySlug}.${own} is deprecated and may be removed; look for another one` }
    : {
        code: "deprecated",
        message: `The tool ${registrySlug}.${own} is deprecated; use ${registrySlug}.${replacedBy} instead`,
        replacedBy: `${registrySlug}.${replacedBy}`,
      }
