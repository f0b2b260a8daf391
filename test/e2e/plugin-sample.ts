// An executor.config.ts as a user would write it, with one plugin that behaves and one that does not.
/** `upstream`: where the first one fetches from. */
export const sampleConfig = (upstream: string): string => `
import { definePlugin, defineTool, ToolError } from "toolplane/plugin"
import { z } from "zod"

type Range = { from: number; to: number }

const service = definePlugin({
  id: "my-service",
  name: "My Service",
  description: "Items of a service.",
  authProviders: [{ id: "my-service", type: "bearer" }],
  tools: [
    defineTool({
      path: "my_service.items.list",
      name: "List Items",
      description: "List items from My Service",
      inputSchema: z.object({ limit: z.number().default(10) }),
      async handler(ctx, input) {
        const token = await ctx.auth.getToken("my-service")
        ctx.log.info("using " + token)
        const response = await ctx.fetch("${upstream}/items", { headers: { authorization: "Bearer " + token } })
        return { ...input, seen: await response.json() }
      },
    }),
    defineTool({
      path: "my_service.items.remove",
      name: "Remove an Item",
      description: "Remove one item",
      destructive: true,
      inputSchema: z.strictObject({ id: z.int() }),
      handler: (_ctx, { id }) => ({ removed: id }),
    }),
  ],
})

const odd = definePlugin({
  id: "odd",
  name: "Odd",
  description: "Does odd things.",
  tools: [
    defineTool({
      path: "odd.range.count",
      name: "Count a Range",
      description: "Counts whole numbers between two others",
      inputSchema: z.strictObject({ from: z.int(), to: z.int() }).refine((range: Range) => range.from <= range.to, "from is after to"),
      outputSchema: z.object({ count: z.int() }),
      handler: (_ctx, { from, to }) => ({ count: to - from }),
    }),
    defineTool({
      path: "odd.things.do",
      destructive: false,
      name: "Do Odd Things",
      description: "Answers what it is asked for",
      timeoutMs: 3000,
      inputSchema: z.object({ what: z.string() }).loose(),
      async handler(ctx, { what }) {
        const circle: Record<string, unknown> = { big: 2n ** 80n }
        circle["self"] = circle
        if (what === "circle") return circle
        if (what === "huge") return "x".repeat(20_000_000)
        if (what === "hang") return new Promise(() => {})
        if (what === "undefined") throw undefined
        if (what === "declined") throw new ToolError("approval_declined", "nobody wanted it")
        if (what === "private") return (await ctx.fetch("http://127.0.0.1:9/")).status
        if (what === "metadata") return (await ctx.fetch("http://169.254.169.254/latest")).status
        if (what === "both") return Promise.all([ctx.elicit(ask("first")), ctx.elicit(ask("second"))])
        if (what === "float") void Promise.resolve().then(() => ctx.fetch("http://127.0.0.1:9/"))
        return what
      },
    }),
  ],
})

const ask = (name: string) => ({ message: name + "?", requestedSchema: { type: "object", properties: { [name]: { type: "string" } }, required: [name] } })

export default { plugins: [service, odd] }
`
