// What the registry's page asks the API for.
import { keepPreviousData, queryOptions } from "@tanstack/react-query"
import type { ToolFilter, ToolView } from "toolplane/client"
import { TOOL_BUCKETS } from "toolplane/tool-types"
import type { ToolBucket } from "toolplane/tool-types"
import type { Filters } from "../../app/search.ts"
import { ExecutorError } from "toolplane/client"
import { allPages } from "../../api/all-pages.ts"
import { client } from "../../api/client.ts"

export type RegistryFilters = Filters<
  "q" | "status" | "bucket" | "subtype" | "integration" | "tool" | "tab" | "new" | "edit" | "from" | "to"
>

export const toolStatuses = ["draft", "published", "deprecated", "disabled"] as const

/** Blocked tools are listed too: whoever looks after the registry must see them. */
export function toToolFilter({ q, status, bucket, subtype, integration }: RegistryFilters): ToolFilter {
  const known = toolStatuses.find((one) => one === status)
  const toolType = TOOL_BUCKETS.find(({ id }) => id === bucket)?.id
  return {
    includeBlocked: true,
    ...(q === undefined ? {} : { query: q }),
    ...(known === undefined ? {} : { status: known }),
    ...(toolType === undefined ? {} : { toolType }),
    ...(subtype === undefined ? {} : { implementationType: subtype }),
    ...(integration === undefined ? {} : { integration }),
  }
}

/** How many tools pass the filters, per bucket; so the bucket itself is not one of them. */
export const countsQuery = ({ toolType: _bucket, ...filter }: ToolFilter) =>
  queryOptions({
    queryKey: ["tools", "summary", filter],
    queryFn: () => client.tools.summary(filter),
    placeholderData: keepPreviousData,
  })

export const totalIn = (
  counts: { readonly total: number; readonly buckets: Readonly<Record<ToolBucket, number>> },
  bucket: ToolBucket | undefined,
): number => (bucket === undefined ? counts.total : counts.buckets[bucket])

/** For a filter: the integrations with their names, and those of Executor itself. */
export const integrationsQuery = queryOptions({
  queryKey: ["integrations", "names"],
  queryFn: async () => {
    const items = await allPages((page) => client.integrations.list(page))
    return [
      ...items.map(({ slug, name }): readonly [string, string] => [slug, name === slug ? slug : `${name} (${slug})`]),
      ["registry", "Made here (registry)"] as const,
      ["builtin", "Built-ins (builtin)"] as const,
    ]
  },
})

/** One tool by its address or, of those that were made here, by its id. Null: there is none, or not for this person. */
export const toolQuery = (address: string) =>
  queryOptions({
    queryKey: ["tools", "one", address],
    queryFn: async (): Promise<ToolView | null> => {
      const at = address.startsWith("tool_") ? await addressOfMade(address) : address
      if (at === null) return null
      const { items } = await client.tools.page({ address: at, includeBlocked: true, includeAnnotations: true }, { limit: 2 })
      return items[0] ?? null
    },
  })

async function addressOfMade(id: string): Promise<string | null> {
  try {
    return (await client.registry.get(id)).address
  } catch (error) {
    if (error instanceof ExecutorError && error.code === "not_found") return null
    throw error
  }
}

export const schemaQuery = (address: string) =>
  queryOptions({ queryKey: ["tools", "schema", address], queryFn: () => client.tools.schema(address) })

/** A tool that was made here, as it is edited. */
export const madeQuery = (id: string) => queryOptions({ queryKey: ["tools", "made", id], queryFn: () => client.registry.get(id) })
