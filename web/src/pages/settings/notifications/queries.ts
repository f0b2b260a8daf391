// What the section asks the API, and how its changes show.
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query"
import type { UseMutationResult } from "@tanstack/react-query"
import { client } from "../../../api/client.ts"

/** All of them: a tenant has 50 at most. */
const listMax = 50

export const notificationsQuery = queryOptions({
  queryKey: ["notifications", "list"],
  queryFn: async () => (await client.notifications.list({ limit: listMax })).items,
})

type ChangeOptions<Output> = {
  readonly onDone: (output: Output) => void
  readonly onError?: (error: Error) => void
  /** What to ask for again; by default the list and the logs. */
  readonly touches?: readonly string[]
}

/** What it answers may hold a secret, so that it is forgotten with the control that asked. */
export function useNotificationChange<Input, Output>(
  run: (input: Input) => Promise<Output>,
  { onDone, onError, touches = ["notifications"] }: ChangeOptions<Output>,
): UseMutationResult<Output, Error, Input> {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: run,
    gcTime: 0,
    onSuccess: async (output) => {
      onDone(output)
      await queries.invalidateQueries({ queryKey: touches })
    },
    ...(onError === undefined ? {} : { onError }),
  })
}
