// Adds an integration: reads its source once, and stores nothing unless that succeeds.
import { IntegrationSlug, ownedSlugs } from "../../core/address.ts"
import { ExecutorError } from "../../core/errors.ts"
import type { IntegrationAdd, IntegrationView, SourceFacts } from "../../core/integration.ts"
import { requireRight } from "../../core/principal.ts"
import type { Principal, Scope } from "../../core/principal.ts"
import { checkEnvReferences } from "../../credentials/env/reference.ts"
import type { SecretValues } from "../../credentials/vault.ts"
import type { ParsedConfig, SourceAdapter } from "../../sources/source-adapter.ts"
import { integrationSecretRef } from "../../store/store.ts"
import type { IntegrationRow, Store } from "../../store/store.ts"
import { adapterFor } from "../source-adapters.ts"
import type { CatalogParts } from "../catalog-parts.ts"
import type { StaticTools } from "../static-tool.ts"
import { adminOrigins, requireAdminConfig } from "./admin-text.ts"
import { withDocumentText } from "./config-document.ts"
import { hideSecrets, refuseMasks } from "./config-secrets.ts"
import { openConfig, viewIntegration, writeFacts } from "./integration.ts"
import type { OpenIntegration } from "./integration.ts"
import { noConnection, readSource } from "./source-read.ts"
import { writeSyncedTools } from "./tools-write.ts"

export async function addIntegration(principal: Principal, input: IntegrationAdd, parts: AddParts): Promise<IntegrationView> {
  requireRight(principal, "connections.org", "add an integration")
  const slug = IntegrationSlug.make(input.slug)
  if (ownedSlugs.includes(slug)) throw new ExecutorError("invalid_request", `Integration slug '${slug}' is reserved; choose another slug`)
  if (parts.staticTools.list().some((tool) => tool.fqid.startsWith(`${slug}.`)))
    throw new ExecutorError("conflict", `A plugin already uses the slug '${slug}'; choose another slug`)
  if ((await parts.store.integrations.get(principal, slug)) !== null) throw taken(slug)
  const draft = await draftIntegration(principal, slug, input.kind, input.config, parts)
  const { toolsPer, isReadOnAdd } = draft.open.adapter
  const synced = toolsPer === "integration" || isReadOnAdd ? await readSource(draft.open, "upstream", noConnection, parts) : null
  const facts = synced?.listed.facts
  const named = {
    ...draft.open.row,
    name: input.name ?? (facts?.title || slug),
    description: input.description ?? firstLine(facts?.description ?? ""),
  }
  return parts.store.transaction(async (store) => {
    if ((await store.integrations.get(principal, slug)) !== null) throw taken(slug)
    await putSecrets(principal, slug, draft.secrets, store, parts)
    const document = draft.document === null ? null : await store.documents.put(principal, draft.document)
    const row = { ...named, documentHash: document }
    if (synced !== null) return viewIntegration(await writeSyncedTools(principal, row, { ...synced, toolsPer }, store))
    await store.integrations.put(principal, row)
    return viewIntegration(row)
  })
}

export type AddParts = CatalogParts & { readonly staticTools: StaticTools }

/** An integration that is not stored yet, in the form in which its source can be read. */
export type Draft = { readonly open: OpenIntegration; readonly secrets: SecretValues; readonly document: string | null }

export async function draftIntegration(
  principal: Principal,
  slug: IntegrationSlug,
  kind: string,
  config: unknown,
  parts: CatalogParts,
): Promise<Draft> {
  const adapter = adapterFor(kind, parts)
  const parsed = await adapter.parseConfig(await withDocumentText(config, adapter.documentField))
  const { shown, secrets } = hideConfig(parsed, parts)
  requireAdminConfig(principal, parsed.config, parsed.urls, Object.values(secrets))
  const now = parts.clock.now().toISOString()
  const origins = literalOrigins(parsed)
  const literalUrls = adminOrigins(principal, origins)
  const row: IntegrationRow = {
    slug,
    kind: adapter.kind,
    name: slug,
    description: "",
    config: JSON.stringify(shown),
    configRevisedAt: now,
    documentHash: null,
    toolSetId: null,
    toolSetSyncedAt: null,
    facts: writeFacts({ ...noFacts, ...statedOrigins(adapter, origins), literalUrls }),
    createdAt: now,
  }
  const opened = openConfig(shown, secrets, parts)
  const open = { scope: principal, row, adapter, outbound: parts.network.outbound({ literalUrls }), document: parsed.document, ...opened }
  return { open, secrets, document: parsed.document }
}

export function hideConfig(parsed: ParsedConfig<unknown>, parts: CatalogParts): ReturnType<typeof hideSecrets> {
  const config = parsed.config as Record<string, unknown> // every adapter's config is a plain object
  refuseMasks(config)
  const hidden = hideSecrets(config)
  for (const text of Object.values(hidden.secrets)) checkEnvReferences(text, parts.env)
  return hidden
}

/** Where tools are per connection, only the config says beforehand where calls will go. */
export const statedOrigins = ({ toolsPer }: SourceAdapter, origins: readonly string[]): Partial<SourceFacts> =>
  toolsPer === "connection" ? { origins } : {}

/** Only where to, never with which user or query. */
export const literalOrigins = (parsed: ParsedConfig<unknown>): string[] => [
  ...new Set(parsed.urls.filter((url) => URL.canParse(url)).map((url) => new URL(url).origin)),
]

export async function putSecrets(scope: Scope, slug: string, secrets: SecretValues, store: Store, parts: CatalogParts): Promise<void> {
  const vault = parts.vaultOn(store)
  const ref = integrationSecretRef(slug)
  await (Object.keys(secrets).length === 0 ? vault.drop(scope, ref) : vault.put(scope, ref, secrets))
}

const noFacts: SourceFacts = { title: "", version: "", description: "", origins: [], auth: [], warnings: [], toolCount: 0 }

const taken = (slug: string): ExecutorError =>
  new ExecutorError("conflict", `The integration '${slug}' already exists; choose another slug, or change that one`)

const firstLine = (text: string): string => text.trim().split("\n", 1)[0]?.slice(0, 300) ?? ""
