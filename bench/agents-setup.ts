// What the benchmarks of agents share: a model and an API, each in a process of its own, and an agent that has the API's tools.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createExecutor } from "toolplane"
import type { Executor } from "toolplane"
import { startServer } from "./product.ts"

export type AgentBench = {
  /** Of the API. */
  readonly origin: string
  /** Of the model, with `/v1`. */
  readonly baseUrl: string
  readonly dataDir: string
  /** The agent that all nodes can run. */
  readonly slug: string
  /** A node with this agent; all of them share one database. */
  open(): Promise<Executor>
  /** With all nodes. */
  close(): Promise<void>
}

const slug = "worker"

export async function startAgentBench(): Promise<AgentBench> {
  const upstream = await startServer(["bench/execute-upstream.ts"])
  const model = await startServer(["bench/agents-model.ts"])
  const baseUrl = `${model.url}/v1`
  const dataDir = mkdtempSync(join(tmpdir(), "executor-bench-"))
  const nodes: Executor[] = []
  const open = async (): Promise<Executor> => {
    const node = await createExecutor({ dataDir })
    nodes.push(node)
    return node
  }
  await addAgent(await open(), upstream.url, baseUrl)
  return {
    origin: upstream.url,
    baseUrl,
    dataDir,
    slug,
    open,
    async close() {
      for (const node of nodes) await node.close()
      for (const server of [model, upstream]) await server.stop()
      rmSync(dataDir, { recursive: true })
    },
  }
}

async function addAgent(node: Executor, origin: string, baseUrl: string): Promise<void> {
  const parameters = [{ name: "id", in: "path", required: true, schema: { type: "integer" } }]
  const operation = (operationId: string) => ({ operationId, parameters, responses: { 200: { description: "ok" } } })
  const spec = {
    openapi: "3.1.0",
    info: { title: "Things", version: "1" },
    servers: [{ url: origin }],
    paths: { "/things/{id}": { get: operation("things/read"), post: operation("things/make") } },
  }
  await node.integrations.add({ slug: "things", kind: "openapi", config: { spec } })
  await node.connections.create({ integration: "things" })
  await node.models.providers.create({ id: "local", kind: "openai_compatible", baseUrl })
  const agent = await node.agents.create({
    slug,
    name: "Worker",
    instructions: "Work.",
    model: { provider: "local", name: "scripted" },
    tools: ["things.**"],
    executionMode: "parallel_safe",
  })
  await node.agents.publish(agent.id)
}
