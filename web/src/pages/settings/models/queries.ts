// The providers of models, as the section asks for them.
import { queryOptions } from "@tanstack/react-query"
import { client } from "../../../api/client.ts"

export const providersQuery = queryOptions({
  queryKey: ["models", "providers"],
  queryFn: async () => (await client.models.providers.list()).items,
})
