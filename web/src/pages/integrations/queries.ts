// What the pages about integrations ask the API, and what they change.
import { queryOptions } from "@tanstack/react-query"
import type { ConnectionView, IntegrationAdd, IntegrationView } from "toolplane/client"
import { client } from "../../api/client.ts"
import { queryClient } from "../../api/query.ts"

export const integrationsQuery = queryOptions({
  queryKey: ["integrations", "list"],
  queryFn: async () => (await client.integrations.list()).items,
})

export const integrationQuery = (slug: string) =>
  queryOptions({ queryKey: ["integrations", "one", slug], queryFn: () => client.integrations.get(slug) })

export const connectionsQuery = (integration?: string) =>
  queryOptions({
    queryKey: ["connections", "list", integration ?? null],
    queryFn: async () => (await client.connections.list(integration === undefined ? {} : { integration })).items,
  })

export const presetsQuery = queryOptions({
  queryKey: ["presets"],
  queryFn: async () => (await client.presets.list()).items,
  staleTime: Number.POSITIVE_INFINITY,
})

/** After integrations, connections or their tools changed here. */
export const refreshCatalog = (): Promise<unknown> =>
  Promise.all(["integrations", "connections", "tools"].map((noun) => queryClient.invalidateQueries({ queryKey: [noun] })))

export type Added = { readonly integration: IntegrationView; readonly connection: ConnectionView | null }

/** Adds it, and connects it where that needs no credentials. */
export async function addIntegration(input: IntegrationAdd, isOpen: boolean | null): Promise<Added> {
  const integration = await client.integrations.add(input)
  const { auth } = integration.facts
  const needsNothing = isOpen ?? (auth.length === 0 || auth.some(({ template }) => template === "none"))
  try {
    const connection = needsNothing ? await client.connections.create({ integration: integration.slug, auth: { template: "none" } }) : null
    return { integration, connection }
  } finally {
    await refreshCatalog()
  }
}

export const counted = (count: number, noun: string): string => `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`
