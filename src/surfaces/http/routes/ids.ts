// Ids over HTTP: completing a prefix that somebody typed.
import { z } from "zod"
import type { Limits } from "../../../core/limits.ts"
import { executionIdExample } from "./execution-example.ts"
import type { Route } from "./route.ts"
import { defineRoute } from "./route.ts"
import { pageOf } from "./shared-schema.ts"

export const idRoutes = (limits: Limits): Route[] => [
  defineRoute({
    id: "ids.find",
    tag: "ids",
    method: "get",
    path: "/ids",
    summary: "Complete an id",
    description:
      "Up to ten ids of executions, approvals, policies, tokens, sessions and invitations that start with the prefix and that you can see.",
    errors: [],
    query: z.strictObject({
      prefix: z
        .string()
        .min(1)
        .max(limits.nameCharsMax)
        .meta({
          description: "The first characters of an id: `exe_…`, `apr_…`, `pol_…`, `tok_…`, `ses_…` or `inv_…`.",
          examples: [executionIdExample.slice(0, 9)],
        }),
    }),
    answer: {
      status: 200,
      description: "The ids.",
      schema: pageOf("IdPage", z.string()),
      example: { items: [executionIdExample], nextCursor: null },
    },
    handle: async ({ query }, api) => ({ items: await api.ids.find(query.prefix), nextCursor: null }),
  }),
]
