// What an agent's run may use together with the runs that it starts: each call and token counts for it and for all above it, as it happens.
import type { AgentDefinition } from "../../../core/agents/agent.ts"
import type { ModelUsage } from "../../../core/agents/model-provider.ts"
import type { Limits } from "../../../core/limits.ts"
import { limitsOf } from "../../../agents/loop/limits.ts"
import type { CallRow } from "../../../store/execution-store.ts"
import { parentOf } from "../../programs/call-tree.ts"

export type Allowance = {
  /** Counts a call by its key in the root's journal, once. False: this run, or one above it, may make no more. */
  takeCall(key: string): boolean
  /** Counts an answer of a model. */
  add(usage: ModelUsage): void
  /** Of all answers so far. */
  usage(): readonly ModelUsage[]
  /** This run, or one above it, has used all of its tokens. */
  isSpent(): boolean
  /** Of the runs that started this one. */
  readonly above: Allowance | null
}

export const modelPrefix = "model/"

/** `prefix`: of the keys of its calls and of all below it. `recorded`: what was done in earlier runs of the root. */
export function createAllowance(
  prefix: string,
  definition: AgentDefinition,
  recorded: Iterable<CallRow>,
  above: Allowance | null,
  limits: Limits,
): Allowance {
  const max = limitsOf(definition, limits)
  const calls = new Set<string>()
  const answers: ModelUsage[] = []
  let tokens = 0
  const count = (usage: ModelUsage): void => {
    answers.push(usage)
    tokens += usage.inputTokens + usage.outputTokens
  }
  for (const { key, path, answerJson } of recorded) {
    if (!key.startsWith(prefix)) continue
    if (path.startsWith(modelPrefix) && answerJson !== null) count(usageIn(answerJson))
    else if (isOfAgent(key)) calls.add(key)
  }
  return {
    above,
    usage: () => answers,
    isSpent: () => tokens >= max.tokens || above?.isSpent() === true,
    takeCall(key) {
      if (calls.has(key)) return true
      if (calls.size >= max.calls || above?.takeCall(key) === false) return false
      calls.add(key)
      return true
    },
    add(usage) {
      count(usage)
      above?.add(usage)
    },
  }
}

/** Agents number their calls by step and place; what the code of a tool calls counts for the execution alone. */
function isOfAgent(key: string): boolean {
  const parent = parentOf(key)
  return /^c\d+:\d+$/.test(parent === null ? key : key.slice(parent.length + 1))
}

/** Of a model's answer, as a step records it. */
export const usageIn = (answerJson: string): ModelUsage =>
  (JSON.parse(answerJson) as { usage?: ModelUsage }).usage ?? { inputTokens: 0, outputTokens: 0 } // written by `agents/loop/step.ts`
