// How answers of the API are kept and asked for again.
import { MutationCache, QueryCache, QueryClient, queryOptions } from "@tanstack/react-query"
import type { Query } from "@tanstack/react-query"
import { ExecutorError } from "toolplane/client"
import { client } from "./client.ts"

/** What will not get better by asking again. */
const isFinal = (error: unknown): boolean =>
  error instanceof ExecutorError && error.code !== "upstream_unreachable" && error.code !== "internal"

/** Whatever is refused for want of a session lets the frame ask who is signed in, which says so. */
const onError = (error: unknown): void => {
  if (isSignedOut(error)) void queryClient.invalidateQueries({ queryKey: meKey })
}

/** The frame says that the session is over, or that the server cannot be reached: what a page shows meanwhile stays, with what was typed in it. */
function keepShown(error: unknown, query: Query<unknown, unknown>): void {
  const isTold = isSignedOut(error) || (error instanceof ExecutorError && error.code === "upstream_unreachable")
  if (isTold && query.state.data !== undefined) query.setState({ error: null, status: "success" })
}

const meKey = ["me"] as const

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, query) => {
      if (query.queryKey[0] === meKey[0]) return
      onError(error)
      keepShown(error, query)
    },
  }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: { staleTime: 10_000, retry: (count, error) => count < 2 && !isFinal(error), refetchOnWindowFocus: true },
    mutations: { retry: false },
  },
})

export const meQuery = queryOptions({ queryKey: meKey, queryFn: () => client.me(), staleTime: 60_000 })
export const healthQuery = queryOptions({ queryKey: ["health"], queryFn: () => client.health(), staleTime: 60_000 })

export const isSignedOut = (error: unknown): boolean => error instanceof ExecutorError && error.code === "unauthorized"
