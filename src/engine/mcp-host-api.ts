// What the MCP host needs beyond acting as a principal; it is not part of the API, so that no other surface can reach it.
import { describeTool } from "../catalog/builtins/describe.ts"
import type { DescribeQuery, ToolMissing } from "../catalog/builtins/describe.ts"
import type { DiscoveryParts } from "../catalog/builtins/discovery-parts.ts"
import { searchBriefly } from "../catalog/builtins/search.ts"
import type { SearchQuery } from "../catalog/builtins/tool-ranking.ts"
import { createDirectTools } from "../catalog/tools/direct.ts"
import type { ReadDirectTools } from "../catalog/tools/direct.ts"
import type { ReadInventory } from "../catalog/tools/inventory.ts"
import type { BriefSearchItem, SearchPage, ToolDefinitions, ToolDescription } from "../core/discovery.ts"
import type { ExecutionReply, ExecutionStatus, Interaction } from "../core/execution.ts"
import type { PassThroughOptions, SourceNotice } from "../core/call/pass-through.ts"
import type { Principal, TokenPrincipal } from "../core/principal.ts"
import type { ToolResult } from "../core/result.ts"
import type { ConnectionIdentity } from "../sources/source-adapter.ts"
import type { ApprovalStatus } from "../store/execution-store.ts"
import { waitForAnswer, waitForApproval } from "./executions/await-answer.ts"
import type { Waited, Waiting } from "./executions/await-answer.ts"
import { viewInteraction } from "./approvals/row.ts"
import type { EngineParts } from "./engine-parts.ts"
import { executeTool } from "./execute-tool.ts"
import { getExecution, visibilityOf } from "./execution-access.ts"
import { progressOf } from "./executions/progress.ts"
import { relayAnswers, relayApproval } from "./executions/resume.ts"
import type { RelayedAnswers, RelayedApproval } from "./executions/resume.ts"

export type McpHostApi = {
  readonly inventory: ReadInventory
  readonly directTools: ReadDirectTools
  /** As models read them. */
  search(principal: Principal, query: SearchQuery): Promise<SearchPage<BriefSearchItem>>
  describe(principal: Principal, query: DescribeQuery): Promise<ToolDescription | ToolDefinitions | ToolMissing>
  /** Changes whenever what `inventory` and `directTools` read may have changed. */
  revision(): string
  /** Whether anything may still act in their name. */
  mayAct(principal: Principal): Promise<boolean>
  /** Answers that a human gave to a client which they allowed to ask them. */
  relay(principal: TokenPrincipal, executionId: string, relayed: RelayedAnswers): Promise<ExecutionReply>
  statusOf(principal: Principal, executionId: string): Promise<ExecutionStatus>
  /** How far an execution is that still runs. */
  progressOf(principal: Principal, executionId: string): Promise<ExecutionReply>
  /** The execution once it has ended or asks what this principal was not shown, or as it is when the time is up. */
  waitForAnswer(principal: Principal, executionId: string, wait: Waiting): Promise<Waited>
  /** Calls one tool through the gate, for a client that calls them one by one. */
  callDirect(principal: Principal, address: string, args: Record<string, unknown>, options: DirectOptions): Promise<ToolResult>
  /** What such a call waits for. */
  readonly approvals: DirectApprovals
  /** Hears what upstreams say that they have others of; answers how to stop. */
  onNotice(listener: NoticeListener): () => void
}

export type DirectApprovals = {
  /** Null where it is not theirs. */
  find(principal: Principal, id: string): Promise<Interaction | null>
  relay(principal: TokenPrincipal, id: string, relayed: RelayedApproval): Promise<void>
  wait(principal: Principal, id: string, wait: Waiting): Promise<ApprovalStatus>
  /** Where a human answers it. */
  url(id: string): string | null
}

export type DirectOptions = PassThroughOptions & { readonly signal: AbortSignal }
export type NoticeListener = (identity: ConnectionIdentity, notice: SourceNotice) => void

export type McpHostApiParts = EngineParts & DiscoveryParts & { readonly noticeListeners: Set<NoticeListener> }

export const createMcpHostApi = (parts: McpHostApiParts): McpHostApi => ({
  inventory: parts.inventory,
  directTools: createDirectTools(parts),
  search: (principal, query) => searchBriefly(principal, query, parts),
  describe: (principal, query) => describeTool(principal, query, parts),
  revision: () => parts.store.revision(),
  mayAct: async (principal) => (await parts.access.of(principal)) !== null,
  relay: (principal, id, relayed) => relayAnswers(principal, id, relayed, parts),
  statusOf: async (principal, id) => (await getExecution(principal, id, parts)).status,
  progressOf: (principal, id) => progressOf(principal, id, parts),
  waitForAnswer: (principal, id, wait) => waitForAnswer(principal, id, wait, parts),
  callDirect: (principal, address, args, options) => executeTool(principal, address, args, options, parts),
  approvals: {
    async find(principal, id) {
      const row = await parts.executions.approvals.get(visibilityOf(principal), id)
      return row === null ? null : viewInteraction(row)
    },
    relay: (principal, id, relayed) => relayApproval(principal, id, relayed, parts),
    wait: (principal, id, wait) => waitForApproval(principal, id, wait, parts),
    url: (id) => parts.approvalUrl(id),
  },
  onNotice(listener) {
    parts.noticeListeners.add(listener)
    return () => void parts.noticeListeners.delete(listener)
  },
})
