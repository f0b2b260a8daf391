// How answers of the API are kept and asked for again.
import { QueryClient, queryOptions } from "@tanstack/react-query"
import { ExecutorError } from "toolplane/client"
import { client } from "./client.ts"

/** What will not get better by asking again. */
const isFinal = (error: unknown): boolean =>
  error instanceof ExecutorError && error.code !== "upstream_unreachable" && error.code !== "internal"

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 10_000, retry: (count, error) => count < 2 && !isFinal(error), refetchOnWindowFocus: true },
    mutations: { retry: false },
  },
})

export const meQuery = queryOptions({ queryKey: ["me"], queryFn: () => client.me(), staleTime: 60_000 })
export const healthQuery = queryOptions({ queryKey: ["health"], queryFn: () => client.health(), staleTime: 60_000 })

export const isSignedOut = (error: unknown): boolean => error instanceof ExecutorError && error.code === "unauthorized"
