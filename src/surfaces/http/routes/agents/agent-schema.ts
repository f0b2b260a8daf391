// How agents, their versions and their runs look over HTTP.
import { z } from "zod"
import { agentExecutionModes, agentStatuses } from "../../../../core/agents/agent.ts"
import type { Limits } from "../../../../core/limits.ts"
import { executionModes } from "../../../../core/execution.ts"
import { timestamp } from "../shared-schema.ts"

const jsonSchema = z.record(z.string(), z.unknown())

const modelOptions = z
  .strictObject({
    temperature: z.number().min(0).max(2).exactOptional(),
    topP: z.number().min(0).max(1).exactOptional(),
    maxOutputTokens: z.int().min(1).max(1_000_000).exactOptional(),
    seed: z.int().exactOptional(),
    reasoning: z.enum(["none", "minimal", "low", "medium", "high"]).exactOptional(),
  })
  .meta({ id: "AgentModelOptions" })

const model = z
  .strictObject({
    provider: z.string().meta({ description: "The id of a model provider." }),
    name: z.string().meta({ description: "As the provider names the model." }),
    options: modelOptions.exactOptional(),
  })
  .meta({ id: "AgentModel" })

const limitFields = z
  .strictObject({
    steps: z.int().exactOptional(),
    calls: z.int().exactOptional(),
    tokens: z.int().exactOptional(),
    wallMs: z.int().exactOptional(),
  })
  .meta({ id: "AgentLimits", description: "Of one run; what is left out is the product's own limit." })

const definitionFields = {
  name: z.string(),
  description: z.string(),
  instructions: z.string(),
  model,
  tools: z.array(z.string()).meta({ description: "Addresses and patterns; a run sees what they match and its caller's roles allow." }),
  executionMode: z.enum(agentExecutionModes).meta({ description: "`parallel_safe`: tools that only read, or are pure, run together." }),
  limits: limitFields,
  inputSchema: jsonSchema.nullable(),
  outputSchema: jsonSchema.nullable().meta({ description: "With one, the output is a JSON value that fits it." }),
}

const definition = z.object(definitionFields).meta({ id: "AgentDefinition" })

export const agent = z
  .object({
    ...definitionFields,
    id: z.string(),
    slug: z.string(),
    address: z.string().meta({ description: "As a tool, once it is published." }),
    status: z.enum(agentStatuses),
    version: z.string(),
    publishedVersion: z.string().nullable(),
    publishedAt: timestamp.nullable(),
    hasUnpublishedChanges: z.boolean(),
    createdBy: z.string(),
    createdAt: timestamp,
    updatedAt: timestamp,
    warning: z.string().exactOptional().meta({
      description: "When it was made, changed or published: which of `tools` no tool matches today.",
    }),
  })
  .meta({ id: "Agent" })

export const agentVersion = z
  .object({
    version: z.string(),
    definition,
    by: z.string(),
    at: timestamp,
    reason: z.string().nullable(),
    isPublished: z.boolean(),
  })
  .meta({ id: "AgentVersion" })

const runFields = (limits: Limits) => ({
  input: z.unknown().optional().meta({ description: "What to work on: any JSON value." }),
  text: z.string().exactOptional().meta({ description: "What to do, in words." }),
  messages: z.array(z.strictObject({ role: z.enum(["user", "assistant"]), text: z.string() })).exactOptional(),
  context: z.record(z.string(), z.unknown()).exactOptional().meta({ description: "Facts that the agent may use." }),
  mode: z.enum(executionModes).exactOptional().meta({ description: "`debug`: the working copy runs, for whoever may edit it." }),
  workspace: z.string().min(1).max(limits.nameCharsMax).exactOptional().meta({
    description: "A workspace that this token has opened and follows: the run has its tools, `local.*`, beside its own.",
  }),
  wait: z.boolean().exactOptional().meta({ description: "False: answers as soon as the run has started; follow its events." }),
})

const once = z
  .strictObject({
    model,
    instructions: definitionFields.instructions.exactOptional(),
    tools: definitionFields.tools.exactOptional(),
    executionMode: definitionFields.executionMode.exactOptional(),
    limits: limitFields.exactOptional(),
    outputSchema: definitionFields.outputSchema.exactOptional(),
  })
  .meta({ id: "AgentOnce", description: "What runs instead of a stored agent; it has no tools unless they are named." })

export const agentFields = (limits: Limits) => {
  const fields = { ...definitionFields, slug: z.string().max(limits.nameCharsMax) }
  const { name, instructions, model: required, ...rest } = fields
  const run = runFields(limits)
  return {
    create: z.strictObject({ name, instructions, model: required, ...z.strictObject(rest).partial().shape }).meta({ id: "AgentCreate" }),
    update: z.strictObject(fields).partial().meta({ id: "AgentUpdate" }),
    run: z.strictObject(run).meta({ id: "AgentRunRequest" }),
    once: z.strictObject({ ...run, agent: once }).meta({ id: "AgentOnceRequest" }),
  }
}

export const agentExample = {
  id: "agent_0mw8x2c1a000f00d",
  slug: "support",
  name: "Support",
  description: "Answers customers.",
  instructions: "Answer the customer's question. Look orders up before you answer.",
  model: { provider: "openai", name: "gpt-5" },
  tools: ["shop.orders.**"],
  executionMode: "parallel_safe" as const,
  limits: { steps: 20 },
  inputSchema: null,
  outputSchema: null,
  address: "tools.agents.org.main.support",
  status: "published" as const,
  version: "1.0.0",
  publishedVersion: "1.0.0",
  publishedAt: "2026-11-18T09:00:00.000Z",
  hasUnpublishedChanges: false,
  createdBy: "alice",
  createdAt: "2026-11-18T09:00:00.000Z",
  updatedAt: "2026-11-18T09:00:00.000Z",
}
