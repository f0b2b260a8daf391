// The event stream of the whole server over HTTP.
import { z } from "zod"
import { ExecutorError } from "../../../../core/errors.ts"
import type { Limits } from "../../../../core/limits.ts"
import { approvalChangeTypes, changeTypes, executionChangeTypes } from "../../../../core/console/live-event.ts"
import { executionStatus } from "../execution-schema.ts"
import type { Route } from "../route.ts"
import { defineEventRoute } from "../route.ts"

const id = z.string().meta({ description: "For `Last-Event-ID`." })

const liveEvent = z
  .union([
    z.object({ id, type: z.enum(["ready", "reset"]) }),
    z.object({ id, type: z.enum(approvalChangeTypes), approvalId: z.string(), executionId: z.string().nullable() }),
    z.object({
      id,
      type: z.enum(executionChangeTypes),
      executionId: z.string().exactOptional().meta({ description: "Left out: several of the acting principal's." }),
      status: executionStatus.exactOptional(),
    }),
    z.object({
      id,
      type: z.enum(changeTypes),
      action: z.string().exactOptional().meta({ description: "What was done, as the audit names it, if the acting principal may know." }),
      subject: z.string().exactOptional().meta({ description: "To what: an id, a slug or an address." }),
    }),
  ])
  .meta({ id: "LiveEvent" })

export const eventRoutes = (limits: Limits): Route[] => [
  defineEventRoute({
    id: "events.follow",
    tag: "events",
    method: "get",
    path: "/events",
    summary: "Follow everything",
    description:
      "Server-sent events of approvals, executions and administration, on every node: only of what the acting principal may read. An event says that something changed; read it to see what it is now. The first event is `ready`, or `reset` if events since `Last-Event-ID` may be missing; `reset` also comes later, to a reader that is too slow. After a `reset`, read everything again. The stream ends when the client disconnects, when its token, session or rights end or change, or when the server stops.",
    errors: [],
    params: z.strictObject({}),
    isResumable: true,
    answer: {
      description: "The events, each named after its type.",
      schema: liveEvent,
      example: {
        id: "evt_0mwa1b2c300063ad41f6c2b0e9d8",
        type: "approval.opened",
        approvalId: "apr_0mwa1b2c3",
        executionId: "exe_0mwa1b2c1",
      },
    },
    open: ({ lastEventId }, api, signal) => {
      if (lastEventId !== null && lastEventId.length > limits.nameCharsMax)
        throw new ExecutorError("invalid_request", "Last-Event-ID is too long: send the id of an event, or leave the header out")
      return api.events.follow({ signal, ...(lastEventId === null || lastEventId === "" ? {} : { after: lastEventId }) })
    },
  }),
]
