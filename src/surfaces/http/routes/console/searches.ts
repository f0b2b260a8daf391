// Searches that were made, over HTTP.
import { z } from "zod"
import { searchOutcomes } from "../../../../core/console/searches.ts"
import type { Limits } from "../../../../core/limits.ts"
import { caller } from "../execution-schema.ts"
import { pageFields, pageOf, timestamp } from "../shared-schema.ts"
import type { Route } from "../route.ts"
import { defineRoute } from "../route.ts"

const outcome = z.enum(searchOutcomes).meta({
  description:
    "`first`: the first hit was called. `other`: another tool was. `none`: no tool was called. `nothing`: no tool fitted well, and none was called.",
})

const searchMade = z
  .object({
    executionId: z.string(),
    callKey: z.string(),
    time: timestamp,
    principal: caller,
    query: z.string(),
    namespace: z.string().nullable(),
    found: z.array(z.string()).meta({ description: "The first five that it showed." }),
    foundCount: z.int(),
    called: z.array(z.string()).meta({ description: "The tools that were called because of it." }),
    outcome,
  })
  .meta({ id: "SearchMade" })

export const searchesRoute = (limits: Limits): Route =>
  defineRoute({
    id: "tools.searches",
    tag: "tools",
    method: "get",
    path: "/tools/searches",
    summary: "List searches that were made",
    description:
      "What executions searched for, what they found, and which tools they called because of it: the latest that you may read. A call counts for the last search before it that showed its tool, or for the last one if none did.",
    errors: [],
    query: z.strictObject({ outcome: outcome.exactOptional(), ...pageFields(limits) }),
    answer: {
      status: 200,
      description: "Newest first.",
      schema: pageOf("SearchMadePage", searchMade),
      example: {
        items: [
          {
            executionId: "exe_0mh2k3v9x41c",
            callKey: "5b1f0c7e:0",
            time: "2026-11-16T09:31:11.000Z",
            principal: { user: "anna", kind: "agent", tokenId: "tok_0mh2k3v9x41c", tokenName: "claude" },
            query: "open a ticket",
            namespace: null,
            found: ["github.org.main.issues.list", "github.org.main.issues.create"],
            foundCount: 2,
            called: ["github.org.main.issues.create"],
            outcome: "other",
          },
        ],
        nextCursor: null,
      },
    },
    handle: ({ query }, api) => api.tools.searches(query),
  })
