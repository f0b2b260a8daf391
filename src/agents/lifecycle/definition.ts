// Makes the definition of an agent out of what somebody sends, checked field by field.
import { agentExecutionModes } from "../../core/agents/agent.ts"
import type { AgentCreate, AgentDefinition, AgentLimits, AgentModel, AgentUpdate } from "../../core/agents/agent.ts"
import { modelName } from "../../core/agents/model-provider.ts"
import { ExecutorError } from "../../core/errors.ts"
import { canonicalJson } from "../../core/json/canonical.ts"
import type { Limits } from "../../core/limits.ts"
import type { Scope } from "../../core/principal.ts"
import type { JsonSchema } from "../../core/tool.ts"
import { sha256 } from "../../io/ids.ts"
import { normalizePolicyPattern } from "../../policy/match.ts"
import { checkDescription, checkName, checkSchemas } from "../../registry/tool-input.ts"
import { readModels } from "../../models/providers.ts"
import type { AgentRow } from "../../store/agents/agent-store.ts"
import type { Store } from "../../store/store.ts"

export const emptyDefinition: AgentDefinition = {
  name: "",
  description: "",
  instructions: "",
  model: { provider: "", name: "" },
  tools: [],
  executionMode: "sequential",
  limits: {},
  inputSchema: null,
  outputSchema: null,
}

export function changeDefinition(change: AgentCreate | AgentUpdate, before: AgentDefinition, limits: Limits): AgentDefinition {
  return {
    name: change.name === undefined ? before.name : checkName(change.name, limits),
    description: change.description === undefined ? before.description : checkDescription(change.description, limits),
    instructions: change.instructions === undefined ? before.instructions : checkInstructions(change.instructions, limits),
    model: change.model === undefined ? before.model : checkModel(change.model, limits),
    tools: change.tools === undefined ? before.tools : checkTools(change.tools, limits),
    executionMode: change.executionMode === undefined ? before.executionMode : checkMode(change.executionMode),
    limits: change.limits === undefined ? before.limits : checkLimits(change.limits, limits),
    inputSchema: change.inputSchema === undefined ? before.inputSchema : checkInput(change.inputSchema, limits),
    outputSchema: change.outputSchema === undefined ? before.outputSchema : checkOutput(change.outputSchema, limits),
  }
}

function checkInstructions(text: string, { agentInstructionsCharsMax }: Limits): string {
  if (text.trim() === "") throw invalid("instructions are empty; say what the agent is to do")
  if (text.length > agentInstructionsCharsMax) throw invalid(`instructions must have at most ${agentInstructionsCharsMax} characters`)
  return text
}

function checkModel({ provider, name, options }: AgentModel, { nameCharsMax }: Limits): AgentModel {
  if (provider === "" || name === "" || provider.length > nameCharsMax || name.length > nameCharsMax)
    throw invalid('model needs a provider and a name, such as { "provider": "openai", "name": "gpt-5" }')
  return { provider, name, ...(options === undefined ? {} : { options }) }
}

/** As patterns of policies: `github.issues.*` is everything below. */
function checkTools(tools: readonly string[], { agentToolPatternsMax }: Limits): readonly string[] {
  if (tools.length > agentToolPatternsMax) throw invalid(`tools may have at most ${agentToolPatternsMax} addresses and patterns`)
  return [...new Set(tools.map(normalizePolicyPattern))]
}

function checkMode(mode: string): AgentDefinition["executionMode"] {
  const found = agentExecutionModes.find((one) => one === mode)
  if (found === undefined) throw invalid(`executionMode must be one of ${agentExecutionModes.join(", ")}`)
  return found
}

function checkLimits(given: AgentLimits, limits: Limits): AgentLimits {
  const most: Record<keyof AgentLimits, number> = {
    steps: limits.agentStepsMax,
    calls: limits.agentCallsMax,
    tokens: limits.agentTokensMax,
    wallMs: limits.agentWallMsMax,
  }
  for (const [name, value] of Object.entries(given)) {
    const max = Object.hasOwn(most, name) ? most[name as keyof AgentLimits] : undefined // its own keys
    if (max === undefined) throw invalid(`limits has no '${name.slice(0, 40)}'; it takes ${Object.keys(most).join(", ")}`)
    if (!Number.isInteger(value) || value < 1 || value > max) throw invalid(`limits.${name} must be a whole number from 1 to ${max}`)
  }
  return given
}

const checkInput = (schema: JsonSchema | null, limits: Limits): JsonSchema | null =>
  schema === null ? null : checkSchemas({ input: schema }, limits).input

const checkOutput = (schema: JsonSchema | null, limits: Limits): JsonSchema | null =>
  schema === null ? null : (checkSchemas({ input: {}, output: schema }, limits).output ?? null)

/** What it names outside of itself; asked again before it is published. */
export async function checkProvider(scope: Scope, { model }: AgentDefinition, store: Store): Promise<void> {
  const provider = await store.modelProviders.get(scope, model.provider)
  if (provider === null)
    throw invalid(
      `model.provider: there is no model provider '${model.provider.slice(0, 80)}'; GET /models/providers lists them, and an admin adds one`,
    )
  const models = readModels(provider).map(modelName)
  if (models.length > 0 && !models.includes(model.name))
    throw invalid(`model.name: the provider '${provider.id}' offers ${models.slice(0, 10).join(", ")}, not '${model.name.slice(0, 80)}'`)
}

export const contentHash = (definition: AgentDefinition): string => sha256(canonicalJson(definition))

// Written by this folder alone, in exactly this shape.
export const readDefinition = ({ definition }: Pick<AgentRow, "definition">): AgentDefinition => JSON.parse(definition) as AgentDefinition

const invalid = (message: string): ExecutorError => new ExecutorError("invalid_request", message)
