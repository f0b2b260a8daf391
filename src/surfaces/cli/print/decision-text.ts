// What policies make of a call, in the words of people; machines get the enum.
import type { PolicyAction } from "../../../core/policy.ts"

const texts: Record<PolicyAction, string> = { allow: "allowed", require_approval: "asks", block: "blocked" }

/** Calls that no policy was asked about have none. */
export const decisionText = (decision: string | null): string =>
  decision !== null && decision in texts ? texts[decision as PolicyAction] : "" // one of its keys
