// Agents over HTTP: their lifecycle, their versions and their runs.
import { z } from "zod"
import type { Limits } from "../../../../core/limits.ts"
import { replyFields } from "../execution-schema.ts"
import { toolDiff } from "../registry/schema.ts"
import type { Route } from "../route.ts"
import { defineRoute } from "../route.ts"
import { pageFields, pageOf } from "../shared-schema.ts"
import { agent, agentExample, agentFields, agentVersion } from "./agent-schema.ts"

const runReply = z
  .object({
    ...replyFields,
    runId: z.string().meta({ description: "The id of the execution." }),
    output: z.unknown().meta({ description: "The agent's answer; null where it has not ended." }),
  })
  .meta({ id: "AgentRunReply" })

const runExample = {
  executionId: "exe_0mw8x2c1a000f00d",
  runId: "exe_0mw8x2c1a000f00d",
  status: "completed" as const,
  text: "Your order is on its way.",
  output: "Your order is on its way.",
  structured: {
    status: "completed" as const,
    result: "Your order is on its way.",
    logs: [],
    emitted: [],
    toolOutputs: [{ tool: "tools.shop.org.main.orders.get", callId: "call_1", ok: true, output: { status: "sent" } }],
    context: {},
    state: { lastAgentOutput: "Your order is on its way." },
    usage: { inputTokens: 420, outputTokens: 31, steps: 2, calls: 1 },
  },
  isError: false,
}

