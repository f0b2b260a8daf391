// What the tokens of agents are read from.
import { queryOptions } from "@tanstack/react-query"
import type { TokenView } from "toolplane/client"
import { client } from "../../../api/client.ts"

const pageSize = 100
/** More than anybody looks through; the command line lists them all. */
const tokensMax = 500

/** The newest first. People's own tokens are none of an agent's. */
export const agentTokensQuery = queryOptions({
  queryKey: ["tokens", "agents"],
  queryFn: async (): Promise<readonly TokenView[]> => {
    const found: TokenView[] = []
    for (let cursor: string | null = null; ;) {
      const { items, nextCursor } = await client.tokens.list({ limit: pageSize, ...(cursor === null ? {} : { cursor }) })
      found.push(...items.filter(({ kind }) => kind === "agent"))
      if (nextCursor === null || found.length >= tokensMax) return found.toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1))
      cursor = nextCursor
    }
  },
})

/** When a token last started an execution; null: not since executions are kept. */
export const lastRunQuery = (id: string) =>
  queryOptions({
    queryKey: ["executions", "of", id],
    queryFn: async () => (await client.executions.list({ principal: id, limit: 1 })).items[0] ?? null,
    staleTime: 60_000,
  })
