// The answer: each stage that a call passes, the first stop in bold, and what changes it.
import type { ReactNode } from "react"
import { Link } from "@tanstack/react-router"
import type { AccessExplanation, AccessStage, AccessStep, AccessSubject } from "toolplane/client"
import { accessStages } from "../../../../../src/core/people/access-explanation.ts"
import { useFilters } from "../../../app/search.ts"
import { Status } from "../../../ui/badge.tsx"
import type { Tone } from "../../../ui/badge.tsx"
import { Button, LinkButton } from "../../../ui/button.tsx"
import { Line, Mono } from "../../../ui/text/text.tsx"
import type { PeopleFilters } from "../queries.ts"

const stageNames: Readonly<Record<AccessStage, string>> = {
  principal: "Account",
  role: "Role pattern",
  lifecycle: "Lifecycle",
  policy: "Policy",
  pin: "Accepted version",
  connection: "Connection",
}

const outcomes: Readonly<Record<AccessStep["outcome"], readonly [Tone, string]>> = {
  passes: ["ok", "Passes"],
  asks: ["waiting", "Asks"],
  stops: ["danger", "Stops"],
}

const verdicts: Readonly<Record<AccessExplanation["outcome"], readonly [Tone, string]>> = {
  allowed: ["ok", "can call"],
  needs_approval: ["waiting", "can call with an approval"],
  refused: ["danger", "cannot call"],
}

export function Explanation({ explanation }: { readonly explanation: AccessExplanation }): ReactNode {
  const { user, address, outcome, stop, steps } = explanation
  const [tone, verb] = verdicts[outcome]
  // The account is told about only where it is the reason.
  const shown = accessStages.filter((stage) => stage !== "principal" || stop === "principal")
  return (
    <section aria-label="Why" className="flex flex-col gap-3">
      <p className="flex flex-wrap items-center gap-x-2 text-lg" role="status">
        <Line>{user}</Line>
        <Status tone={tone}>{verb}</Status>
        <Mono className="break-all">{address}</Mono>
      </p>
      <ol className="divide-y divide-line rounded-card border border-line">
        {shown.map((stage) => (
          <Stage key={stage} stage={stage} step={steps.find((one) => one.stage === stage)} isStop={stage === stop} user={user} />
        ))}
      </ol>
    </section>
  )
}

type StageProps = { readonly stage: AccessStage; readonly step: AccessStep | undefined; readonly isStop: boolean; readonly user: string }

function Stage({ stage, step, isStop, user }: StageProps): ReactNode {
  const outcome = step === undefined ? null : outcomes[step.outcome]
  return (
    <li
      aria-current={isStop ? "step" : undefined}
      className={`grid grid-cols-[minmax(0,1fr)_auto] gap-x-3 gap-y-1 px-3 py-2 min-[600px]:grid-cols-[132px_84px_minmax(0,1fr)] ${isStop ? "shadow-[inset_2px_0_0_var(--danger)]" : ""}`}
    >
      <span className={isStop ? "font-semibold" : step === undefined ? "text-tertiary" : ""}>{stageNames[stage]}</span>
      <span>{outcome === null ? <span className="text-tertiary">Not reached</span> : <Status tone={outcome[0]}>{outcome[1]}</Status>}</span>
      {step === undefined ? null : (
        <span className="col-span-2 flex min-w-0 flex-col items-start gap-1 min-[600px]:col-span-1">
          {isStop ? (
            <strong>
              <Line className="break-words">{step.message}</Line>
            </strong>
          ) : (
            <Line className="break-words">{step.message}</Line>
          )}
          {step.change === undefined ? null : <Line className="break-words text-secondary">{step.change}</Line>}
          {step.about === undefined ? null : <SubjectLink about={step.about} user={user} />}
        </span>
      )}
    </li>
  )
}

/** Where it is changed. */
function SubjectLink({ about, user }: { readonly about: AccessSubject; readonly user: string }): ReactNode {
  const { kind, id } = about
  const [, set] = useFilters<keyof PeopleFilters>()
  switch (kind) {
    case "user":
      return <Button onClick={() => set({ person: id }, { isStep: true })}>Open the person</Button>
    case "token":
      return <Button onClick={() => set({ person: user }, { isStep: true })}>Open their tokens</Button>
    case "role":
      return (
        <Link to="/roles" search={{ role: id }}>
          Open the role
        </Link>
      )
    case "rule":
      return (
        <LinkButton to="/policies" search={{ rule: id }}>
          Open the rule
        </LinkButton>
      )
    case "tool":
      return (
        <Link to="/registry" search={{ tool: id }}>
          Open the tool
        </Link>
      )
    case "integration":
      return (
        <Link to="/integrations/$slug" params={{ slug: id }}>
          Open the integration
        </Link>
      )
  }
}