export function agentRoutes(limits: Limits): Route[] {
  const id = z.string().max(limits.nameCharsMax)
  const one = { tag: "agents", params: z.strictObject({ id: id.meta({ description: "The id or the slug." }) }) } as const
  const bytesMax = limits.requestSmallBodyBytesMax + limits.agentInstructionsCharsMax * 4
  const input = agentFields(limits)
  const shown = (status: 200 | 201, description: string) => ({ status, description, schema: agent, example: agentExample })
  const version = z.string().max(40)
  return [
    defineRoute({
      id: "agents.list",
      tag: "agents",
      method: "get",
      path: "/agents",
      summary: "List agents",
      description: "Whoever edits sees working copies, everybody else what is published and visible to them.",
      errors: [],
      query: z.strictObject(pageFields(limits)),
      answer: {
        status: 200,
        description: "One page of agents.",
        schema: pageOf("AgentPage", agent),
        example: { items: [agentExample], nextCursor: null },
      },
      handle: ({ query }, api) => api.agents.list(query),
    }),
    defineRoute({
      id: "agents.create",
      tag: "agents",
      method: "post",
      path: "/agents",
      summary: "Make an agent",
      description: "Makes a draft; publish it to run it. For humans with `registry.write`.",
      errors: ["forbidden", "conflict", "payload_too_large"],
      body: {
        schema: input.create,
        bytesMax,
        spellings: "both",
        examples: {
          support: {
            slug: "support",
            name: "Support",
            instructions: agentExample.instructions,
            model: agentExample.model,
            tools: ["shop.orders.**"],
          },
        },
      },
      answer: shown(201, "The agent."),
      handle: ({ body }, api) => api.agents.create(given(body)),
    }),
    defineRoute({
      ...one,
      id: "agents.get",
      method: "get",
      path: "/agents/{id}",
      summary: "Show an agent",
      description: "The working copy for whoever edits, what is published for everybody else.",
      errors: ["not_found"],
      answer: shown(200, "The agent."),
      handle: ({ params }, api) => api.agents.get(params.id),
    }),
    defineRoute({
      ...one,
      id: "agents.update",
      method: "put",
      path: "/agents/{id}",
      summary: "Change an agent",
      description:
        "Changes the given fields of the working copy; what is published stays until the next publish. For humans with `registry.write`.",
      errors: ["forbidden", "not_found", "conflict", "payload_too_large"],
      body: { schema: input.update, bytesMax, spellings: "both", examples: { tools: { tools: ["shop.**"] } } },
      answer: shown(200, "The agent as it is now."),
      handle: ({ params, body }, api) => api.agents.update(params.id, given(body)),
    }),
    defineRoute({
      ...one,
      id: "agents.remove",
      method: "delete",
      path: "/agents/{id}",
      summary: "Remove an agent",
      description: "Removes a draft. What was ever published is disabled instead, and is the answer.",
      errors: ["forbidden", "not_found"],
      answer: {
        status: 200,
        description: "`agent`: what was disabled; null where it is gone.",
        schema: z.object({ removed: z.boolean(), agent: agent.nullable() }).meta({ id: "AgentRemoval" }),
        example: { removed: true, agent: null },
      },
      handle: async ({ params }, api) => {
        const left = await api.agents.remove(params.id)
        return { removed: left === null, agent: left }
      },
    }),
    defineRoute({
      ...one,
      id: "agents.publish",
      method: "post",
      path: "/agents/{id}/publish",
      summary: "Publish an agent",
      description: "The working copy becomes what runs, under a version of its own. For humans with `registry.publish`.",
      errors: ["forbidden", "not_found", "conflict"],
      body: {
        schema: z.strictObject({ reason: z.string().exactOptional() }).optional().meta({ id: "AgentPublish" }),
        bytesMax: limits.requestSmallBodyBytesMax,
        isOptional: true,
        examples: { reason: { reason: "Answers in French too" } },
      },
      answer: shown(200, "The agent as it is now."),
      handle: ({ params, body }, api) => api.agents.publish(params.id, body ?? {}),
    }),
    defineRoute({
      ...one,
      id: "agents.versions",
      method: "get",
      path: "/agents/{id}/versions",
      summary: "List the versions of an agent",
      description: "The newest first. For whoever edits.",
      errors: ["forbidden", "not_found"],
      query: z.strictObject(pageFields(limits)),
      answer: {
        status: 200,
        description: "One page of versions.",
        schema: pageOf("AgentVersionPage", agentVersion),
        example: { items: [], nextCursor: null },
      },
      handle: ({ params, query }, api) => api.agents.versions(params.id, query),
    }),
    defineRoute({
      ...one,
      id: "agents.diff",
      method: "get",
      path: "/agents/{id}/diff",
      summary: "Compare versions of an agent",
      description: "What differs between two versions; by default what publishing would change.",
      errors: ["forbidden", "not_found"],
      query: z.strictObject({ from: version.exactOptional(), to: version.exactOptional() }),
      answer: {
        status: 200,
        description: "The differences, the worst first.",
        schema: toolDiff,
        example: { kind: "none" as const, effectChanged: false, changes: [], json: [], truncated: false },
      },
      handle: ({ params, query }, api) => api.agents.diff(params.id, query),
    }),
    defineRoute({
      ...one,
      id: "agents.rollback",
      method: "post",
      path: "/agents/{id}/rollback",
      summary: "Roll an agent back",
      description: "Publishes an earlier version again, as a new patch version. For humans with `registry.publish`.",
      errors: ["forbidden", "not_found", "conflict"],
      body: {
        schema: z.strictObject({ version }).meta({ id: "AgentRollback" }),
        bytesMax: limits.requestSmallBodyBytesMax,
        examples: { first: { version: "1.0.0" } },
      },
      answer: shown(200, "The agent as it is now."),
      handle: ({ params, body }, api) => api.agents.rollback(params.id, body.version),
    }),
    defineRoute({
      ...one,
      id: "agents.run",
      method: "post",
      path: "/agents/{id}/runs",
      summary: "Run an agent",
      description:
        "Runs it until it ends or waits for a human, who is asked before it begins where calling its tool would ask. A run is an execution: `GET /executions/{id}` shows its steps and calls, `…/events` streams text, calls and pauses, and approvals are answered as ever.",
      errors: ["not_found", "tool_blocked", "forbidden", "payload_too_large", "rate_limited"],
      body: { schema: input.run, bytesMax: limits.codeBytesMax * 6, examples: { ask: { text: "Where is order 42?" } } },
      answer: { status: 200, description: "The output, or what the run waits for.", schema: runReply, example: runExample },
      handle: ({ params, body }, api) => api.agents.run(params.id, given(body)),
    }),
    defineRoute({
      tag: "agents",
      id: "agents.runOnce",
      method: "post",
      path: "/agents/runs",
      summary: "Run without a stored agent",
      description:
        "Runs the model, instructions and tools of `agent` once, as `POST /agents/{id}/runs` runs a stored agent. For whoever may run working copies: humans with `registry.write`, and tokens with `debug`.",
      errors: ["tool_blocked", "forbidden", "payload_too_large", "rate_limited"],
      body: {
        schema: input.once,
        bytesMax: limits.codeBytesMax * 6,
        examples: { ask: { agent: { model: agentExample.model, tools: ["shop.orders.**"] }, text: "Where is order 42?" } },
      },
      answer: { status: 200, description: "The output, or what the run waits for.", schema: runReply, example: runExample },
      handle: ({ body }, api) => api.agents.runOnce(given({ ...body, agent: given(body.agent) })),
    }),
  ]
}

type Given<Fields> = { readonly [Name in keyof Fields]: Exclude<Fields[Name], undefined> }

/** Drops undefined fields. */
const given = <Fields extends object>(fields: Fields): Given<Fields> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<Fields> // the rest of the same fields
