// What the search lab asks the API for.
import { keepPreviousData, queryOptions } from "@tanstack/react-query"
import type { SearchOutcome } from "toolplane/client"
import { client } from "../../api/client.ts"
import type { Filters } from "../../app/search.ts"

export type LabFilters = Filters<"tab" | "q" | "namespace" | "outcome" | "set">

const hitsMax = 12

export const explainedQuery = (query: string, namespace: string | undefined) =>
  queryOptions({
    queryKey: ["tools", "lab", query, namespace],
    queryFn: () => client.tools.search({ query, limit: hitsMax, explain: true, ...(namespace === undefined ? {} : { namespace }) }),
    enabled: query !== "",
    placeholderData: keepPreviousData,
  })

export const searchOutcomes: readonly SearchOutcome[] = ["first", "other", "none", "nothing"]

export const outcomeLabels: Readonly<Record<SearchOutcome, string>> = {
  first: "First hit called",
  other: "Wrong first",
  none: "Nothing called",
  nothing: "Nothing fits",
}
