// What the page Roles asks the API for.
import { keepPreviousData, queryOptions } from "@tanstack/react-query"
import { client } from "../../api/client.ts"
import type { Filters } from "../../app/search.ts"

/** `role`: the id of the one that is open. `add`: a new one is written. */
export type RoleFilters = Filters<"role" | "add">

export const roleQuery = (id: string) => queryOptions({ queryKey: ["roles", "one", id], queryFn: () => client.roles.get(id) })

/** Of the noun `tools`: what patterns match changes with the catalog. */
export const previewQuery = (patterns: readonly string[]) =>
  queryOptions({
    queryKey: ["tools", "matched", patterns],
    queryFn: () => client.roles.preview(patterns),
    placeholderData: keepPreviousData,
  })

const peopleShown = 50

export const peopleQuery = (role: string) =>
  queryOptions({ queryKey: ["users", "with", role], queryFn: () => client.users.list({ role, limit: peopleShown }) })
