// The dialog that connects: first which integration, then how.
import type { ReactNode } from "react"
import { useQuery } from "@tanstack/react-query"
import type { ConnectionView } from "toolplane/client"
import { connectionsQuery, integrationQuery, presetsQuery } from "../../../api/catalog.ts"
import { Dialog } from "../../../ui/dialogs/dialog.tsx"
import { Failure, Skeleton } from "../../../ui/states.tsx"
import { safeLine } from "../../../ui/text/text.tsx"
import { ConnectForm } from "./form.tsx"
import { PickIntegration } from "./pick-integration.tsx"

/** In the address in the place of a slug: none is chosen yet. */
export const pickFirst = "-"

type DialogProps = {
  readonly slug: string
  readonly onPick: (slug: string) => void
  readonly onClose: () => void
  readonly onConnected: (connection: ConnectionView) => void
}

export const ConnectDialog = ({ slug, onPick, onClose, onConnected }: DialogProps): ReactNode => (
  <Dialog
    isOpen
    title={slug === pickFirst ? "Connect an integration" : `Connect ${safeLine(slug)}`}
    about="Agents use the connection. They never see its credential."
    onClose={onClose}
  >
    {slug === pickFirst ? (
      <PickIntegration onPick={onPick} />
    ) : (
      <OneIntegration key={slug} slug={slug} existing={null} onClose={onClose} onConnected={onConnected} />
    )}
  </Dialog>
)

type OneProps = Omit<DialogProps, "onPick"> & { readonly existing: ConnectionView | null }

/** `existing`: gets another credential, in place. */
export function OneIntegration({ slug, existing, onClose, onConnected }: OneProps): ReactNode {
  const integration = useQuery(integrationQuery(slug))
  const connections = useQuery(connectionsQuery(slug))
  const presets = useQuery(presetsQuery)
  const error = integration.error ?? connections.error
  if (error !== null) return <Failure error={error} onRetry={() => void Promise.all([integration.refetch(), connections.refetch()])} />
  if (integration.data === undefined || connections.data === undefined || presets.isPending) return <Skeleton rows={4} />
  return (
    <ConnectForm
      integration={integration.data}
      preset={presets.data?.find(({ id, kind }) => id === slug && kind === integration.data.kind)}
      connections={connections.data}
      existing={existing}
      onClose={onClose}
      onConnected={onConnected}
    />
  )
}
