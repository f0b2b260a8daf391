// What a run may use: its agent's limits, what it has used of them, and whether it goes in circles.
import type { AgentDefinition } from "../../core/agents/agent.ts"
import { canonicalJson } from "../../core/json/canonical.ts"
import type { Limits } from "../../core/limits.ts"
import type { ModelCall } from "./calls.ts"

export type RunLimits = { readonly steps: number; readonly calls: number; readonly tokens: number }

export const limitsOf = ({ limits: own }: AgentDefinition, limits: Limits): RunLimits => ({
  steps: own.steps ?? limits.agentStepsMax,
  calls: own.calls ?? limits.agentCallsMax,
  tokens: own.tokens ?? limits.agentTokensMax,
})

/** Counts identical calls in a row, over the steps of a run. */
export type Repetition = { next(call: ModelCall): number }

export function createRepetition(): Repetition {
  let last = ""
  let count = 0
  return {
    next({ name, input }) {
      const identity = `${name} ${identityOf(input)}`
      count = identity === last ? count + 1 : 1
      last = identity
      return count
    },
  }
}

function identityOf(input: string): string {
  try {
    return canonicalJson(JSON.parse(input))
  } catch {
    return input
  }
}
