// Reads agents: whoever edits sees working copies, everybody else what runs, as far as it exists for them.
import { agentsSlug } from "../../core/agents/agent.ts"
import type { AgentDefinition, AgentVersionView, AgentView } from "../../core/agents/agent.ts"
import { readPage } from "../../core/cursor.ts"
import type { Page, PageRequest } from "../../core/page.ts"
import type { Principal } from "../../core/principal.ts"
import type { DefinitionDiff, ToolDefinition } from "../../core/registry/diff.ts"
import { currentAccess } from "../../identity/access.ts"
import { roleSubject } from "../../policy/visible.ts"
import { isEditor, requireEditor } from "../../registry/tool.ts"
import { diffVersions, pageOfVersions, working } from "../../registry/version-read.ts"
import type { VersionsCompared } from "../../registry/version-read.ts"
import { firstShown } from "../../store/all-rows.ts"
import type { AgentRow } from "../../store/agents/agent-store.ts"
import type { AgentParts } from "../parts.ts"
import { findAgent, findVersion, isPublished, noAgent, readSnapshot, viewAgent, viewVersion } from "./agent.ts"
import { readDefinition } from "./definition.ts"

export async function listAgents(principal: Principal, request: PageRequest, parts: AgentParts): Promise<Page<AgentView>> {
  const list = (page: { readonly after: string | null; readonly limit: number }) => parts.store.agents.list(principal, page)
  const slugOf = ({ slug }: AgentRow): string => slug
  const isShown = await shownTo(principal, parts)
  const rows = await readPage(request, parts.limits, (page) => firstShown(page, list, slugOf, (read) => read.filter(isShown)), slugOf)
  return { items: await Promise.all(rows.items.map((row) => shown(principal, row, parts))), nextCursor: rows.nextCursor }
}

export async function getAgent(principal: Principal, ref: string, parts: AgentParts): Promise<AgentView> {
  const row = await parts.store.agents.find(principal, ref)
  if (row === null || !(await shownTo(principal, parts))(row)) throw noAgent(ref)
  return shown(principal, row, parts)
}

async function shownTo(principal: Principal, parts: AgentParts): Promise<(row: AgentRow) => boolean> {
  if (isEditor(principal)) return () => true
  const { isVisible } = await currentAccess(principal, parts)
  return (row) => isPublished(row) && isVisible(roleSubject(agentsSlug, row.slug))
}

async function shown(principal: Principal, row: AgentRow, parts: AgentParts): Promise<AgentView> {
  if (isEditor(principal)) return viewAgent(row)
  const version = await findVersion(principal, row, row.publishedVersion ?? "", parts.store)
  return { ...viewAgent(row, readSnapshot(version)), version: version.version, hasUnpublishedChanges: false }
}

export async function listAgentVersions(
  principal: Principal,
  ref: string,
  request: PageRequest,
  parts: AgentParts,
): Promise<Page<AgentVersionView>> {
  requireEditor(principal, "read the versions of agents")
  const agent = await findAgent(principal, ref, parts.store)
  return pageOfVersions(
    request,
    parts.limits,
    (page) => parts.store.agentVersions.list(principal, agent.id, page),
    (row) => viewVersion(row, agent),
  )
}

export async function diffAgent(principal: Principal, ref: string, between: VersionsCompared, parts: AgentParts): Promise<DefinitionDiff> {
  requireEditor(principal, "compare the versions of agents")
  const agent = await findAgent(principal, ref, parts.store)
  return diffVersions("agent", agent.publishedVersion, between, async (version) =>
    toDiffed(version === working ? readDefinition(agent) : readSnapshot(await findVersion(principal, agent, version, parts.store))),
  )
}

const toDiffed = ({ name, description, inputSchema, outputSchema, limits, executionMode, ...config }: AgentDefinition): ToolDefinition => ({
  title: name,
  description,
  effect: "read",
  requiresApproval: false,
  inputSchema: inputSchema ?? {},
  outputSchema,
  implementation: { type: "agent_call", config },
  execution: { ...limits, executionMode },
})
