// Why somebody can or cannot call a tool: the stages that a call passes, up to the first that stops it.
import type { ApprovalBy } from "../policy.ts"

export const accessStages = ["principal", "role", "lifecycle", "policy", "pin", "connection"] as const
export type AccessStage = (typeof accessStages)[number]

export type AccessExplain = {
  /** Either this or `token`. */
  readonly user?: string
  /** The id of a token, which may see less than its user. */
  readonly token?: string
  readonly address: string
  readonly args?: Record<string, unknown>
}

export const accessSubjects = ["user", "role", "token", "rule", "tool", "integration"] as const

/** What decided, or would change it. */
export type AccessSubject = { readonly kind: (typeof accessSubjects)[number]; readonly id: string }

export type AccessStep = {
  readonly stage: AccessStage
  readonly outcome: "passes" | "asks" | "stops"
  readonly message: string
  /** What would let the call pass. */
  readonly change?: string
  readonly about?: AccessSubject
}

export type AccessExplanation = {
  readonly user: string
  readonly token: string | null
  readonly address: string
  readonly outcome: "allowed" | "needs_approval" | "refused"
  /** The first stage that stops the call. */
  readonly stop: AccessStage | null
  /** Whom the rules name as approvers; each of them must hold. */
  readonly by?: readonly ApprovalBy[]
  readonly steps: readonly AccessStep[]
}
