// Shows registry tools in the list of all tools: their working copies to whoever edits, what production runs to others.
//
// A list of many tools must not cost more than one of imported ones: what the registry adds to a page is kept while the
// store's revision stands.
import type { MadeTool, RegistryListing } from "../../catalog/tools/registry-listing.ts"
import { ConnectionName, IntegrationSlug, ToolName } from "../../core/address.ts"
import type { ConfigSchema, ToolDefinition } from "../../core/registry/tool.ts"
import { registrySlug } from "../../core/registry/tool.ts"
import { getToolBucket } from "../../core/tool-types.ts"
import type { Scope } from "../../core/principal.ts"
import type { RegistryRowFilter, RegistryToolRow } from "../../store/registry-store.ts"
import { createRevisionCache } from "../../store/revision-cache.ts"
import type { After, Store, ToolListRow } from "../../store/store.ts"
import { mayElicit } from "../catalog.ts"
import { readSnapshot, typeOf } from "../definition.ts"
import { factsOf } from "../facts.ts"
import type { RegistryParts } from "../parts.ts"
import { showConfig } from "../views.ts"

type Content = Omit<ToolDefinition, "schema">

const ref = { integration: IntegrationSlug.make(registrySlug), owner: "org", connection: ConnectionName.make("main") } as const

export function createRegistryListing(parts: Pick<RegistryParts, "store" | "functions" | "staticTools">): RegistryListing {
  const { store } = parts
  const copies = createRevisionCache<ListedCopy[]>(store, pagesMax)
  const published = createRevisionCache<ReadonlyMap<string, MadeTool>>(store, pagesMax)
  return {
    page: (scope, filter, page) => copies(JSON.stringify([scope.tenant, filter, page]), () => readPage(scope, filter, page, parts)),
    published: (scope, slugs) => published(JSON.stringify([scope.tenant, slugs]), () => readPublished(scope, slugs, store)),
  }
}

/** A page has at most some thousands of tools. */
const pagesMax = 40

type ListedCopy = MadeTool & { readonly row: ToolListRow }

async function readPage(
  scope: Scope,
  filter: RegistryRowFilter,
  page: After<string>,
  parts: Pick<RegistryParts, "store" | "functions" | "staticTools">,
): Promise<ListedCopy[]> {
  const rows = await parts.store.registryTools.list(scope, filter, page)
  return rows.map((tool) => {
    const content = contentOf(tool)
    return { row: toListRow(tool, content, parts), ...toMade(tool, content), version: tool.version }
  })
}

async function readPublished(scope: Scope, slugs: readonly string[], store: Store): Promise<Map<string, MadeTool>> {
  const rows = await store.registryTools.list(scope, { slugs }, { after: null, limit: slugs.length })
  const edited = rows.filter(hasChanges).map(({ id }) => id)
  const versions = edited.length === 0 ? [] : await store.toolVersions.published(scope, edited)
  const snapshots = new Map(versions.map((version) => [version.toolId, readSnapshot(version)]))
  return new Map(
    rows.map((tool): [string, MadeTool] => {
      const { made, ...types } = toMade(tool, snapshots.get(tool.id) ?? contentOf(tool))
      return [tool.slug, { ...types, version: tool.publishedVersion ?? tool.version, made: { ...made, hasUnpublishedChanges: false } }]
    }),
  )
}

const hasChanges = ({ contentHash, publishedHash }: RegistryToolRow): boolean => contentHash !== publishedHash

/** Schemas are not listed, and parsing those of many tools would take longer than everything else. */
const contentOf = (tool: RegistryToolRow): Content => ({
  name: tool.name,
  description: tool.description,
  configSchema: JSON.parse(tool.configSchema) as ConfigSchema, // written by this folder alone
  implementationType: tool.implementationType,
  artifactId: tool.artifactId,
  artifactVersion: tool.artifactVersion,
})

function toMade(tool: RegistryToolRow, content: Content): Omit<MadeTool, "version"> {
  const { artifactId, artifactVersion } = content
  const { isSystem, builtinKey } = tool
  const implementationType = typeOf(content)
  return {
    toolType: getToolBucket({ isSystem, builtinKey, implementationType, artifactId, configSchema: content.configSchema }),
    implementationType,
    status: tool.status,
    made: {
      id: tool.id,
      slug: tool.slug,
      scope: "tenant",
      configSchema: showConfig(content.configSchema),
      isActive: tool.isActive,
      isSystem,
      builtinKey,
      artifactId,
      artifactVersion,
      publishedAt: tool.publishedAt,
      hasUnpublishedChanges: hasChanges(tool),
    },
  }
}

const toListRow = (tool: RegistryToolRow, content: Content, parts: Parameters<typeof factsOf>[1]): ToolListRow => ({
  ...ref,
  kind: registrySlug,
  name: ToolName.make(tool.slug),
  title: content.name,
  summary: "",
  description: content.description,
  ...factsOf(content, parts),
  mayElicit: mayElicit(typeOf(content)),
  deprecated: tool.status === "deprecated",
  tags: [],
  isChanged: false,
})
