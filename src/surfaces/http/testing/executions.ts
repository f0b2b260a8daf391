// A server with an API to call: what the tests of code mode over HTTP begin with.
import type { ExecutionReply, ExecutionSummary, Interaction } from "../../../core/execution.ts"
import type { Page } from "../../../core/page.ts"
import { startLedger } from "../../../../test/servers/ledger.ts"
import type { Ledger } from "../../../../test/servers/ledger.ts"
import type { TestServer, TestServerOptions } from "./server.ts"
import { startTestServer } from "./server.ts"

export type ExecutionServer = TestServer & {
  readonly ledger: Ledger
  /** Runs code as the local human unless another token is given. */
  run(code: string, options?: { token?: string; [field: string]: unknown }): Promise<ExecutionReply>
  /** The execution that runs with this token, once it is in the list. */
  findRunning(token?: string): Promise<ExecutionSummary>
  /** What was written upstream, by name, in order. */
  writes(): string[]
}

export async function startExecutionServer(options: TestServerOptions = {}): Promise<ExecutionServer> {
  const ledger = await startLedger()
  const server = await startTestServer(options)
  await server.call("POST", "/api/integrations", { body: { slug: "ledger", kind: "openapi", config: { spec: ledger.document } } })
  await server.call("POST", "/api/connections", { body: { integration: "ledger" } })
  return {
    ...server,
    ledger,
    async run(code, { token = server.tokens.human, ...body } = {}) {
      const answer = await server.call("POST", "/api/executions", { token, body: { code, ...body } })
      if (answer.status !== 200) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`)
      return answer.body as ExecutionReply // documented, and checked against the document by a test of its own
    },
    async findRunning(token = server.tokens.human) {
      for (;;) {
        const page = (await server.call("GET", "/api/executions?status=running", { token })).body as Page<ExecutionSummary> // as above
        if (page.items[0] !== undefined) return page.items[0]
      }
    },
    writes: () => ledger.entries.filter((entry) => entry.method !== "GET").map((entry) => entry.name),
    async close() {
      await server.close()
      await ledger.close()
    },
  }
}

export const interactionsOf = (reply: ExecutionReply): readonly Interaction[] =>
  reply.structured.status === "waiting_for_interaction" ? reply.structured.interactions : []

export const resultOf = (reply: ExecutionReply): unknown =>
  reply.structured.status === "waiting_for_interaction" ? undefined : reply.structured.result
