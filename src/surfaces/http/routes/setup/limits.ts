// The limits of the server over HTTP.
import { z } from "zod"
import { limitUnits } from "../../../../core/limits/limit-view.ts"
import type { Route } from "../route.ts"
import { defineRoute } from "../route.ts"

const limit = z
  .object({
    name: z.string(),
    value: z.number(),
    default: z.number().meta({ description: "What it is where nobody has changed it." }),
    unit: z.enum(limitUnits),
    reason: z.string().meta({ description: "Why there is this limit." }),
  })
  .meta({ id: "Limit" })

const example = {
  name: "callTimeoutMs",
  value: 60_000,
  default: 60_000,
  unit: "milliseconds" as const,
  reason: "A slow upstream must not block an execution forever.",
}

export const limitRoutes = (): Route[] => [
  defineRoute({
    id: "limits.list",
    tag: "server",
    method: "get",
    path: "/limits",
    summary: "List limits",
    description: "The limits of this server as they are, each with its reason. `EXECUTOR_LIMITS` changes them at its start.",
    errors: [],
    answer: {
      status: 200,
      description: "All limits, by name.",
      schema: z.object({ items: z.array(limit) }).meta({ id: "LimitList" }),
      example: { items: [example] },
    },
    handle: async (_, api) => ({ items: await api.limits.list() }),
  }),
]
