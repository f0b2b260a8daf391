// What the section asks the API, and how its changes show.
import { queryOptions } from "@tanstack/react-query"
import type { UseMutationResult } from "@tanstack/react-query"
import { client } from "../../../api/client.ts"
import { useChange } from "../use-change.ts"
import type { ChangeOptions } from "../use-change.ts"

/** All of them: a tenant has 50 at most. */
const listMax = 50

export const notificationsQuery = queryOptions({
  queryKey: ["notifications", "list"],
  queryFn: async () => (await client.notifications.list({ limit: listMax })).items,
})

/** By default the list and the logs are asked for again. */
export const useNotificationChange = <Input, Output>(
  run: (input: Input) => Promise<Output>,
  options: Omit<ChangeOptions<Output>, "touches"> & Partial<ChangeOptions<Output>>,
): UseMutationResult<Output, Error, Input> => useChange(run, { touches: ["notifications"], ...options })
