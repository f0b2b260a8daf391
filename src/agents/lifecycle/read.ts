// Reads agents: whoever edits sees working copies, everybody else what runs, as far as it exists for them.
import { agentsSlug } from "../../core/agents/agent.ts"
import type { AgentDefinition, AgentVersionView, AgentView } from "../../core/agents/agent.ts"
import { decodeCursor, pageSize, readPage, toPage } from "../../core/cursor.ts"
import { ExecutorError } from "../../core/errors.ts"
import type { Page, PageRequest } from "../../core/page.ts"
import type { Principal } from "../../core/principal.ts"
import type { DefinitionDiff, ToolDefinition } from "../../core/registry/diff.ts"
import { diffDefinitions } from "../../diff/definition-diff.ts"
import { currentAccess } from "../../identity/access.ts"
import { roleSubject } from "../../policy/visible.ts"
import { isEditor, requireEditor } from "../../registry/tool.ts"
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
  const size = pageSize(request, parts.limits)
  const cursor = decodeCursor(request.cursor, 1)?.[0]
  const rows = await parts.store.agentVersions.list(principal, agent.id, {
    after: cursor === undefined ? null : positionIn(cursor),
    limit: size + 1,
  })
  return toPage(
    rows,
    size,
    ({ position }) => [String(position)],
    (row) => viewVersion(row, agent),
  )
}

function positionIn(cursor: string): number {
  if (/^\d{1,9}$/.test(cursor)) return Number(cursor)
  throw new ExecutorError("invalid_request", "The cursor is not from this list; start again without it")
}

/** The name of the working copy where a version could stand. */
const working = "working"

export async function diffAgent(
  principal: Principal,
  ref: string,
  between: { readonly from?: string; readonly to?: string },
  parts: AgentParts,
): Promise<DefinitionDiff> {
  requireEditor(principal, "compare the versions of agents")
  const agent = await findAgent(principal, ref, parts.store)
  const from = between.from ?? agent.publishedVersion
  if (from === null)
    throw new ExecutorError(
      "invalid_request",
      "The agent was never published, so that there is nothing to compare it with: name two versions in from and to",
    )
  const read = async (version: string): Promise<ToolDefinition> =>
    toDiffed(version === working ? readDefinition(agent) : readSnapshot(await findVersion(principal, agent, version, parts.store)))
  return diffDefinitions(await read(from), await read(between.to ?? working))
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
