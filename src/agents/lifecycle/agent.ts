// Finds an agent, shows it, and brings the catalog up to date after it changed.
import { executorCommandOnPages } from "../../io/executor-command.ts"
import { agentAddress, agentsSlug } from "../../core/agents/agent.ts"
import type { AgentBinding, AgentDefinition, AgentVersionView, AgentView } from "../../core/agents/agent.ts"
import { ToolName } from "../../core/address.ts"
import { ExecutorError } from "../../core/errors.ts"
import type { Scope } from "../../core/principal.ts"
import type { JsonSchema } from "../../core/tool.ts"
import { publishOwnTools } from "../../catalog/integrations/own-integration.ts"
import type { OwnIntegration } from "../../catalog/integrations/own-integration.ts"
import type { AgentRow, AgentVersionRow } from "../../store/agents/agent-store.ts"
import type { Store, ToolWrite } from "../../store/store.ts"
import { readDefinition } from "./definition.ts"

/** As the audit tells it. */
export type AgentChange = { readonly before: AgentView | null; readonly after: AgentView | null }

const agentsIntegration: OwnIntegration = {
  slug: agentsSlug,
  kind: "agents",
  name: "Agents",
  description: "Agents that were made here.",
}

export const noAgent = (ref: string): ExecutorError =>
  new ExecutorError("not_found", `There is no agent '${ref.slice(0, 80)}'; ${executorCommandOnPages} agents list and GET /agents list them`)

/** Told to those who see drafts. */
export const notPublished = ({ slug, status }: AgentRow): ExecutorError =>
  new ExecutorError(
    "not_found",
    `The agent '${slug}' is ${status === "disabled" ? "disabled" : "a draft"}: publish it (POST /agents/${slug}/publish), or run its working copy (mode: "debug")`,
  )

/** By id or slug. Inside a transaction it holds the tenant's lock from here on. */
export async function findAgent(scope: Scope, ref: string, store: Store): Promise<AgentRow> {
  const row = await store.agents.find(scope, ref)
  if (row === null) throw noAgent(ref)
  return row
}

export async function findVersion(scope: Scope, agent: AgentRow, version: string, store: Store): Promise<AgentVersionRow> {
  const row = await store.agentVersions.get(scope, agent.id, version)
  if (row === null)
    throw new ExecutorError(
      "not_found",
      `The agent '${agent.slug}' has no version '${version.slice(0, 40)}'; ${executorCommandOnPages} agents versions ${agent.slug} lists them`,
    )
  return row
}

export const readSnapshot = ({ snapshot }: Pick<AgentVersionRow, "snapshot">): AgentDefinition => JSON.parse(snapshot) as AgentDefinition // written by `publish.ts`

export const viewAgent = (row: AgentRow, definition: AgentDefinition = readDefinition(row)): AgentView => ({
  ...definition,
  id: row.id,
  slug: row.slug,
  address: agentAddress(row.slug),
  status: row.status,
  version: row.version,
  publishedVersion: row.publishedVersion,
  publishedAt: row.publishedAt,
  hasUnpublishedChanges: row.contentHash !== row.publishedHash,
  createdBy: row.createdBy,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
})

export const viewVersion = (version: AgentVersionRow, agent: AgentRow): AgentVersionView => ({
  version: version.version,
  definition: readSnapshot(version),
  by: version.by,
  at: version.at,
  reason: version.reason,
  isPublished: agent.publishedVersion === version.version,
})

export const isPublished = (row: AgentRow): boolean => row.status === "published" && row.publishedVersion !== null

/** To be called inside the transaction that changed the row. */
export async function updateCatalog(scope: Scope, after: AgentRow, store: Store, now: Date): Promise<void> {
  if (!isPublished(after)) return publishOwnTools(scope, agentsIntegration, { put: [], drop: [after.slug] }, store, now)
  const version = await findVersion(scope, after, after.publishedVersion ?? "", store)
  await publishOwnTools(scope, agentsIntegration, { put: [toCatalogTool(after, version)], drop: [] }, store, now)
}

export const bindingOf = (row: AgentRow, version: AgentVersionRow): AgentBinding => ({
  agentId: row.id,
  slug: row.slug,
  version: version.version,
  definition: readSnapshot(version),
  writtenBy: version.writtenBy,
  publishedBy: version.by,
})

/** A run is a read itself: each of its calls is decided by the gate. */
function toCatalogTool(row: AgentRow, version: AgentVersionRow): ToolWrite {
  const binding = bindingOf(row, version)
  const { name, description, inputSchema } = binding.definition
  return {
    name: ToolName.make(row.slug),
    title: name,
    summary: description.split("\n", 1)[0] ?? "",
    description,
    effect: "read",
    requiresApproval: false,
    approvalDescription: null,
    mayElicit: true,
    deprecated: false,
    tags: [],
    inputSchema: JSON.stringify(inputSchema === null ? defaultInput : withPayload(inputSchema)),
    outputSchema: JSON.stringify(outputSchemaOf(binding.definition)),
    binding: JSON.stringify(binding),
  }
}

const payload = {
  input: { description: "What the agent is to work on: any JSON value." },
  text: { type: "string", description: "What the agent is to do, in words." },
  messages: {
    type: "array",
    items: {
      type: "object",
      properties: { role: { enum: ["user", "assistant"] }, text: { type: "string" } },
      required: ["role", "text"],
    },
  },
  context: { type: "object", description: "Facts that the agent may use." },
} as const

const defaultInput = { type: "object", properties: payload, additionalProperties: false }

/** Callers may also send what the schema describes as the arguments themselves. */
function withPayload(inputSchema: JsonSchema) {
  const { own, shared } = withoutDefinitions(inputSchema)
  return { anyOf: [own, { ...defaultInput, properties: { ...payload, input: own } }], ...shared }
}

/** References lead to the definitions of the whole schema. */
function withoutDefinitions({ $defs, ...own }: JsonSchema): { readonly own: JsonSchema; readonly shared: JsonSchema } {
  return { own, shared: $defs === undefined ? {} : { $defs } }
}

function outputSchemaOf({ outputSchema }: AgentDefinition) {
  const { own, shared } = withoutDefinitions(outputSchema ?? {})
  return { ...callOutput, properties: { ...callOutput.properties, output: own }, ...shared }
}

const callOutput = {
  type: "object",
  properties: {
    mode: { enum: ["sync"] },
    target_agent_id: { type: "string" },
    target_agent_slug: { type: "string" },
    run_id: { type: "string" },
    status: { enum: ["completed", "failed", "timeout", "cancelled"] },
    context: { type: "object" },
    error: { type: "object", properties: { code: { type: "string" }, message: { type: "string" } } },
  },
  required: ["mode", "target_agent_id", "target_agent_slug", "run_id", "status"],
}
