// The providers of models, as the section asks for them.
import { queryOptions } from "@tanstack/react-query"
import { allPages } from "../../../api/all-pages.ts"
import { client } from "../../../api/client.ts"

export const providersQuery = queryOptions({
  queryKey: ["models", "providers"],
  queryFn: () => allPages((page) => client.models.providers.list(page)),
})
