// The catalog as pages ask for it: integrations, connections and presets, and what changes them.
import { queryOptions } from "@tanstack/react-query"
import type { ConnectionKey, ConnectionView, IntegrationAdd, IntegrationView } from "toolplane/client"
import { allPages } from "./all-pages.ts"
import { client } from "./client.ts"
import { connectionPath } from "./connection-path.ts"
import { queryClient } from "./query.ts"

export const integrationsQuery = queryOptions({
  queryKey: ["integrations", "list"],
  queryFn: () => allPages((page) => client.integrations.list(page)),
})

export const integrationQuery = (slug: string) =>
  queryOptions({ queryKey: ["integrations", "one", slug], queryFn: () => client.integrations.get(slug) })

export const connectionsQuery = (integration?: string) =>
  queryOptions({
    queryKey: ["connections", "list", integration ?? null],
    queryFn: () => allPages((page) => client.connections.list({ ...page, ...(integration === undefined ? {} : { integration }) })),
  })

export const presetsQuery = queryOptions({
  queryKey: ["presets"],
  queryFn: () => allPages((page) => client.presets.list(page)),
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

export const connectionQuery = (key: ConnectionKey) =>
  queryOptions({ queryKey: ["connections", "one", connectionPath(key)], queryFn: () => client.connections.get(key) })
