// How many approvals wait for the person who is signed in.
import { queryOptions } from "@tanstack/react-query"
import { client } from "./client.ts"

const countMax = 100

export const waitingQuery = queryOptions({
  queryKey: ["approvals", "waiting"],
  queryFn: async () => {
    const { items, nextCursor } = await client.approvals.list({ limit: countMax })
    return { count: items.length, isMore: nextCursor !== null }
  },
})
