// The page at `/authorize`, on which a human lets an MCP client act for them, or does not.
import type { ReactNode } from "react"
import { useCallback, useEffect, useState } from "react"
import type { ConsentDecision } from "../../../../src/core/authorization-server.ts"
import { onSessionChange, readSessionKey, signOut } from "../../api/session.ts"
import { buttonLook } from "../../ui/button-look.ts"
import { asCalledHere } from "../../ui/text/own-command.ts"
import { Line, safeText } from "../../ui/text/text.tsx"
import { Layout, OnTheMachine } from "../layout.tsx"
import { Refusal } from "../send.ts"
import { Offer } from "./offer.tsx"
import { readRequest } from "./request.ts"
import type { Shown } from "./request.ts"

type State =
  | { readonly is: "loading" | "signed_out" }
  | { readonly is: "decided"; readonly action: ConsentDecision["action"] }
  | { readonly is: "refused"; readonly reason: string }
  | { readonly is: "shown"; readonly shown: Shown }

export default function Page(): ReactNode {
  const [state, setState] = useState<State>({ is: "loading" })
  const load = useCallback(() => {
    if (readSessionKey() === "") return setState({ is: "signed_out" })
    readRequest().then(
      (shown) => setState({ is: "shown", shown }),
      (error: unknown) => setState(stateOf(error)),
    )
  }, [])
  useEffect(load, [load])
  const isDecided = state.is === "decided"
  useEffect(() => (isDecided ? undefined : onSessionChange(load)), [isDecided, load])
  switch (state.is) {
    case "loading":
      return <Layout title="Opening the request…">{null}</Layout>
    case "signed_out":
      return <SignedOut />
    case "refused":
      return <Stopped reason={state.reason} />
    case "decided":
      return <Done action={state.action} />
    case "shown":
      return <Request shown={state.shown} onDecided={(action) => setState({ is: "decided", action })} onSignedOut={load} />
  }
}

const stateOf = (error: unknown): State =>
  error instanceof Refusal && error.status === 401 ? { is: "signed_out" } : { is: "refused", reason: messageOf(error) }

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

type RequestProps = {
  readonly shown: Shown
  readonly onDecided: (action: ConsentDecision["action"]) => void
  readonly onSignedOut: () => void
}

function Request({ shown: { user, request, example }, onDecided, onSignedOut }: RequestProps): ReactNode {
  const [reason, setReason] = useState<string | null>(null)
  const leave = (): void => void signOut().then(onSignedOut, (error: unknown) => setReason(messageOf(error)))
  const foot = (
    <>
      {reason === null ? null : <p role="alert">{safeText(reason)}</p>}
      <p className="text-sm text-secondary">
        Signed in as <Line className="font-medium text-text">{user}</Line> ·{" "}
        <button type="button" className="cursor-pointer underline" onClick={leave}>
          Sign out
        </button>
      </p>
    </>
  )
  // Another request, or another human: nothing of what was chosen for the one before counts.
  if (request.kind === "offer") return <Offer key={request.shown} offer={request} example={example} foot={foot} onDecided={onDecided} />
  return (
    <Layout title="This client cannot be connected" foot={foot}>
      <p>
        It sent a request that this server does not accept: <Line>{request.message}</Line>.
      </p>
      <p>
        <a href={request.redirectTo} rel="noreferrer">
          Back to the client at <Line>{request.redirect.host}</Line>
        </a>
      </p>
    </Layout>
  )
}

const SignedOut = (): ReactNode => (
  <Layout title="Sign in to connect a client" foot={null}>
    <p>A client wants to use your tools. Sign in first; then you see which one, and decide.</p>
    <a
      href={`/signin?return=${encodeURIComponent(location.pathname + location.search)}`}
      className={`${buttonLook("primary")} no-underline`}
    >
      Sign in
    </a>
    <OnTheMachine />
    <p className="text-sm text-tertiary">Once you are signed in, this page continues automatically.</p>
  </Layout>
)

/** Nobody but the human is told: the address that the answer should go to may be anybody's. */
const Stopped = ({ reason }: { readonly reason: string }): ReactNode => (
  <Layout title="This client cannot be connected" foot={null}>
    <p role="alert">{safeText(reason)}</p>
    <p className="text-secondary">Nothing was granted.</p>
  </Layout>
)

/** A client's program takes over where a page does not follow, so that this one says that it is done. */
const Done = ({ action }: { readonly action: ConsentDecision["action"] }): ReactNode => (
  <Layout title="Done" foot={null}>
    <p>The client has your answer. You can close this window.</p>
    {action === "deny" ? null : (
      <p className="text-secondary">
        Take back what it may do at any time, under <a href="/agents?tab=tokens">Agents</a> or in a terminal:{" "}
        <code>{asCalledHere("executor tokens list")}</code>, then <code>{asCalledHere("executor tokens revoke <id>")}</code>.
      </p>
    )}
  </Layout>
)
