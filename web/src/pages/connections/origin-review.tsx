// Hosts that the source names since: nothing is sent there until a person has seen them.
import type { ReactNode } from "react"
import { useMutation } from "@tanstack/react-query"
import type { ConnectionView } from "toolplane/client"
import { counted, refreshCatalog } from "../../api/catalog.ts"
import { client } from "../../api/client.ts"
import { useMissingRight } from "../../api/rights.ts"
import { Button } from "../../ui/button.tsx"
import { Notice } from "../../ui/notice.tsx"
import { Mono } from "../../ui/text/text.tsx"
import { toast, toastError } from "../../ui/toast.tsx"

export function OriginReview({ connection }: { readonly connection: ConnectionView }): ReactNode {
  const missing = useMissingRight("connections.org")
  const { unconfirmedOrigins, origins, owner } = connection
  const confirm = useMutation({
    mutationFn: () =>
      client.integrations.get(connection.integration).then(({ facts }) => {
        // What is confirmed is what was shown; hosts that the source no longer names cannot be.
        const kept = origins.filter((origin) => facts.origins.includes(origin))
        return client.connections.update(connection, { confirmOrigins: [...kept, ...unconfirmedOrigins] })
      }),
    onSuccess: () => {
      toast(`Confirmed ${counted(unconfirmedOrigins.length, "host")}`)
      return refreshCatalog()
    },
    onError: toastError,
  })
  return (
    <Notice tone="warn" title="Its source now names hosts that nobody has confirmed">
      <ul className="flex flex-col">
        {unconfirmedOrigins.map((origin) => (
          <li key={origin}>
            <Mono className="break-all">{origin}</Mono>
          </li>
        ))}
      </ul>
      <p>Nothing is sent there until then. Confirm only hosts that should get its credential.</p>
      <div className="pt-2">
        <Button isBusy={confirm.isPending} reason={owner === "org" ? missing : null} onClick={() => confirm.mutate()}>
          Confirm {counted(unconfirmedOrigins.length, "host")}
        </Button>
      </div>
    </Notice>
  )
}
