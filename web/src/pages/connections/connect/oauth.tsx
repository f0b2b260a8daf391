// Connecting by OAuth: what will be asked, then the provider's own window, which the server is asked about meanwhile.
//
// The window is opened inside the click, or browsers block it; its opener learns nothing from it, because this server's
// pages share no browsing context with others. So the server is asked how the consent went.
import type { ReactNode } from "react"
import { useState } from "react"
import { useMutation, useQuery } from "@tanstack/react-query"
import { ExecutorError } from "toolplane/client"
import type { ConnectionKey, ConnectionView, OauthFlowView, OauthStart, OauthStarted } from "toolplane/client"
import { client } from "../../../api/client.ts"
import { leaveForProvider, showOffer } from "../../../api/consent.ts"
import { useMissingRight } from "../../../api/rights.ts"
import { Button } from "../../../ui/button.tsx"
import { DialogActions } from "../../../ui/dialogs/dialog.tsx"
import { Field, Input } from "../../../ui/field.tsx"
import { Notice, Problem } from "../../../ui/notice.tsx"
import { Failure, Skeleton } from "../../../ui/states.tsx"
import { Prose } from "../../../ui/text/text.tsx"
import { OfferFacts } from "../../consent/offer-facts.tsx"
import { ClientSetup } from "./oauth-client.tsx"

type OauthProps = {
  readonly target: ConnectionKey
  readonly existing: ConnectionView | null
  readonly reason: string | null
  readonly onClose: () => void
  readonly onConnected: (connection: ConnectionView) => void
}

const pollMs = 1500

export function OauthSteps({ target, existing, reason, onClose, onConnected }: OauthProps): ReactNode {
  const missing = useMissingRight("connections.org")
  const [scopes, setScopes] = useState(existing?.consent?.scopes.join(" ") ?? "")
  const [clientId, setClientId] = useState<string | null>(null)
  const start = useMutation({
    mutationFn: async () => {
      const wanted = scopes.split(/[\s,]+/).filter((scope) => scope !== "")
      const resource = existing?.consent?.resource ?? null
      const input = {
        ...target,
        ...(wanted.length === 0 ? {} : { scopes: wanted }),
        ...(resource === null ? {} : { resource }),
      }
      const started = await startAs(input, clientId, existing?.consent?.client ?? null)
      if (started.status === "connected") onConnected(started.connection)
      return started
    },
    gcTime: 0,
  })
  if (start.data?.status === "consent_required")
    return <ConsentSteps flowId={start.data.flowId} onAgain={() => start.reset()} onClose={onClose} onConnected={onConnected} />
  return (
    <div className="flex flex-col gap-3">
      <Field label="Scopes" hint="What to ask for, with spaces between them. Left empty, what the integration's source states.">
        {(ids) => (
          <Input {...ids} spellCheck={false} value={scopes} onChange={(event) => setScopes(event.target.value)} className="font-mono" />
        )}
      </Field>
      {missing === null ? (
        <ClientSetup slug={target.integration} chosen={clientId ?? existing?.consent?.client ?? null} onSaved={setClientId} />
      ) : null}
      <Problem error={start.error} title="The provider could not be asked" />
      {start.error !== null && missing !== null ? (
        <p className="text-secondary">If it needs an OAuth client, ask an admin of your organization to add one here.</p>
      ) : null}
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" isBusy={start.isPending} reason={reason} onClick={() => start.mutate()}>
          Review what is asked
        </Button>
      </DialogActions>
    </div>
  )
}

/** As the client that was just entered, else as the same one as before, unless that was removed. */
async function startAs(input: OauthStart, entered: string | null, before: string | null): Promise<OauthStarted> {
  const chosen = entered ?? before
  if (chosen === null) return client.oauth.start(input)
  try {
    return await client.oauth.start({ ...input, client: chosen })
  } catch (error) {
    if (error instanceof ExecutorError && error.code === "not_found") return client.oauth.start(input)
    throw error
  }
}

type StepsProps = {
  readonly flowId: string
  readonly onAgain: () => void
  readonly onClose: () => void
  readonly onConnected: (connection: ConnectionView) => void
}

function ConsentSteps({ flowId, onAgain, onClose, onConnected }: StepsProps): ReactNode {
  const offer = useQuery({
    queryKey: ["consent", flowId],
    queryFn: () => showOffer(flowId),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const [problem, setProblem] = useState<Error | null>(null)
  const [isAway, setAway] = useState(false)
  const flow = useQuery({
    queryKey: ["consent", flowId, "state"],
    queryFn: async () => {
      const state = await client.oauth.flow(flowId)
      if (state.status === "connected") onConnected(state.connection)
      return state
    },
    enabled: isAway,
    refetchInterval: ({ state }) => (state.data === undefined || state.data.status === "waiting" ? pollMs : false),
    gcTime: 0,
  })
  if (offer.error !== null) return <Failure error={offer.error} onRetry={onAgain} />
  if (offer.data === undefined) return <Skeleton rows={4} />
  const leave = (): void => {
    // Now, because browsers let a click open a window and nothing that happens later.
    const opened = window.open("about:blank", "_blank", "popup,width=600,height=760")
    if (opened === null) return setProblem(new Error("The browser did not open a window. Allow windows of this site, and try again."))
    setProblem(null)
    leaveForProvider(flowId)
      .then((url) => {
        opened.location.href = url
        setAway(true)
      })
      .catch((error: unknown) => {
        opened.close()
        setProblem(error instanceof Error ? error : new Error(String(error)))
      })
  }
  const end = endOf(flow.data)
  return (
    <div className="flex flex-col gap-3">
      <OfferFacts isOwn offer={offer.data} />
      {end === null ? null : (
        <Notice tone="danger" title="Not connected">
          <Prose>{end}</Prose>
        </Notice>
      )}
      <Problem error={problem ?? flow.error} />
      {isAway && end === null ? (
        <p role="status" className="text-secondary">
          Waiting for your consent in the other window. Closed it? Open it again below.
        </p>
      ) : null}
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        {end === null ? (
          <Button kind="primary" onClick={leave}>
            {isAway ? "Open the window again" : `Continue to ${offer.data.provider}`}
          </Button>
        ) : (
          <Button kind="primary" onClick={onAgain}>
            Try again
          </Button>
        )}
      </DialogActions>
    </div>
  )
}

function endOf(flow: OauthFlowView | undefined): string | null {
  if (flow?.status === "failed") return flow.error
  return flow?.status === "expired" ? "This request has expired. Start again." : null
}
