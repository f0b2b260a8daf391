// A plugin whose one tool asks a human before it answers.
import { z } from "zod"
import { definePlugin, defineTool } from "../index.ts"

export const asking = definePlugin({
  id: "asking",
  name: "Asking",
  description: "Asks before it answers.",
  authProviders: [],
  tools: [
    defineTool({
      path: "asking.color",
      destructive: false,
      name: "Ask a Color",
      description: "Asks the human for a color.",
      inputSchema: z.object({}),
      handler: async (ctx) => ctx.elicit({ message: "Which color?", requestedSchema: { type: "object", properties: {} } }),
    }),
  ],
})
