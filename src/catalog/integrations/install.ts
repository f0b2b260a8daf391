// Installs an integration that comes with the product itself, such as a plugin, without anyone adding it.
import { IntegrationSlug } from "../../core/address.ts"
import { ExecutorError } from "../../core/errors.ts"
import type { SourceKind } from "../../core/integration.ts"
import type { Scope } from "../../core/principal.ts"
import type { IntegrationRow } from "../../store/store.ts"
import { adapterFor } from "../source-adapters.ts"
import type { CatalogParts } from "../catalog-parts.ts"
import type { OpenIntegration } from "./integration.ts"
import { readFacts, writeFacts } from "./integration.ts"
import { revisedAfter } from "./update.ts"
import { noConnection, readSource } from "./source-read.ts"
import { writeSyncedTools } from "./tools-write.ts"

export type Installation = {
  readonly slug: string
  readonly kind: SourceKind
  /** Whatever changes it makes its connections sync their tools again. */
  readonly config: Record<string, unknown>
}

/** Does nothing where it is installed as it is; names that an admin has changed stay. */
export async function installIntegration(scope: Scope, installation: Installation, parts: CatalogParts): Promise<void> {
  const slug = IntegrationSlug.make(installation.slug)
  const before = await parts.store.integrations.get(scope, slug)
  if (before !== null && before.kind !== installation.kind) throw slugTaken(before)
  const config = JSON.stringify(installation.config)
  if (before !== null && before.config === config) return
  const row = draftRow(slug, installation, config, before, parts)
  const open: OpenIntegration = {
    scope,
    row,
    adapter: adapterFor(installation.kind, parts),
    config: installation.config,
    document: null,
    outbound: parts.network.outbound({ literalUrls: [] }),
    secrets: [],
  }
  const synced = await readSource(open, "upstream", noConnection, parts)
  const { title, description } = synced.listed.facts
  const isNamed = before !== null && before.name !== readFacts(before).title
  const isDescribed = before !== null && before.description !== readFacts(before).description
  const named = { ...row, name: isNamed ? before.name : title, description: isDescribed ? before.description : description }
  await parts.store.transaction((store) => writeSyncedTools(scope, named, { ...synced, toolsPer: "integration" }, store))
}

export const slugTaken = (row: Pick<IntegrationRow, "slug" | "kind">): ExecutorError =>
  new ExecutorError(
    "conflict",
    `A plugin uses the slug '${row.slug}', but an integration of kind ${row.kind} already has it: remove the integration, or give the plugin another id`,
  )

function draftRow(
  slug: IntegrationSlug,
  { kind }: Installation,
  config: string,
  before: IntegrationRow | null,
  { clock }: CatalogParts,
): IntegrationRow {
  const configRevisedAt = before === null ? clock.now().toISOString() : revisedAfter(clock.now(), before)
  if (before !== null) return { ...before, config, configRevisedAt }
  const facts = { title: "", version: "", description: "", origins: [], auth: [], warnings: [], toolCount: 0, literalUrls: [] }
  return {
    slug,
    kind,
    name: slug,
    description: "",
    config,
    configRevisedAt,
    documentHash: null,
    toolSetId: null,
    toolSetSyncedAt: null,
    facts: writeFacts(facts),
    createdAt: configRevisedAt,
  }
}
