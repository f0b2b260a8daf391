// How a delivery ended, in a word and in a sentence.
import type { ReactNode } from "react"
import type { DeliveryState, DeliveryView } from "toolplane/client"
import { Status } from "../../../ui/badge.tsx"
import type { Tone } from "../../../ui/badge.tsx"
import { Line } from "../../../ui/text/text.tsx"
import { Time } from "../../../ui/text/time.tsx"

const states: Readonly<Record<DeliveryState, { readonly tone: Tone; readonly label: string }>> = {
  delivered: { tone: "ok", label: "Delivered" },
  waiting: { tone: "waiting", label: "Will be tried again" },
  failed: { tone: "danger", label: "Failed" },
  dropped: { tone: "neutral", label: "Not needed any more" },
}

export const DeliveryStatus = ({ state }: Pick<DeliveryView, "state">): ReactNode => (
  <Status tone={states[state].tone}>{states[state].label}</Status>
)

export function DeliveryFacts({ delivery }: { readonly delivery: DeliveryView }): ReactNode {
  const { status, error, attempts, nextTryAt } = delivery
  return (
    <div className="text-sm break-words text-secondary">
      {error === null ? status === null ? null : `The receiver answered ${status}. ` : <Line>{`${error}. `}</Line>}
      {attempts > 1 ? `${attempts} tries. ` : null}
      {nextTryAt === null ? null : (
        <>
          Next try <Time at={nextTryAt} />.
        </>
      )}
    </div>
  )
}
