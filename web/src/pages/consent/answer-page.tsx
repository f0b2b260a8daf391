// The page to which a provider leads back: it hands over the answer once, and says how that ended.
import type { ReactNode } from "react"
import { useEffect, useState } from "react"
import type { ConnectionView } from "toolplane/client"
import { counted, refreshCatalog } from "../../api/catalog.ts"
import { connectionPath } from "../../api/connection-path.ts"
import { finishConsent } from "../../api/consent.ts"
import { LinkButton } from "../../ui/button.tsx"
import { Problem } from "../../ui/notice.tsx"
import { PageFrame } from "../../ui/page.tsx"
import { Skeleton } from "../../ui/states.tsx"
import { Mono } from "../../ui/text/text.tsx"

type End = { readonly connection: ConnectionView } | { readonly error: Error }

/** An answer counts once, however often the page is drawn. */
let handedOver: Promise<End> | null = null

const handOver = (search: string): Promise<End> =>
  (handedOver ??= finishConsent(search).then(
    ({ connection, redirectTo }) => {
      if (redirectTo !== null) location.replace(redirectTo)
      void refreshCatalog()
      return { connection }
    },
    (error: unknown) => ({ error: error instanceof Error ? error : new Error(String(error)) }),
  ))

export function Page(): ReactNode {
  const [end, setEnd] = useState<End | null>(null)
  useEffect(() => {
    void handOver(location.search).then(setEnd)
  }, [])
  if (end === null)
    return (
      <PageFrame title="Connecting">
        <Skeleton rows={2} />
      </PageFrame>
    )
  if ("error" in end)
    return (
      <PageFrame title="Not connected">
        <div className="flex max-w-2xl flex-col items-start gap-3">
          <Problem error={end.error} />
          <LinkButton to="/connections">All connections</LinkButton>
        </div>
      </PageFrame>
    )
  const { connection } = end
  return (
    <PageFrame title="Connected">
      <div className="flex max-w-2xl flex-col items-start gap-3">
        <p>
          <Mono>{connectionPath(connection)}</Mono>{" "}
          {connection.status === "ready"
            ? `is ready, with ${counted(connection.toolCount, "tool")}.`
            : `is connected, but: ${connection.error ?? connection.status}`}
        </p>
        <p className="text-secondary">You can close this window.</p>
        <LinkButton to="/connections" search={{ connection: connectionPath(connection) }}>
          Show the connection
        </LinkButton>
      </div>
    </PageFrame>
  )
}
