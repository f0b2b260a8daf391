// A server with something on every page of the console, where all that strangers can write is hostile.
import { startExecutionServer } from "../../src/surfaces/http/testing/executions.ts"
import type { ExecutionServer } from "../../src/surfaces/http/testing/executions.ts"
import type { TestServerOptions } from "../../src/surfaces/http/testing/server.ts"
import { createClient } from "../../src/surfaces/client/index.ts"
import { startPlainMcp } from "../servers/mcp-plain.ts"
import { hostileName, hostileText } from "./registry-seed.ts"

/** What stands for the parameters of addresses. */
export type FilledIds = { readonly execution: string; readonly tool: string; readonly approval: string }
export type FilledServer = ExecutionServer & { readonly ids: FilledIds }

const wide = `${hostileName} ${"wide".repeat(80)}`

export async function startFilledServer(options: TestServerOptions = {}): Promise<FilledServer> {
  const mcp = await startPlainMcp([{ name: "notes_list", description: hostileText }])
  const server = await startExecutionServer(options)
  const { url, tokens } = server
  const client = createClient({ origin: `${url}/api`, token: tokens.human })
  await client.integrations.add({ slug: "notes", name: hostileText.replaceAll("\n", " "), kind: "mcp", config: { url: mcp.url } })
  await client.connections.create({ integration: "notes" })
  await client.policies.create({ owner: "org", pattern: "ledger.items.get", action: "allow" })
  await client.policies.create({ owner: "org", pattern: "notes.**", action: "block" })
  const tool = await client.registry.create({
    name: hostileName,
    slug: "hostile",
    description: hostileText,
    schema: { input: { type: "object", properties: { "</pre><b>\u202E": { type: "string", description: hostileText } } } },
    implementationType: "custom",
    implementationConfig: { code: `return ${JSON.stringify(hostileText)} + input.value` },
  })
  await client.registry.publish(tool.id, { reason: hostileName })
  const code = `// ${hostileText.replaceAll("\n", "\n// ")}
const name = ${JSON.stringify(`${hostileText} ${wide}`)}
console.log(name)
await tools.ledger.items.get({ name })
return name`
  const { executionId } = await server.run(code)
  await server.run(`throw new Error(${JSON.stringify(hostileText)})`)
  const paused = await server.run(`return await tools.ledger.items.create({ name: ${JSON.stringify(`${hostileText} ${wide}`)} })`, {
    token: tokens.agent,
  })
  const [asked] = paused.structured.status === "waiting_for_interaction" ? paused.structured.interactions : []
  await client.models.providers.create({ id: "local", kind: "openai_compatible", baseUrl: mcp.url })
  const agent = await client.agents.create({
    slug: "helper",
    name: hostileName,
    description: hostileText,
    instructions: hostileText,
    model: { provider: "local", name: "none" },
    tools: ["ledger.**"],
  })
  await client.agents.publish(agent.id)
  await client.pipelines.create({ name: hostileName, slug: "handbook" })
  await client.pipelines.documents.add("handbook", { title: hostileText, source: hostileName, text: hostileText })
  await client.notifications.create({ name: hostileName, kind: "webhook", url: `${mcp.url}/hook` })
  await client.roles.create({ id: "support", name: hostileName, description: hostileName, patterns: ["ledger.**"], rights: [] })
  await client.users.create({ id: "mallory", name: hostileName, roles: ["support"] })
  await client.invitations.create({ name: hostileName, roles: ["support"] })
  await client.tokens.create({ name: hostileText, kind: "agent" })
  return {
    ...server,
    ids: { execution: executionId, tool: tool.id, approval: asked?.approvalId ?? "" },
    async close() {
      await server.close()
      await mcp.close()
    },
  }
}
