// A server with something on every page of the console, where all that strangers can write is hostile.
import type { ExecutionServer } from "../../src/surfaces/http/testing/executions.ts"
import { startExecutionServer } from "../../src/surfaces/http/testing/executions.ts"
import type { TestServerOptions } from "../../src/surfaces/http/testing/server.ts"
import { createClient } from "../../src/surfaces/client/index.ts"
import type { Client } from "../../src/surfaces/client/index.ts"
import { startPlainMcp } from "../servers/mcp-plain.ts"
import { startModelServer } from "../servers/model.ts"
import { signInClient, startSignInProvider } from "../servers/sign-in-provider.ts"
import { hostileName, hostileText } from "./registry-seed.ts"

/** What stands for the parameters of addresses. */
export type FilledIds = {
  readonly execution: string
  readonly tool: string
  readonly approval: string
  /** Of an agent. */
  readonly run: string
  readonly notification: string
  /** The path of the page that asks for a consent. */
  readonly consent: string
  /** What follows `/invite`. */
  readonly invitation: string
  readonly auditEntry: string
}
export type FilledServer = ExecutionServer & { readonly ids: FilledIds }

const wide = `${hostileName} ${"wide".repeat(80)}`
const hostileLine = hostileText.replaceAll("\n", " ")

export async function startFilledServer(options: TestServerOptions = {}): Promise<FilledServer> {
  const [mcp, model] = await Promise.all([startPlainMcp([{ name: "notes_list", description: hostileText }]), startModelServer()])
  const server = await startExecutionServer({ hasRealLinks: true, ...options })
  const provider = await startSignInProvider(`${server.url}/signin/oidc/callback`)
  const client = createClient({ origin: `${server.url}/api`, token: server.tokens.human })
  await client.integrations.add({ slug: "notes", name: hostileLine, kind: "mcp", config: { url: mcp.url } })
  await client.connections.create({ integration: "notes" })
  const consent = await askForConsent(client, server)
  const tool = await seedCatalog(client)
  const { execution, approval } = await seedExecutions(server)
  model.script([
    { reasoning: hostileText, text: hostileText, calls: [{ name: "ledger__items_get", arguments: { name: wide } }] },
    { text: hostileText },
  ])
  await client.models.providers.create({ id: "local", kind: "openai_compatible", baseUrl: model.baseUrl, models: ["scripted"] })
  const run = await runAgent(client)
  const { id: notification } = await client.notifications.create({ name: hostileName, kind: "webhook", url: `${mcp.url}/hook` })
  await client.notifications.test(notification)
  const invitation = await seedPeople(client, provider.issuer)
  const { items } = (await server.call("GET", "/api/audit?limit=1")).body as { items: readonly { id: string }[] } // as documented
  return {
    ...server,
    ids: { execution, tool, approval, run, notification, consent, invitation, auditEntry: items[0]?.id ?? "" },
    async close() {
      await server.close()
      await Promise.all([mcp.close(), model.close(), provider.close()])
    },
  }
}

/** Answers with the tool's id. */
async function seedCatalog(client: Client): Promise<string> {
  await client.policies.create({ owner: "org", pattern: "ledger.items.get", action: "allow" })
  await client.policies.create({ owner: "org", pattern: "notes.**", action: "block" })
  const { id } = await client.registry.create({
    name: hostileName,
    slug: "hostile",
    description: hostileText,
    schema: { input: { type: "object", properties: { "</pre><b>\u202E": { type: "string", description: hostileText } } } },
    implementationType: "custom",
    implementationConfig: { code: `return ${JSON.stringify(hostileText)} + input.value` },
  })
  await client.registry.publish(id, { reason: hostileName })
  await client.pipelines.create({ name: hostileName, slug: "handbook" })
  await client.pipelines.documents.add("handbook", { title: hostileText, source: hostileName, text: hostileText })
  return id
}

async function askForConsent(client: Client, { ledger }: ExecutionServer): Promise<string> {
  await client.integrations.add({ slug: "diary", name: hostileLine, kind: "openapi", config: { spec: ledger.document } })
  const endpoints = { authorizationEndpoint: `${ledger.url}/authorize`, tokenEndpoint: `${ledger.url}/token` }
  await client.oauth.clients.create({ clientId: "diary-client", name: hostileName, integration: "diary", ...endpoints })
  const started = await client.oauth.start({ integration: "diary", scopes: [hostileName.replaceAll(/[^\x21\x23-\x5B\x5D-\x7E]/g, "")] })
  if (started.status !== "consent_required") throw new Error(`The consent is ${started.status}`)
  return new URL(started.authorizationUrl).pathname
}

async function seedExecutions({ run, tokens }: ExecutionServer): Promise<{ execution: string; approval: string }> {
  const { executionId } = await run(`// ${hostileText.replaceAll("\n", "\n// ")}
const name = ${JSON.stringify(`${hostileText} ${wide}`)}
console.log(name)
await tools.ledger.items.get({ name })
return name`)
  await run(`throw new Error(${JSON.stringify(hostileText)})`)
  await run(`return await tools.search({ query: ${JSON.stringify(`items ${hostileLine}`)} })`, { token: tokens.agent })
  const paused = await run(`return await tools.ledger.items.create({ name: ${JSON.stringify(`${hostileText} ${wide}`)} })`, {
    token: tokens.agent,
  })
  const [asked] = paused.structured.status === "waiting_for_interaction" ? paused.structured.interactions : []
  return { execution: executionId, approval: asked?.approvalId ?? "" }
}

async function runAgent(client: Client): Promise<string> {
  const agent = await client.agents.create({
    slug: "helper",
    name: hostileName,
    description: hostileText,
    instructions: hostileText,
    model: { provider: "local", name: "scripted" },
    tools: ["ledger.**"],
  })
  await client.agents.publish(agent.id)
  return (await client.agents.run("helper", { text: hostileText })).runId
}

/** Answers with what follows `/invite` in the link of an invitation. */
async function seedPeople(client: Client, issuer: string): Promise<string> {
  await client.credentials.create({ category: "web_search", providerKey: "tavily", label: hostileName, values: { apiKey: "k" } })
  await client.roles.create({ id: "support", name: hostileName, description: hostileName, patterns: ["ledger.**"], rights: [] })
  await client.users.create({ id: "mallory", name: hostileName, roles: ["support"] })
  await client.users.create({ id: "robot", name: hostileName, roles: ["support"], service: true })
  await client.signIn.providers.create({ ...signInClient, issuer, name: hostileName, scopes: ["email", "profile", "groups"] })
  await client.tokens.create({ name: hostileText, kind: "agent" })
  const { link } = await client.invitations.create({ name: hostileName, roles: ["support"] })
  return new URL(link).hash
}
