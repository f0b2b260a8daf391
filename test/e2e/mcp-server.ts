// A server for the tests of the MCP host: an API whose writes are counted, a plugin that asks, and tokens for each mode.
import { z } from "zod"
import type { ElicitationMode } from "../../src/core/token.ts"
import { definePlugin } from "../../src/plugin/define.ts"
import { startExecutionServer } from "../../src/surfaces/http/testing/executions.ts"
import type { ExecutionServer } from "../../src/surfaces/http/testing/executions.ts"
import type { TestServerOptions } from "../../src/surfaces/http/testing/server.ts"

export type McpTestServer = ExecutionServer & {
  readonly mcpUrl: string
  /** A new agent's token that allows these modes. */
  agent(...elicitation: ElicitationMode[]): Promise<string>
  /** As the local human. */
  approve(executionId: string): Promise<void>
}

const nameForm = { type: "object", properties: { name: { type: "string", title: "Name", minLength: 2 } }, required: ["name"] }
const nestedForm = { type: "object", properties: { address: { type: "object", properties: { city: { type: "string" } } } } }

const asking = definePlugin({
  id: "desk",
  name: "Desk",
  description: "Asks the human.",
  tools: [
    {
      path: "desk.names.ask",
      name: "Ask Name",
      description: "Asks for a name",
      inputSchema: z.object({}),
      destructive: false,
      handler: (ctx) => ctx.elicit({ message: "What is your name?", requestedSchema: nameForm }),
    },
    {
      path: "desk.addresses.ask",
      name: "Ask Address",
      description: "Asks for an address",
      inputSchema: z.object({}),
      destructive: false,
      handler: (ctx) => ctx.elicit({ message: "Where do you live?", requestedSchema: nestedForm }),
    },
    {
      path: "desk.pages.open",
      name: "Open Page",
      description: "Asks to open a page",
      inputSchema: z.object({}),
      destructive: false,
      handler: (ctx) => ctx.elicit({ message: "Please sign there", url: "https://example.com/sign" }),
    },
    {
      path: "desk.steps.walk",
      name: "Walk Steps",
      description: "Tells how far it is",
      inputSchema: z.object({}),
      destructive: false,
      async handler(ctx) {
        for (const step of [1, 2, 3]) {
          ctx.progress(step, 3, `step ${step}`)
          await new Promise((resolve) => setTimeout(resolve, 80))
        }
        return "walked"
      },
    },
  ],
})

export async function startMcpServer(options: TestServerOptions = {}): Promise<McpTestServer> {
  const server = await startExecutionServer({ plugins: [asking], ...options })
  return {
    ...server,
    mcpUrl: `${server.url}/mcp`,
    async agent(...elicitation) {
      const answer = await server.call("POST", "/api/tokens", { body: { name: "test agent", kind: "agent", elicitation } })
      return (answer.body as { token: string }).token // as documented
    },
    async approve(executionId) {
      const answer = await server.call("POST", `/api/executions/${executionId}/resume`, { body: { action: "accept" } })
      if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
    },
  }
}

export const createItem = (name: string): string => `return await tools.ledger.items.create({ name: ${JSON.stringify(name)} }).unwrap()`
