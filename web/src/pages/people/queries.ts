// What the page People asks the API for.
import { queryOptions } from "@tanstack/react-query"
import { allPages } from "../../api/all-pages.ts"
import { client } from "../../api/client.ts"
import type { Filters } from "../../app/search.ts"

/** `person`: whose drawer is open. `add`: the tab's dialog for something new is. `user` and `tool`: of the question why. */
export type PeopleFilters = Filters<"tab" | "q" | "status" | "source" | "role" | "person" | "add" | "provider" | "user" | "tool">

export const personQuery = (id: string) => queryOptions({ queryKey: ["users", "one", id], queryFn: () => client.users.get(id) })

export const sessionsQuery = (user: string) =>
  queryOptions({ queryKey: ["sessions", "of", user], queryFn: () => allPages((page) => client.sessions.list({ ...page, user })) })

export const tokensQuery = (user: string) =>
  queryOptions({ queryKey: ["tokens", "of", user], queryFn: () => allPages((page) => client.tokens.list({ ...page, user })) })

export const signInsQuery = (user: string) =>
  queryOptions({ queryKey: ["people", "sign-ins", user], queryFn: () => client.users.signIns(user) })

export const providersQuery = queryOptions({ queryKey: ["people", "providers"], queryFn: () => client.signIn.providers.list() })
