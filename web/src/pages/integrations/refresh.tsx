// Reads the tools of an integration again through each of its connections, one after the other.
import type { ReactNode } from "react"
import { useState } from "react"
import { useMutation } from "@tanstack/react-query"
import type { ConnectionView } from "toolplane/client"
import { RefreshCw } from "lucide-react"
import { client } from "../../api/client.ts"
import { Button } from "../../ui/button.tsx"
import { Mono } from "../../ui/text/text.tsx"
import { toast, toastError } from "../../ui/toast.tsx"
import { counted, refreshCatalog } from "../../api/catalog.ts"
import { connectionPath } from "../../api/connection-path.ts"

export type Refreshing = { readonly path: string; readonly at: number; readonly count: number }

type Refresh = { readonly now: Refreshing | null; readonly start: () => void; readonly isBusy: boolean }

export function useRefresh(connections: readonly ConnectionView[]): Refresh {
  const [now, setNow] = useState<Refreshing | null>(null)
  const { mutate, isPending } = useMutation({
    mutationFn: async () => {
      const after: ConnectionView[] = []
      for (const [at, one] of connections.entries()) {
        setNow({ path: connectionPath(one), at, count: connections.length })
        after.push(await client.connections.refresh(one))
      }
      return after
    },
    onSuccess: (after) => {
      const failed = after.filter(({ status }) => status !== "ready")
      const [first] = failed
      if (first !== undefined) toastError(new Error(`${connectionPath(first)}: ${first.error ?? first.status}`))
      else
        toast(
          `Read again: ${counted(
            after.reduce((sum, { toolCount }) => sum + toolCount, 0),
            "tool",
          )}`,
        )
    },
    onError: toastError,
    onSettled: () => {
      setNow(null)
      return refreshCatalog()
    },
  })
  return { now, start: () => mutate(), isBusy: isPending }
}

type ButtonProps = { readonly refresh: Refresh; readonly count: number; readonly missing: string | null }

export const RefreshButton = ({ refresh, count, missing }: ButtonProps): ReactNode => (
  <Button isBusy={refresh.isBusy} reason={count === 0 ? "Connect it first" : missing} onClick={refresh.start}>
    <RefreshCw size={14} aria-hidden="true" /> Refresh
  </Button>
)

export const RefreshProgress = ({ now }: { readonly now: Refreshing | null }): ReactNode => (
  <div role="status" className={now === null ? "sr-only" : "flex items-center gap-3 text-secondary"}>
    {now === null ? null : (
      <>
        <progress value={now.at} max={now.count} aria-label="Refreshed connections" className="h-1.5 w-40" />
        <span>
          Reading <Mono>{now.path}</Mono> ({now.at + 1} of {now.count})…
        </span>
      </>
    )}
  </div>
)
