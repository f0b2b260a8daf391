// What the pages about agents ask the API for.
import { queryOptions } from "@tanstack/react-query"
import { ExecutorError } from "toolplane/client"
import type { ExecutionSummary } from "toolplane/client"
import { allPages } from "../../api/all-pages.ts"
import { client } from "../../api/client.ts"

const pageSize = 100
const dayMs = 86_400_000

export const agentsQuery = queryOptions({
  queryKey: ["agents", "list"],
  queryFn: () => allPages((page) => client.agents.list(page)),
})

/** Null: there is none, or not for this person. */
export const agentQuery = (slug: string) =>
  queryOptions({
    queryKey: ["agents", "one", slug],
    queryFn: () =>
      client.agents.get(slug).catch((error: unknown) => {
        if (error instanceof ExecutorError && error.code === "not_found") return null
        throw error
      }),
  })

export const agentVersionsQuery = (id: string) =>
  queryOptions({ queryKey: ["agents", "versions", id], queryFn: () => client.agents.versions(id, { limit: pageSize }) })

/** For whoever makes agents. */
export const providersQuery = queryOptions({
  queryKey: ["models", "providers"],
  queryFn: () => allPages((page) => client.models.providers.list(page)),
})

/** How the server begins the text of an agent's run. */
const runOf = /^Agent ([A-Za-z0-9_-]+), version /

const slugOfRun = ({ program, code }: ExecutionSummary): string | null => (program === "agent" ? (runOf.exec(code)?.[1] ?? null) : null)

type RunCounts = {
  readonly of: (slug: string) => number
  /** There are more runs than were counted. */
  readonly isMore: boolean
}

/** Runs of the last 30 days that the reader may see. */
export const runCountsQuery = queryOptions({
  queryKey: ["executions", "agents"],
  queryFn: async () => {
    const since = new Date(Date.now() - 30 * dayMs).toISOString()
    return client.executions.list({ query: "agent ", since, parentId: "any", limit: pageSize })
  },
  select: ({ items, nextCursor }): RunCounts => {
    const counts = Map.groupBy(items, slugOfRun)
    return { of: (slug) => counts.get(slug)?.length ?? 0, isMore: nextCursor !== null }
  },
  staleTime: 60_000,
})

const runsShown = 10

/** Its latest runs, also those that other agents called. */
export const runsQuery = (slug: string) =>
  queryOptions({
    queryKey: ["executions", "agents", slug],
    queryFn: () => client.executions.list({ query: `agent ${slug}, version`, parentId: "any", limit: runsShown }),
    select: ({ items }): readonly ExecutionSummary[] => items.filter((item) => slugOfRun(item) === slug),
  })
