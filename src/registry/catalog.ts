// Keeps the tools that production resolves in the catalog.
import { ownRows, publishOwnTools } from "../catalog/integrations/own-integration.ts"
import type { CatalogChanges, OwnIntegration } from "../catalog/integrations/own-integration.ts"
import { ToolName } from "../core/address.ts"
import type { Scope } from "../core/principal.ts"
import type { RegistryBinding } from "../core/registry/binding.ts"
import { registrySlug } from "../core/registry/tool.ts"
import type { ToolNotice } from "../core/result.ts"
import type { RegistryToolRow } from "../store/registry-store.ts"
import type { Store, ToolWrite } from "../store/store.ts"
import { typeOf } from "./definition.ts"
import type { Snapshot } from "./definition.ts"
import { factsOf } from "./facts.ts"
import type { RegistryParts } from "./parts.ts"

const registryIntegration: OwnIntegration = {
  slug: registrySlug,
  kind: "registry",
  name: "Registry",
  description: "Tools that were made here.",
}

/** To be called inside a transaction. */
export const publishToCatalog = (scope: Scope, changes: CatalogChanges, store: Store, now: Date): Promise<void> =>
  publishOwnTools(scope, registryIntegration, changes, store, now)

/** The rows of tools that were never published. */
export const registryRows = (at: string): ReturnType<typeof ownRows> => ownRows(registryIntegration, at)

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
