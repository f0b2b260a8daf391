// Reads an integration's row: its view for users, and its config with secrets for its source.
import { ExecutorError } from "../../core/errors.ts"
import { warningsWithoutTools } from "../../core/integration.ts"
import type { IntegrationView, SourceFacts } from "../../core/integration.ts"
import { hasRight } from "../../core/principal.ts"
import type { Principal, Scope } from "../../core/principal.ts"
import { currentAccess } from "../../identity/access.ts"
import { allConnections } from "../../store/all-rows.ts"
import { formsOf } from "../../credentials/redact.ts"
import { resolveEnv } from "../../credentials/env/reference.ts"
import type { SecretValues } from "../../credentials/vault.ts"
import type { Outbound } from "../../io/network/outbound.ts"
import type { SourceAdapter } from "../../sources/source-adapter.ts"
import { integrationSecretRef } from "../../store/store.ts"
import type { ChooseNames, IntegrationRow, Store } from "../../store/store.ts"
import { namesNear } from "../../search/search.ts"
import { adapterFor } from "../source-adapters.ts"
import type { CatalogParts } from "../catalog-parts.ts"
import { listedFor } from "../listed.ts"
import { restoreSecrets, secretTexts } from "./config-secrets.ts"

/** The facts as stored: with the origins that an admin wrote into the config, which the network then allows. */
export type StoredFacts = SourceFacts & { readonly literalUrls: readonly string[] }

/** An integration with its secrets in place, ready for its source. */
export type OpenIntegration = {
  readonly scope: Scope
  readonly row: IntegrationRow
  readonly adapter: SourceAdapter
  readonly config: unknown
  /** A document that is not stored yet. */
  readonly document: string | null
  readonly outbound: Outbound
  readonly secrets: readonly string[]
}

export async function getIntegration(principal: Principal, slug: string, parts: CatalogParts): Promise<IntegrationRow> {
  const row = await parts.store.integrations.get(principal, slug)
  if (row === null || !(await listedFor(principal, parts)).integration(slug)) throw await unknownIntegration(principal, slug, parts)
  return row
}

/** With the slugs that might have been meant. */
export async function unknownIntegration(principal: Principal, slug: string, parts: CatalogParts): Promise<ExecutorError> {
  const rows = await parts.store.integrations.list(principal, { after: null, limit: parts.limits.pageSizeMax })
  const listed = await listedFor(principal, parts)
  const slugs = rows.map((row) => row.slug).filter(listed.integration)
  const near = namesNear(slug, slugs, slugCharsMax).toSorted((one, other) => one.distance - other.distance)
  const suggestions = near.slice(0, suggestionsMax).flatMap(({ tool }) => slugs[tool] ?? [])
  return new ExecutorError(
    "not_found",
    `There is no integration '${slug.slice(0, 80)}'`,
    suggestions.length === 0 ? undefined : { suggestions },
  )
}

const suggestionsMax = 5
const slugCharsMax = 63

// Rows are kept by the resolver for as long as they are true, so what is parsed of one is kept with it.
const factsOf = new WeakMap<IntegrationRow, StoredFacts>()
const outboundOf = new WeakMap<IntegrationRow, Outbound>()

export function readFacts(row: IntegrationRow): StoredFacts {
  const facts = factsOf.get(row) ?? (JSON.parse(row.facts) as StoredFacts) // written by `writeFacts`
  factsOf.set(row, facts)
  return facts
}
export const writeFacts = (facts: StoredFacts): string => JSON.stringify(facts)

/** The config as users see it: secrets masked, and nothing that was not said. */
export const readConfig = (row: IntegrationRow): Record<string, unknown> => JSON.parse(row.config) as Record<string, unknown> // an adapter's config is an object

export function viewIntegration(row: IntegrationRow): IntegrationView {
  const { literalUrls: _, ...facts } = readFacts(row)
  const said = Object.entries(readConfig(row)).filter(([, value]) => !isEmpty(value))
  return {
    slug: row.slug,
    kind: row.kind,
    name: row.name,
    description: row.description,
    config: Object.fromEntries(said),
    documentHash: row.documentHash,
    configRevisedAt: row.configRevisedAt,
    createdAt: row.createdAt,
    facts,
  }
}

/** To whoever does not manage it nothing tells of tools that are not for them. */
export async function viewIntegrationFor(principal: Principal, row: IntegrationRow, parts: CatalogParts): Promise<IntegrationView> {
  const view = viewIntegration(row)
  const { principal: current, reach, choose } = await currentAccess(principal, parts)
  if (choose === null || reach.coverage(row.slug) === "all" || hasRight(current, "connections.org")) return view
  const connections = row.toolSetId === null ? await allConnections(principal, { integration: row.slug }, parts.store) : []
  const included = new Set<string>()
  for (const id of new Set([row, ...connections].map(({ toolSetId }) => toolSetId)))
    if (id !== null) for (const name of await includedNames(principal, row.slug, id, choose, parts.store)) included.add(name)
  const warnings = warningsWithoutTools(view.facts.warnings)
  // It can name what is hidden, and the programs and hosts behind it; where calls are sent and how to connect is in the facts.
  return { ...view, config: {}, facts: { ...view.facts, warnings, toolCount: included.size } }
}

/** What roles and token include of a tool set. */
export async function includedNames(
  scope: Scope,
  integration: string,
  toolSetId: string,
  choose: ChooseNames,
  { toolSets }: Store,
): Promise<readonly string[]> {
  const names = await toolSets.names(scope, toolSetId)
  const chosen = await choose({ integration, toolSetId }, names)
  return chosen === null ? names : Array.from(chosen, (position) => names[position] ?? "")
}

/** Who owns its tools: the plugin that an integration was made of, otherwise its kind of source. */
export function pluginIdOf(row: IntegrationRow): string {
  const id = row.kind === "plugin" ? readConfig(row)["plugin"] : null
  return typeof id === "string" ? id : row.kind
}

export async function openIntegration(scope: Scope, row: IntegrationRow, parts: CatalogParts): Promise<OpenIntegration> {
  const stored = await storedSecrets(scope, row, parts)
  const outbound = outboundOf.get(row) ?? parts.network.outbound({ literalUrls: readFacts(row).literalUrls })
  outboundOf.set(row, outbound)
  return { scope, row, adapter: adapterFor(row.kind, parts), outbound, document: null, ...openConfig(readConfig(row), stored, parts) }
}

/** The values as they were given: references to the environment stay references. */
export async function storedSecrets(scope: Scope, row: IntegrationRow, parts: CatalogParts): Promise<SecretValues> {
  if (!row.config.includes("***")) return {}
  return (await parts.vaultOn(parts.store).open(scope, integrationSecretRef(row.slug))) ?? {}
}

/** The config with its secrets in place and `${env:NAME}` references resolved. */
export function openConfig(
  shown: Record<string, unknown>,
  stored: SecretValues,
  parts: CatalogParts,
): { config: unknown; secrets: string[] } {
  const secrets = Object.fromEntries(Object.entries(stored).map(([path, text]) => [path, resolveEnv(text, parts.env)]))
  return { config: restoreSecrets(shown, secrets), secrets: secretTexts(secrets).flatMap(formsOf) }
}

const isEmpty = (value: unknown): boolean =>
  value === null ||
  (Array.isArray(value) && value.length === 0) ||
  (typeof value === "object" && value !== null && Object.keys(value).length === 0)
