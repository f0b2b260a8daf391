// The inbox over HTTP: pending approvals, and their answers.
import { z } from "zod"
import type { Limits } from "../../../core/limits.ts"
import { approvalExample, approvalIdExample, replyExample } from "./execution-example.ts"
import { approvalView, approvalsEvent, approvalReply, executionInput } from "./execution-schema.ts"
import { pageFields, pageOf } from "./shared-schema.ts"
import type { Route } from "./route.ts"
import { defineEventRoute, defineRoute } from "./route.ts"

export function approvalRoutes(limits: Limits): Route[] {
  const id = z
    .string()
    .min(1)
    .max(limits.nameCharsMax)
    .meta({ examples: [approvalIdExample] })
  return [
    defineRoute({
      id: "approvals.list",
      tag: "approvals",
      method: "get",
      path: "/approvals",
      summary: "List pending approvals",
      description:
        "Every pending approval and form that the acting human may answer, oldest first: their own, and those of others. An agent sees what it has asked. With `waitingFor=others`: what they and their agents ask and cannot answer, with who can.",
      errors: [],
      query: z.strictObject({
        executionId: z.string().min(1).max(limits.nameCharsMax).exactOptional().meta({ description: "Only approvals of this execution." }),
        waitingFor: z
          .enum(["me", "others"])
          .exactOptional()
          .meta({ description: "Whose answer is needed: the acting human's (`me`, the default), or somebody else's for their own calls." }),
        ...pageFields(limits),
      }),
      answer: {
        status: 200,
        description: "One page of the inbox.",
        schema: pageOf("ApprovalPage", approvalView),
        example: { items: [approvalExample], nextCursor: null },
      },
      handle: ({ query }, api) => api.approvals.list(query),
    }),
    defineEventRoute({
      id: "approvals.events",
      tag: "approvals",
      method: "get",
      path: "/approvals/events",
      summary: "Follow the inbox",
      description:
        "Server-sent events: `approvals` immediately, and again whenever an approval that the acting principal can see or answer is added or settled. List the approvals to see what changed. The stream ends when the client disconnects, when its token, session or rights end or change, or when the server stops.",
      errors: [],
      params: z.strictObject({}),
      answer: { description: "The events.", schema: approvalsEvent, example: { type: "approvals" } },
      open: (_input, api, signal) => api.approvals.events(signal),
    }),
    defineRoute({
      id: "approvals.get",
      tag: "approvals",
      method: "get",
      path: "/approvals/{id}",
      summary: "Show an approval",
      description:
        "One approval or form that the acting principal can see or answer, whether pending or answered. The reason and the rule of a pending approval follow the current policies, which may have changed since it was requested.",
      errors: ["not_found"],
      params: z.strictObject({ id }),
      answer: { status: 200, description: "The approval.", schema: approvalView, example: approvalExample },
      handle: ({ params }, api) => api.approvals.get(params.id),
    }),
    defineRoute({
      id: "approvals.answer",
      tag: "approvals",
      method: "post",
      path: "/approvals/{id}",
      summary: "Answer an approval",
      description:
        "Answers one approval or form, and continues its execution until it ends or pauses again. Repeating an answer returns the same reply; a different answer is rejected. An agent may decline or cancel, but never accept. Where a rule names who may answer, anybody else is refused with who may; whoever asked may still cancel.",
      errors: ["forbidden", "not_found", "conflict", "already_answered", "payload_too_large", "rate_limited"],
      params: z.strictObject({ id }),
      body: {
        schema: executionInput(limits).answer,
        bytesMax: limits.requestSmallBodyBytesMax,
        examples: {
          accept: { action: "accept" },
          always: { action: "accept", remember: "always" },
          bounded: { action: "accept", remember: "always", when: [{ arg: "quantity", op: "lte", value: 10 }] },
        },
      },
      answer: {
        status: 200,
        description: "The result of the execution, or what it waits for now.",
        schema: approvalReply,
        example: replyExample,
      },
      handle: ({ params, body }, api, signal) => api.approvals.answer(params.id, { ...body, signal }),
    }),
  ]
}
