// What the tokens of agents are read from.
import { queryOptions } from "@tanstack/react-query"
import type { TokenView } from "toolplane/client"
import { allPages } from "../../../api/all-pages.ts"
import { client } from "../../../api/client.ts"

/** The newest first. People's own tokens are none of an agent's. */
export const agentTokensQuery = queryOptions({
  queryKey: ["tokens", "agents"],
  queryFn: async (): Promise<readonly TokenView[]> => {
    const tokens = await allPages((page) => client.tokens.list(page))
    return tokens.filter(({ kind }) => kind === "agent").toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1))
  },
})

/** When a token last started an execution; null: not since executions are kept. */
export const lastRunQuery = (id: string) =>
  queryOptions({
    queryKey: ["executions", "of", id],
    queryFn: async () => (await client.executions.list({ principal: id, limit: 1 })).items[0] ?? null,
    staleTime: 60_000,
  })
