// What the page Knowledge asks the API, and how its answers are refreshed.
import { queryOptions } from "@tanstack/react-query"
import type { PipelineView } from "toolplane/client"
import type { Filters } from "../../app/search.ts"
import { allPages } from "../../api/all-pages.ts"
import { client } from "../../api/client.ts"
import { queryClient } from "../../api/query.ts"

/** `q`: of pipelines. `find`: of documents. `ask`: the question that is tried. `add`: the dialog of a new pipeline. */
export type KnowledgeFilters = Filters<"q" | "pipeline" | "tab" | "find" | "ask" | "add">

/** The server tells when somebody changes a pipeline, and not how far its indexer is. */
const progressMs = 1000

export const isIndexing = ({ index }: PipelineView): boolean => index.status === "indexing"

export const pipelinesQuery = queryOptions({
  queryKey: ["pipelines", "list"],
  queryFn: () => allPages((page) => client.pipelines.list(page)),
  refetchInterval: ({ state }) => (state.data?.some(isIndexing) === true ? progressMs : false),
})

export const pipelineQuery = (id: string) =>
  queryOptions({
    queryKey: ["pipelines", "one", id],
    queryFn: () => client.pipelines.get(id),
    refetchInterval: ({ state }) => (state.data !== undefined && isIndexing(state.data) ? progressMs : false),
  })

export const modelProvidersQuery = queryOptions({
  queryKey: ["models", "providers"],
  queryFn: () => allPages((page) => client.models.providers.list(page)),
})

export const refreshPipelines = (): Promise<void> => queryClient.invalidateQueries({ queryKey: ["pipelines"] })

export const counted = (count: number, one: string): string => `${count.toLocaleString("en")} ${one}${count === 1 ? "" : "s"}`
