// Roles as other pages name them, and what is asked for again once people, roles or sign-in providers changed here.
import { queryOptions, useMutation } from "@tanstack/react-query"
import type { UseMutationResult } from "@tanstack/react-query"
import { client } from "./client.ts"
import { queryClient } from "./query.ts"

/** All of them: a tenant has 500 at most. */
const rolesMax = 500

export const rolesQuery = queryOptions({
  queryKey: ["roles", "all"],
  queryFn: async () => (await client.roles.list({ limit: rolesMax })).items,
})

const nouns = ["people", "users", "roles", "tokens", "sessions", "me"]

type ChangeOptions<Output> = { readonly onDone?: (output: Output) => void; readonly onError?: (error: Error) => void }

/** What it answers may hold a secret, so that it is forgotten with the control that asked. */
export const usePeopleChange = <Input, Output>(
  run: (input: Input) => Promise<Output>,
  { onDone, onError }: ChangeOptions<Output> = {},
): UseMutationResult<Output, Error, Input> =>
  useMutation({
    mutationFn: run,
    gcTime: 0,
    onSuccess: async (output) => {
      onDone?.(output)
      await Promise.all(nouns.map((noun) => queryClient.invalidateQueries({ queryKey: [noun] })))
    },
    ...(onError === undefined ? {} : { onError }),
  })
