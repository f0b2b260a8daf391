// The inventory of tools over HTTP: what a model is told about a catalog of any size.
import { z } from "zod"
import type { Route } from "../route.ts"
import { defineRoute } from "../route.ts"
import { unreadyConnection } from "./tool-list.ts"

const inventory = z
  .object({
    toolCount: z.int(),
    items: z
      .array(
        z.object({
          slug: z.string(),
          name: z.string(),
          description: z.string(),
          kind: z.string(),
          standing: z
            .enum(["offers_tools", "needs_credentials", "syncing", "not_reachable", "no_tools"])
            .meta({ description: "Whether it has tools, and otherwise why not." }),
          connections: z.array(z.string()).meta({ description: "`<owner>.<connection>` of the connections with tools." }),
          unready: z.array(unreadyConnection).meta({ description: "The connections without tools that are not ready, and why." }),
          toolCount: z.int().meta({ description: "Each tool is counted once, however many connections offer it." }),
          groups: z
            .array(
              z.object({
                name: z.string().meta({ description: "The first segment of its tools' names." }),
                toolCount: z.int(),
                isTool: z.boolean().meta({ description: "Whether it is itself the name of its only tool." }),
              }),
            )
            .meta({ description: "Largest first." }),
          tools: z
            .array(
              z.object({
                name: z.string(),
                signature: z.string().meta({ description: "Its arguments on one line, cut where there are many." }),
              }),
            )
            .meta({ description: "All of its tools if it has few, otherwise none." }),
        }),
      )
      .meta({ description: "Largest first; integrations without tools come last." }),
  })
  .meta({ id: "Inventory" })

const inventoryExample = {
  toolCount: 3,
  items: [
    {
      slug: "github",
      name: "GitHub",
      description: "Repositories, issues and pull requests.",
      kind: "openapi",
      standing: "offers_tools" as const,
      connections: ["org.main"],
      unready: [],
      toolCount: 3,
      groups: [{ name: "issues", toolCount: 3, isTool: false }],
      tools: [
        { name: "issues.close", signature: "{ number: number }" },
        { name: "issues.create", signature: "{ title: string; body?: string }" },
        { name: "issues.list", signature: "{ state?: 'open' | 'closed' }" },
      ],
    },
  ],
}

export const toolInventoryRoute: Route = defineRoute({
  id: "tools.inventory",
  tag: "tools",
  method: "get",
  path: "/tools/inventory",
  summary: "Summarize the catalog",
  description:
    "The integrations that the acting principal can reach, with the groups of their tools, as models read them beside `execute`.",
  errors: [],
  answer: { status: 200, description: "The inventory.", schema: inventory, example: inventoryExample },
  handle: (_request, api) => api.tools.inventory(),
})
