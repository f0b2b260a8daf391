// What a client asks for, and the human's answer: who it is, where the answer goes, and what it may use.
import type { ReactNode } from "react"
import { useState } from "react"
import type { ConsentDecision, ConsentOffer, RedirectTarget } from "../../../../src/core/authorization-server.ts"
import { Line } from "../../ui/text/text.tsx"
import { Caution, Layout } from "../layout.tsx"
import { Action, Status, useWork } from "../work.tsx"
import { AskingFields, ReachFields } from "./fields.tsx"
import type { Asking } from "./fields.tsx"
import { narrowerRoles, patternsOf } from "./reach.ts"
import type { Reach } from "./reach.ts"
import { sendDecision } from "./request.ts"
import { useGuard } from "./use-guard.ts"

type OfferProps = {
  readonly offer: ConsentOffer
  readonly example: string | null
  readonly foot: ReactNode
  readonly onDecided: (action: ConsentDecision["action"]) => void
}

export function Offer({ offer, example, foot, onDecided }: OfferProps): ReactNode {
  const { clientName, integration, shown } = offer
  const roles = narrowerRoles(offer.roles)
  const [reach, setReach] = useState<Reach>({ is: integration === null ? "all" : "custom" })
  const [typed, setTyped] = useState(integration === null ? "" : `${integration}.**`)
  const [asking, setAsking] = useState<Asking>({ native: false, model: false })
  const isGuarded = useGuard()
  const work = useWork()
  const decide = async (decision: ConsentDecision): Promise<void> => {
    location.replace(await sendDecision(decision))
    onDecided(decision.action)
  }
  const allow = (): Promise<void> => {
    const elicitation = ["browser" as const, ...(["native", "model"] as const).filter((mode) => asking[mode])]
    return decide({ action: "allow", shown, patterns: patternsOf(reach, roles, typed), elicitation })
  }
  return (
    <Layout
      title="Connect a client"
      heading={
        <>
          Let <Line>{clientName}</Line> use your tools?
        </>
      }
      isWide
      foot={foot}
    >
      <Facts offer={offer} />
      <Caution>
        Continue only if you have just started this connection in that client yourself. It acts as an agent of yours until you revoke its
        token. It can never approve or administer anything, and your rules still ask you about its calls.
      </Caution>
      <ReachFields
        roles={roles}
        example={integration ?? example ?? "github"}
        reach={reach}
        onReach={setReach}
        typed={typed}
        onTyped={setTyped}
      />
      <AskingFields asking={asking} onChange={setAsking} />
      <Status said={work.said} />
      <div className="flex flex-wrap gap-2">
        <Action work={work} isPrimary isHeld={isGuarded} onClick={() => work.run("Connecting…", allow)}>
          Allow
        </Action>
        <Action
          work={work}
          isPrimary={false}
          isHeld={isGuarded}
          onClick={() => work.run("Telling the client…", () => decide({ action: "deny", shown }))}
        >
          Deny
        </Action>
      </div>
    </Layout>
  )
}

const Facts = ({ offer: { clientName, clientHost, redirect, integration } }: { readonly offer: ConsentOffer }): ReactNode => (
  <dl className="grid gap-x-4 break-words min-[480px]:grid-cols-[auto_minmax(0,1fr)] [&>dd]:pb-2 min-[480px]:[&>dd]:pb-1">
    <dt className="text-tertiary">It calls itself</dt>
    <dd>
      <Line>{clientName}</Line> (not verified)
    </dd>
    <dt className="text-tertiary">The answer goes to</dt>
    <dd>
      <strong data-redirect-host>
        <Line>{redirect.host}</Line>
      </strong>
      , {placeOf(redirect)}
    </dd>
    <dt className="text-tertiary">Described by</dt>
    <dd>
      {clientHost === null ? (
        "itself. Any program can register under any name"
      ) : (
        <>
          the site{" "}
          <strong>
            <Line>{clientHost}</Line>
          </strong>
        </>
      )}
    </dd>
    <dt className="text-tertiary">It asks for</dt>
    <dd>
      {integration === null ? (
        "the tools of this server"
      ) : (
        <>
          the tools of <code>{integration}</code>
        </>
      )}
    </dd>
  </dl>
)

const placeOf = ({ kind }: RedirectTarget): string => (kind === "site" ? "a web site" : "a program on the computer of this browser")
