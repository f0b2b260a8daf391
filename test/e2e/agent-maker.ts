// What tests of agents share: a server with a scripted model, a ledger whose writes are counted, and an agent that uses it.
import type { AgentCreate, AgentRunReply, AgentView } from "../../src/core/agents/agent.ts"
import type { Ledger } from "../servers/ledger.ts"
import { startLedger } from "../servers/ledger.ts"
import type { ModelScript, ModelServer, ModelServerOptions } from "../servers/model.ts"
import { startModelServer } from "../servers/model.ts"
import { startProduct } from "./product.ts"
import type { Product, ProductOptions } from "./product.ts"

export type AgentBench = {
  readonly product: Product
  readonly model: ModelServer
  readonly ledger: Ledger
  /** Makes and publishes an agent. */
  agent(slug: string, fields?: Partial<AgentCreate>): Promise<AgentView>
  /** Runs it with this script. */
  run(slug: string, script: ModelScript, text?: string): Promise<AgentRunReply>
  stop(): Promise<void>
}

export const get = "ledger__items_get"
export const create = "ledger__items_create"
export const remove = "ledger__items_remove"

export async function startAgents(options: ProductOptions = {}, server: ModelServerOptions = {}): Promise<AgentBench> {
  const [product, model, ledger] = await Promise.all([startProduct(options), startModelServer([], server), startLedger()])
  const { client } = product
  await client.models.providers.create({ id: "local", kind: "openai_compatible", baseUrl: model.baseUrl })
  await addLedger(product, ledger)
  return {
    product,
    model,
    ledger,
    async agent(slug, fields = {}) {
      const made = await client.agents.create({
        slug,
        name: slug,
        instructions: "Keep the ledger.",
        model: { provider: "local", name: "scripted" },
        tools: ["ledger.**"],
        ...fields,
      })
      return client.agents.publish(made.id)
    },
    run(slug, script, text = "Do it.") {
      model.script(script)
      return client.agents.run(slug, { text })
    },
    async stop() {
      await product.stop()
      await model.close()
      await ledger.close()
    },
  }
}

export async function addLedger(product: Product, ledger: Ledger): Promise<void> {
  await product.client.integrations.add({ slug: "ledger", kind: "openapi", config: { spec: ledger.document } })
  await product.client.connections.create({ integration: "ledger" })
}
