// What waits for the person who is signed in: how many approvals, and which.
import { queryOptions } from "@tanstack/react-query"
import { client } from "./client.ts"

const countMax = 100

export type Waiting = { readonly count: number; readonly isMore: boolean; readonly ids: readonly string[] }

export const waitingQuery = queryOptions({
  queryKey: ["approvals", "waiting"],
  queryFn: async (): Promise<Waiting> => {
    const { items, nextCursor } = await client.approvals.list({ limit: countMax })
    return { count: items.length, isMore: nextCursor !== null, ids: items.map(({ approvalId }) => approvalId) }
  },
})
