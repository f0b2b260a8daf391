// Rows of a list that the server gives page by page behind a cursor: the next page is loaded when its place comes into sight.
import { useCallback, useSyncExternalStore } from "react"
import { keepPreviousData, useInfiniteQuery, useQueryClient } from "@tanstack/react-query"
import type { Page, PageRequest } from "toolplane/client"

const pageSize = 100
/** Whoever has read further down is told that there is something new, instead of having everything loaded again. */
const livePagesMax = 3

export type PagedRows<Row> = {
  /** With one more while there is another page. */
  readonly rowCount: number
  readonly rowAt: (index: number) => Row | undefined
  readonly onRange: (start: number, end: number) => void
  readonly error: Error | null
  readonly isLoading: boolean
  readonly retry: () => void
  /** Something changed since these rows were read. */
  readonly isOutdated: boolean
  /** Begins again at the first page. */
  readonly refresh: () => void
}

/** `key`: names the list with its filters. */
export function usePages<Row>(key: readonly unknown[], load: (page: PageRequest) => Promise<Page<Row>>): PagedRows<Row> {
  const queryKey = [...key, "pages"]
  const queryClient = useQueryClient()
  const { data, error, isPending, isFetchingNextPage, hasNextPage, fetchNextPage, refetch } = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => load({ limit: pageSize, ...(pageParam === null ? {} : { cursor: pageParam }) }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.nextCursor,
    placeholderData: keepPreviousData,
    enabled: ({ state }) => (state.data?.pages.length ?? 0) <= livePagesMax,
  })
  const pages = data?.pages ?? []
  const loaded = pages.reduce((sum, { items }) => sum + items.length, 0)
  const isOutdated = useSyncExternalStore(
    useCallback((listen: () => void) => queryClient.getQueryCache().subscribe(listen), [queryClient]),
    () => pages.length > livePagesMax && queryClient.getQueryState(queryKey)?.isInvalidated === true,
  )
  const onRange = useCallback(
    (_start: number, end: number) => {
      if (end >= loaded - 1 && hasNextPage && !isFetchingNextPage) void fetchNextPage()
    },
    [loaded, hasNextPage, isFetchingNextPage, fetchNextPage],
  )
  return {
    rowCount: loaded + (hasNextPage ? 1 : 0),
    rowAt: (index) => rowOf(pages, index),
    onRange,
    error,
    isLoading: isPending,
    retry: () => void refetch(),
    isOutdated,
    refresh: () => void queryClient.resetQueries({ queryKey }),
  }
}

function rowOf<Row>(pages: readonly Page<Row>[], index: number): Row | undefined {
  let before = 0
  for (const { items } of pages) {
    if (index < before + items.length) return items[index - before]
    before += items.length
  }
  return undefined
}
