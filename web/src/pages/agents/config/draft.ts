// An agent as it is being edited: what people type, what is wrong with it, and what is sent.
import type { AgentModelOptions, AgentUpdate, AgentView } from "toolplane/client"
import { parseObject } from "../../registry/json-text.ts"

export const limitNames = ["steps", "calls", "tokens", "wallSeconds"] as const
export type LimitName = (typeof limitNames)[number]

/** Numbers and schemas are what was typed. */
export type Draft = {
  readonly name: string
  readonly slug: string
  readonly description: string
  readonly instructions: string
  readonly provider: string
  readonly model: string
  readonly temperature: string
  readonly maxOutputTokens: string
  readonly reasoning: string
  /** What this form has no field for. */
  readonly otherOptions: AgentModelOptions
  readonly tools: readonly string[]
  readonly executionMode: string
  readonly limits: Readonly<Record<LimitName, string>>
  readonly inputSchema: string
  readonly outputSchema: string
}

export type DraftField = Exclude<keyof Draft, "otherOptions">
export type DraftProblems = { readonly [field in DraftField]?: string }

const numberText = (value: number | undefined): string => (value === undefined ? "" : String(value))
const schemaText = (schema: AgentView["inputSchema"]): string => (schema === null ? "" : JSON.stringify(schema, null, 2))

export function draftOf(agent: AgentView): Draft {
  const { temperature, maxOutputTokens, reasoning, ...otherOptions } = agent.model.options ?? {}
  const { steps, calls, tokens, wallMs } = agent.limits
  return {
    name: agent.name,
    slug: agent.slug,
    description: agent.description,
    instructions: agent.instructions,
    provider: agent.model.provider,
    model: agent.model.name,
    temperature: numberText(temperature),
    maxOutputTokens: numberText(maxOutputTokens),
    reasoning: reasoning ?? "",
    otherOptions,
    tools: agent.tools,
    executionMode: agent.executionMode,
    limits: {
      steps: numberText(steps),
      calls: numberText(calls),
      tokens: numberText(tokens),
      wallSeconds: numberText(wallMs === undefined ? undefined : wallMs / 1000),
    },
    inputSchema: schemaText(agent.inputSchema),
    outputSchema: schemaText(agent.outputSchema),
  }
}

export const isSame = (a: Draft, b: Draft): boolean => JSON.stringify(a) === JSON.stringify(b)

/** What can be said without the server, which checks everything again. */
export function problemsOf(draft: Draft): DraftProblems {
  const limit = limitNames.find((name) => !isNumber(draft.limits[name], name === "wallSeconds"))
  return {
    ...(draft.name.trim() === "" ? { name: "An agent needs a name" } : {}),
    ...(draft.instructions.trim() === "" ? { instructions: "Say what the agent is to do" } : {}),
    ...(draft.provider === "" || draft.model.trim() === "" ? { model: "Choose a provider and a model" } : {}),
    ...(isNumber(draft.temperature, true) ? {} : { temperature: "Write a number from 0 to 2, or nothing" }),
    ...(isNumber(draft.maxOutputTokens, false) ? {} : { maxOutputTokens: "Write a whole number, or nothing" }),
    ...(limit === undefined ? {} : { limits: "Limits are whole numbers, or empty" }),
    ...schemaProblem("inputSchema", draft),
    ...schemaProblem("outputSchema", draft),
  }
}

function schemaProblem(field: "inputSchema" | "outputSchema", draft: Draft): DraftProblems {
  const parsed = draft[field].trim() === "" ? null : parseObject(draft[field])
  return parsed === null || parsed.ok ? {} : { [field]: parsed.problem }
}

const isNumber = (text: string, mayBeBroken: boolean): boolean => (mayBeBroken ? /^\s*(\d+(\.\d+)?)?\s*$/ : /^\s*\d*\s*$/).test(text)

const numberIn = (text: string): number | undefined => (text.trim() === "" ? undefined : Number(text))

/** Of a draft without problems. */
export function toUpdate(draft: Draft): AgentUpdate {
  const { limits, reasoning } = draft
  const wallSeconds = numberIn(limits.wallSeconds)
  return {
    name: draft.name,
    slug: draft.slug,
    description: draft.description,
    instructions: draft.instructions,
    model: {
      provider: draft.provider,
      name: draft.model.trim(),
      ...withOptions({
        ...draft.otherOptions,
        ...given("temperature", numberIn(draft.temperature)),
        ...given("maxOutputTokens", numberIn(draft.maxOutputTokens)),
        ...(isReasoning(reasoning) ? { reasoning } : {}),
      }),
    },
    tools: draft.tools,
    executionMode: draft.executionMode === "parallel_safe" ? "parallel_safe" : "sequential",
    limits: {
      ...given("steps", numberIn(limits.steps)),
      ...given("calls", numberIn(limits.calls)),
      ...given("tokens", numberIn(limits.tokens)),
      ...given("wallMs", wallSeconds === undefined ? undefined : Math.round(wallSeconds * 1000)),
    },
    inputSchema: schemaIn(draft.inputSchema),
    outputSchema: schemaIn(draft.outputSchema),
  }
}

const given = (name: string, value: number | undefined): Readonly<Record<string, number>> => (value === undefined ? {} : { [name]: value })

const withOptions = (options: AgentModelOptions): { options?: AgentModelOptions } => (Object.keys(options).length === 0 ? {} : { options })

export const reasonings = ["none", "minimal", "low", "medium", "high"] as const
const isReasoning = (text: string): text is (typeof reasonings)[number] => reasonings.some((one) => one === text)

function schemaIn(text: string): AgentView["inputSchema"] {
  const parsed = text.trim() === "" ? null : parseObject(text)
  return parsed?.ok === true ? parsed.value : null
}
