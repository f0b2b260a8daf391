// Rows of a server-side list of any length, by their index: pages around what is in sight are loaded, others are forgotten.
import { useCallback, useState } from "react"
import { keepPreviousData, useQueries } from "@tanstack/react-query"
import type { Page } from "toolplane/client"

const pageSize = 100

type Rows<Row> = {
  readonly rowAt: (index: number) => Row | undefined
  readonly onRange: (start: number, end: number) => void
  readonly error: Error | null
  readonly isLoading: boolean
  readonly retry: () => void
}

/** `key`: names the list with its filters. `load` gives the rows from `skip` on. */
export function useRows<Row>(key: readonly unknown[], load: (skip: number, limit: number) => Promise<Page<Row>>): Rows<Row> {
  const [range, setRange] = useState<readonly [number, number]>([0, 0])
  const first = Math.floor(range[0] / pageSize)
  const last = Math.floor(range[1] / pageSize)
  const numbers = Array.from({ length: last - first + 1 }, (_, at) => first + at)
  const pages = useQueries({
    queries: numbers.map((number) => ({
      queryKey: [...key, "rows", number],
      queryFn: () => load(number * pageSize, pageSize),
      placeholderData: keepPreviousData,
    })),
  })
  const rowAt = (index: number): Row | undefined => {
    const number = Math.floor(index / pageSize)
    return pages[number - first]?.data?.items[index % pageSize]
  }
  const onRange = useCallback(
    (start: number, end: number) => setRange(([from, to]) => (from === start && to === end ? [from, to] : [start, end])),
    [],
  )
  const failed = pages.find(({ error }) => error !== null)
  return {
    rowAt,
    onRange,
    error: failed?.error ?? null,
    isLoading: pages.some(({ isPending }) => isPending),
    retry: () => pages.forEach(({ refetch }) => void refetch()),
  }
}
