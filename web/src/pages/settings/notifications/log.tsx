// What a notification has told, newest first.
import type { ReactNode } from "react"
import { Link } from "@tanstack/react-router"
import { useInfiniteQuery } from "@tanstack/react-query"
import { client } from "../../../api/client.ts"
import { Button } from "../../../ui/button.tsx"
import { Failure, Skeleton } from "../../../ui/states.tsx"
import { Time } from "../../../ui/text/time.tsx"
import { DeliveryFacts, DeliveryStatus } from "./delivery.tsx"

const pageSize = 25
/** Deliveries are no events of the stream, as nothing else depends on them. */
const againMs = 5000

export function DeliveryLog({ id }: { readonly id: string }): ReactNode {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ["notifications", "log", id],
    queryFn: ({ pageParam }) => client.notifications.log(id, { limit: pageSize, ...(pageParam === null ? {} : { cursor: pageParam }) }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.nextCursor,
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > 1 || state.error !== null ? false : againMs),
  })
  if (error !== null) return <Failure error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Skeleton rows={3} />
  const deliveries = data.pages.flatMap(({ items }) => items)
  if (deliveries.length === 0) return <p className="text-secondary">Nothing was told yet. A test shows whether messages arrive.</p>
  return (
    <>
      <ul aria-label="Deliveries" className="flex flex-col">
        {deliveries.map((delivery) => (
          <li key={delivery.id} className="flex flex-col gap-1 border-b border-line py-2">
            <span className="flex flex-wrap items-center gap-2">
              <DeliveryStatus state={delivery.state} />
              {delivery.approvalId === null ? (
                <span>Test</span>
              ) : (
                <Link to="/inbox" search={{ approval: delivery.approvalId }} className="text-accent underline">
                  Approval
                </Link>
              )}
              <span className="text-sm text-secondary">
                <Time at={delivery.createdAt} />
              </span>
            </span>
            <DeliveryFacts delivery={delivery} />
          </li>
        ))}
      </ul>
      {hasNextPage ? (
        <Button isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show older ones
        </Button>
      ) : null}
    </>
  )
}
