// How the states of executions are told, and who runs them.
import type { ReactNode } from "react"
import type { ExecutionStatus, ExecutionSummary } from "toolplane/client"
import { Status } from "../../ui/badge.tsx"
import type { Tone } from "../../ui/badge.tsx"
import { Line } from "../../ui/text/text.tsx"

const states: Record<ExecutionStatus, readonly [Tone, string]> = {
  running: ["info", "Running"],
  paused: ["waiting", "Waiting"],
  completed: ["ok", "Completed"],
  failed: ["danger", "Failed"],
  cancelled: ["neutral", "Cancelled"],
}

export const statusNames = Object.entries(states).map(([status, [, name]]) => [status, name] as const)

export const isStatus = (text: string | undefined): text is ExecutionStatus => text !== undefined && Object.hasOwn(states, text)

export const executionState = (status: ExecutionStatus): readonly [Tone, string] => states[status]

export function ExecutionStatusBadge({ status }: { readonly status: ExecutionStatus }): ReactNode {
  const [tone, name] = states[status]
  return <Status tone={tone}>{name}</Status>
}

export function Who({ principal }: Pick<ExecutionSummary, "principal">): ReactNode {
  const { kind, tokenName, user } = principal
  if (kind === "human") return <Line>{user}</Line>
  return (
    <>
      {tokenName === null ? "An agent" : <Line>{tokenName}</Line>}
      <span className="text-tertiary">
        {" for "}
        <Line>{user}</Line>
      </span>
    </>
  )
}
