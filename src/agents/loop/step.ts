// One step of a run: the model is asked, and its answer is journaled with the names that it used before anything follows from it.
import { withoutRoot } from "../../core/address.ts"
import type { AgentProgram } from "../../core/agents/agent.ts"
import type { ModelUsage } from "../../core/agents/model-provider.ts"
import type { Limits } from "../../core/limits.ts"
import type { Principal } from "../../core/principal.ts"
import type {
  ModelAnswer,
  ModelFailure,
  ModelFinish,
  ModelMessage,
  ModelPart,
  ModelProvider,
  ModelRetry,
  ModelTool,
  Models,
} from "../../models/model.ts"
import type { ProgramHost } from "../../sandbox/program-runner.ts"
import type { BoundTool, ToolBinder } from "./bound-tools.ts"
import { searchToolSpecs } from "./search-tools.ts"
import { isOutput, trimLevels, trimmed } from "./transcript.ts"

/** As it is journaled. `names`: the address behind each name that the model was told; null where it searches for tools. */
export type StepRecord = {
  readonly parts: readonly ModelPart[]
  readonly finish: ModelFinish
  readonly usage: ModelUsage
  readonly names: Readonly<Record<string, string>> | null
  /** How much was left out of the outputs of tools to make the conversation fit. */
  readonly trim: number
  /** Why the model was asked again before it answered. */
  readonly retries?: readonly ModelRetry[]
}

export type StepParts = { readonly models: Models; readonly binder: ToolBinder; readonly limits: Limits }

export type StepQuestion = {
  readonly number: number
  readonly seq: number
  readonly program: AgentProgram
  readonly messages: readonly ModelMessage[]
  readonly trim: number
  /** None are offered: the run has made all the calls that it may. */
  readonly isLast: boolean
  readonly signal: AbortSignal
}

export const stepKey = (number: number): string => `m${number}`

export type StepAnswer =
  /** `tools`: as they were described to the model just now; absent for an answer of the journal. */
  | { readonly ok: true; readonly record: StepRecord; readonly tools?: readonly BoundTool[] | null }
  | ModelFailure
  /** The run has ended, or goes on elsewhere. */
  | { readonly ok: "ended" }

/** Its tools, as the model was told of them at this moment. */
export async function toolsFor(principal: Principal, patterns: readonly string[], parts: StepParts): Promise<readonly BoundTool[] | null> {
  const matched = await parts.binder.match(principal, patterns)
  return matched.size > parts.limits.agentToolsShownMax ? null : parts.binder.describe(principal, [...matched.keys()])
}

export async function askStep(question: StepQuestion, host: ProgramHost, parts: StepParts): Promise<StepAnswer> {
  const key = stepKey(question.number)
  const recorded = host.recall(key)
  if (recorded !== null) return { ok: true, record: JSON.parse(recorded.json) as StepRecord } // written below
  const { definition } = question.program.agent
  const principal = await host.current()
  if (principal === null) return { ok: "ended" }
  const provider = await openProvider(principal, definition.model.provider, parts)
  if ("ok" in provider) return provider
  const bound = question.isLast ? [] : await toolsFor(principal, definition.tools, parts)
  const failed: { failure: ModelFailure | null } = { failure: null }
  const argsJson = JSON.stringify({ step: question.number, messages: question.messages.length, tools: bound?.length ?? "search" })
  const path = `model/${definition.model.provider}/${definition.model.name}`
  const json = await host
    .remember({ key, seq: question.seq, path, argsJson }, async (signal) => {
      const answer = await askTrimming(provider, bound, { ...question, signal: AbortSignal.any([signal, question.signal]) }, host)
      if (answer.ok) return JSON.stringify(answer.record)
      failed.failure = answer
      // What is no answer is not remembered.
      throw new NoAnswer(answer.message)
    })
    .catch((error: unknown) => {
      if (error instanceof NoAnswer) return null
      throw error
    })
  if (failed.failure !== null) return failed.failure
  return json === null ? { ok: "ended" } : { ok: true, record: JSON.parse(json) as StepRecord, tools: bound }
}

class NoAnswer extends Error {
  override readonly name = "NoAnswer"
}

async function openProvider(principal: Principal, id: string, { models }: StepParts): Promise<ModelProvider | ModelFailure> {
  try {
    const provider = await models.open(principal, id)
    if (provider !== null) return provider
    return {
      ok: false,
      kind: "refused",
      message: `The model provider '${id}' is gone; an admin can add it again with POST /models/providers`,
    }
  } catch (error) {
    return { ok: false, kind: "auth", message: error instanceof Error ? error.message : String(error) }
  }
}

/** A conversation that is too long loses parts of the outputs of tools, never of its instructions. */
async function askTrimming(
  provider: ModelProvider,
  bound: readonly BoundTool[] | null,
  question: StepQuestion,
  host: ProgramHost,
): Promise<{ readonly ok: true; readonly record: StepRecord } | ModelFailure> {
  const { model } = question.program.agent.definition
  const hasOutputs = question.messages.some(isOutput)
  for (let trim = question.trim; ; trim += 1) {
    const answer = await provider.ask({
      model: model.name,
      messages: trimmed(question.messages, trim),
      tools: bound === null ? searchToolSpecs : bound.map(toSpec),
      options: model.options ?? {},
      signal: question.signal,
      onText: (text) => host.text(text),
    })
    if (answer.ok) return { ok: true, record: toRecord(answer, bound, trim) }
    if (answer.kind !== "context_too_long" || !hasOutputs || trim + 1 >= trimLevels) return answer
  }
}

const toSpec = ({ name, description, schema }: BoundTool): ModelTool => ({ name, description, parameters: schema })

const toRecord = ({ parts, finish, usage, retries }: ModelAnswer, bound: readonly BoundTool[] | null, trim: number): StepRecord => ({
  parts,
  finish,
  usage,
  names: bound === null ? null : Object.fromEntries(bound.map(({ name, address }) => [name, withoutRoot(address)])),
  trim,
  ...(retries === undefined ? {} : { retries }),
})
