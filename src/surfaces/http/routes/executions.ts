// Executions over HTTP: running code, answering approvals, and reading the history.
import { z } from "zod"
import { addressBytesMax } from "../../../core/address.ts"
import type { Limits } from "../../../core/limits.ts"
import { callDetail } from "./console/call-schema.ts"
import * as example from "./execution-example.ts"
import * as schema from "./execution-schema.ts"
import { pageFields, pageOf } from "./shared-schema.ts"
import type { Route } from "./route.ts"
import { defineEventRoute, defineRoute } from "./route.ts"

/** JSON writes a character in at most six, so that it is the length of the code itself that counts. */
const escapedCharsMax = 6

export function executionRoutes(limits: Limits): Route[] {
  const input = schema.executionInput(limits)
  const params = z.strictObject({
    id: z
      .string()
      .min(1)
      .max(limits.nameCharsMax)
      .meta({ examples: [example.executionIdExample] }),
  })
  const one = { tag: "executions", path: "/executions/{id}", params } as const
  const replied = (description: string) => ({
    status: 200 as const,
    description,
    schema: schema.executionReply,
    example: example.replyExample,
  })

  return [
    defineRoute({
      id: "executions.create",
      tag: "executions",
      method: "post",
      path: "/executions",
      summary: "Run code",
      description:
        "Runs code until it ends or waits for a human. Code that fails returns 200 with `isError`; any other status means that nothing was started. The execution continues if the client disconnects, unless `cancelOnDisconnect` is set.",
      errors: ["payload_too_large", "rate_limited"],
      body: {
        schema: input.create,
        bytesMax: limits.codeBytesMax * escapedCharsMax + limits.requestSmallBodyBytesMax,
        examples: { run: { code: example.codeExample }, raw: { code: "return await tools.github.repos.list({})", results: "raw" } },
      },
      answer: { ...replied("The result, or what the execution waits for."), example: example.pausedExample },
      handle: ({ body: { code, ...options } }, api, signal) =>
        api.run(code, options.cancelOnDisconnect === true ? { ...options, signal } : options),
    }),
    defineRoute({
      id: "executions.list",
      tag: "executions",
      method: "get",
      path: "/executions",
      summary: "List executions",
      description:
        "The history, newest first. An agent sees its own executions, a human also those of their agents, an admin all of them. Runs of agents that other executions have called are left out, unless `parentId` asks for them.",
      errors: [],
      query: z.strictObject({
        status: schema.executionStatus.exactOptional().meta({ description: "Only executions in this state." }),
        principal: z
          .string()
          .min(1)
          .max(limits.nameCharsMax)
          .exactOptional()
          .meta({ description: "Only executions of this user, or of the token with this id (`tok_…`)." }),
        tool: z
          .string()
          .min(1)
          .max(addressBytesMax + "tools.".length)
          .exactOptional()
          .meta({ description: "Only executions that have called this tool." }),
        query: z.string().max(limits.nameCharsMax).exactOptional().meta({ description: "Text to find in the code or id, ignoring case." }),
        since: z.iso.datetime().exactOptional().meta({ description: "Only executions that started at this time or later." }),
        until: z.iso.datetime().exactOptional().meta({ description: "Only executions that started before this time." }),
        parentId: z.string().min(1).max(limits.nameCharsMax).exactOptional().meta({
          description: "Only the runs of agents that this execution has called; `any`: all executions, with those that agents called.",
        }),
        ...pageFields(limits),
      }),
      answer: {
        status: 200,
        description: "One page of executions.",
        schema: pageOf("ExecutionPage", schema.executionSummary),
        example: { items: [example.summaryExample], nextCursor: null },
      },
      handle: ({ query }, api) => api.executions.list(query),
    }),
    defineRoute({
      ...one,
      id: "executions.get",
      method: "get",
      summary: "Show an execution",
      description: "The result, the code that ran, and every call it made.",
      errors: ["not_found"],
      answer: { status: 200, description: "The execution.", schema: schema.executionView, example: example.viewExample },
      handle: ({ params: { id } }, api) => api.executions.get(id),
    }),
    defineRoute({
      ...one,
      id: "executions.calls",
      method: "get",
      path: `${one.path}/calls`,
      summary: "List an execution's calls",
      description:
        "What a timeline of the execution shows: every call with its times, the line of code that makes it, the wait for a human, the decision with its rule, and its answer. A call is followed by those that its tool made.",
      errors: ["not_found"],
      query: z.strictObject(pageFields(limits)),
      answer: {
        status: 200,
        description: "One page of calls.",
        schema: pageOf("CallPage", callDetail),
        example: { items: [example.callDetailExample], nextCursor: null },
      },
      handle: ({ params: { id }, query }, api) => api.executions.calls(id, query),
    }),
    defineRoute({
      ...one,
      id: "executions.result",
      method: "get",
      path: `${one.path}/result`,
      summary: "Read a large result",
      description: "The complete result as JSON text, in pieces. Lengths are counted in characters.",
      errors: ["not_found", "conflict"],
      query: z.strictObject({
        offset: z.int().min(0).exactOptional().meta({ description: "Where the piece starts.", default: 0 }),
        length: z.int().min(1).exactOptional().meta({ description: "The maximum length of the piece." }),
      }),
      answer: {
        status: 200,
        description: "One piece of the result.",
        schema: schema.resultPiece,
        example: { text: '[{"number":1347,"title":"Found a bug"}', nextOffset: 39 },
      },
      handle: ({ params: { id }, query }, api) => api.executions.result(id, query),
    }),
    defineRoute({
      ...one,
      id: "executions.resume",
      method: "post",
      path: `${one.path}/resume`,
      summary: "Answer a paused execution",
      description:
        "Answers pending approvals, and continues the execution until it ends or pauses again. Without ids, it answers the approvals in the latest pause that you were shown, never any requested since then. If a reply was lost, send the same request again to get it; a different answer is rejected. An agent may decline or cancel, but never accept.",
      errors: ["not_found", "conflict", "already_answered", "payload_too_large", "rate_limited"],
      body: {
        schema: input.resume,
        bytesMax: limits.requestSmallBodyBytesMax,
        examples: { accept: { action: "accept" }, one: { action: "decline", approvalId: example.approvalIdExample } },
      },
      answer: replied("The result, or what the execution waits for now."),
      handle: ({ params: { id }, body }, api, signal) => api.resume(id, { ...body, signal }),
    }),
    defineRoute({
      ...one,
      id: "executions.cancel",
      method: "post",
      path: `${one.path}/cancel`,
      summary: "Cancel an execution",
      description: "Stops its code, its upstream requests and its pending approvals. An execution that has ended is not changed.",
      errors: ["not_found", "conflict"],
      answer: replied("The execution after the request."),
      handle: ({ params: { id } }, api) => api.executions.cancel(id),
    }),
    defineEventRoute({
      ...one,
      id: "executions.events",
      method: "get",
      path: `${one.path}/events`,
      summary: "Follow an execution",
      description:
        "Server-sent events from now on: `call`, `log`, `emit` and `text`, and finally `pause` or `end`. If the execution is already paused or has ended, that event is sent immediately. If it runs on another node, calls are reported as they are stored (a read once it is done), and logs and emitted values come with the last event. What agents say that it has called has the `path` of tools that leads to them.",
      errors: ["not_found"],
      answer: { description: "The events, each named after its type.", schema: schema.executionEvent, example: example.eventExample },
      open: ({ params: { id } }, api, signal) => api.executions.events(id, signal),
    }),
  ]
}
