// The rows of a list that is grouped by bucket, by their index: pages around what is in sight are loaded.
import { keepPreviousData, useQueries } from "@tanstack/react-query"
import type { ToolFilter, ToolView } from "toolplane/client"
import { TOOL_BUCKETS } from "toolplane/tool-types"
import type { ToolBucket } from "toolplane/tool-types"
import { client } from "../../api/client.ts"

const pageSize = 100

export type ListGroup = {
  readonly id: ToolBucket
  readonly label: string
  readonly count: number
  /** Where its heading stands. */ readonly start: number
}

/** Buckets without tools have no heading. */
export function listGroups(counts: Readonly<Record<ToolBucket, number>>, only: ToolBucket | undefined): readonly ListGroup[] {
  const groups: ListGroup[] = []
  let start = 0
  for (const { id, label } of TOOL_BUCKETS) {
    if (counts[id] === 0 || (only !== undefined && only !== id)) continue
    groups.push({ id, label, count: counts[id], start })
    start += 1 + counts[id]
  }
  return groups
}

export const lengthOf = (groups: readonly ListGroup[]): number => groups.reduce((sum, { count }) => sum + 1 + count, 0)

type Place =
  | { readonly kind: "heading"; readonly group: ListGroup }
  | { readonly kind: "tool"; readonly group: ListGroup; readonly at: number }

export function placeOf(groups: readonly ListGroup[], index: number): Place | undefined {
  const group = groups.findLast(({ start }) => start <= index)
  if (group === undefined) return undefined
  return index === group.start ? { kind: "heading", group } : { kind: "tool", group, at: index - group.start - 1 }
}

type ToolAt = (group: ListGroup, at: number) => ToolView | undefined

/** `indexes`: what is in sight. */
export function useGroupedRows(
  filter: ToolFilter,
  groups: readonly ListGroup[],
  indexes: readonly number[],
): { readonly toolAt: ToolAt; readonly error: Error | null } {
  const wanted = new Map<string, { readonly toolType: ToolBucket; readonly page: number }>()
  for (const index of indexes) {
    const place = placeOf(groups, index)
    if (place?.kind !== "tool") continue
    const page = Math.floor(place.at / pageSize)
    wanted.set(`${place.group.id} ${page}`, { toolType: place.group.id, page })
  }
  const keys = [...wanted.keys()]
  const pages = useQueries({
    queries: [...wanted.values()].map(({ toolType, page }) => ({
      queryKey: ["tools", "picker", { ...filter, toolType }, page],
      queryFn: () => client.tools.page({ ...filter, toolType }, { skip: page * pageSize, limit: pageSize }),
      placeholderData: keepPreviousData,
    })),
  })
  return {
    toolAt: (group, at) => pages[keys.indexOf(`${group.id} ${Math.floor(at / pageSize)}`)]?.data?.items[at % pageSize],
    error: pages.find(({ error }) => error !== null)?.error ?? null,
  }
}
