// An agent: instructions, a model and tools, with the lifecycle of a tool that is made here.
import type { DefinitionDiff } from "../registry/diff.ts"
import type { ExecutionMode, ExecutionReply } from "../execution.ts"
import type { Page, PageRequest } from "../page.ts"
import type { JsonSchema } from "../tool.ts"

export const agentStatuses = ["draft", "published", "disabled"] as const
export type AgentStatus = (typeof agentStatuses)[number]

export const agentExecutionModes = ["sequential", "parallel_safe"] as const
export type AgentExecutionMode = (typeof agentExecutionModes)[number]

export type AgentModel = {
  /** The id of a model provider. */
  readonly provider: string
  readonly name: string
  readonly options?: AgentModelOptions
}

export type AgentModelOptions = {
  readonly temperature?: number
  readonly topP?: number
  readonly maxOutputTokens?: number
  readonly seed?: number
  readonly reasoning?: "none" | "minimal" | "low" | "medium" | "high"
}

/** Of one run; what is left out is the product's own limit. */
export type AgentLimits = { readonly steps?: number; readonly calls?: number; readonly tokens?: number; readonly wallMs?: number }

/** Everything that a version is a snapshot of. */
export type AgentDefinition = {
  readonly name: string
  readonly description: string
  readonly instructions: string
  readonly model: AgentModel
  /** Addresses and patterns; a run sees what they match and its caller's roles allow. */
  readonly tools: readonly string[]
  readonly executionMode: AgentExecutionMode
  readonly limits: AgentLimits
  readonly inputSchema: JsonSchema | null
  readonly outputSchema: JsonSchema | null
}

export type AgentView = AgentDefinition & {
  readonly id: string
  readonly slug: string
  /** As a tool, once it is published. */
  readonly address: string
  readonly status: AgentStatus
  readonly version: string
  /** What runs; null: nothing. */
  readonly publishedVersion: string | null
  readonly publishedAt: string | null
  readonly hasUnpublishedChanges: boolean
  readonly createdBy: string
  readonly createdAt: string
  readonly updatedAt: string
  /** When it was made, changed or published: which of `tools` no tool matches today. */
  readonly warning?: string
}

export type AgentCreate = Pick<AgentDefinition, "name" | "instructions" | "model"> &
  Partial<Omit<AgentDefinition, "name" | "instructions" | "model">> & {
    /** By default made of the name. */
    readonly slug?: string
  }

export type AgentUpdate = Partial<AgentCreate>

export type AgentVersionView = {
  readonly version: string
  readonly definition: AgentDefinition
  readonly by: string
  readonly at: string
  readonly reason: string | null
  readonly isPublished: boolean
}

export type AgentMessage = { readonly role: "user" | "assistant"; readonly text: string }

/** One of `input`, `text` and `messages`, or several: they are put together in that order. */
export type AgentInput = {
  readonly input?: unknown
  readonly text?: string
  readonly messages?: readonly AgentMessage[]
  readonly context?: Readonly<Record<string, unknown>>
}

export type AgentRunRequest = AgentInput & {
  /** `debug`: the working copy runs, for whoever may edit it. */
  readonly mode?: ExecutionMode
  /** The workspace whose tools it has, beside its own. */
  readonly workspace?: string
  /** False: replies as soon as the run has started. */
  readonly wait?: boolean
  readonly signal?: AbortSignal
  /** In-process only: receives the id as soon as the run starts. */
  readonly onStart?: (runId: string) => void
}

/** What runs once without being stored: its tools are none by default, its instructions to answer with their help. */
export type AgentOnce = Pick<AgentDefinition, "model"> &
  Partial<Pick<AgentDefinition, "instructions" | "tools" | "executionMode" | "limits" | "outputSchema">>

export type AgentOnceRequest = AgentRunRequest & { readonly agent: AgentOnce }

/** `output`: the last answer of the model, as text or by the agent's output schema. */
export type AgentRunReply = ExecutionReply & { readonly runId: string; readonly output: unknown }

/** `id`: the id or the slug. */
export interface AgentsApi {
  list(page?: PageRequest): Promise<Page<AgentView>>
  get(id: string): Promise<AgentView>
  create(input: AgentCreate): Promise<AgentView>
  update(id: string, change: AgentUpdate): Promise<AgentView>
  /** Removes what was never published; anything else is disabled. */
  remove(id: string): Promise<AgentView | null>
  publish(id: string, options?: { readonly reason?: string }): Promise<AgentView>
  versions(id: string, page?: PageRequest): Promise<Page<AgentVersionView>>
  rollback(id: string, version: string): Promise<AgentView>
  /** `from` and `to`: versions, or `working`. By default what publishing would change. */
  diff(id: string, between: { readonly from?: string; readonly to?: string }): Promise<DefinitionDiff>
  run(slug: string, request: AgentRunRequest): Promise<AgentRunReply>
  /** Runs what is given instead of a stored agent, for whoever may run working copies. */
  runOnce(request: AgentOnceRequest): Promise<AgentRunReply>
}

/** The integration under which published agents are in the catalog. */
export const agentsSlug = "agents"
export const agentAddress = (slug: string): string => `tools.${agentsSlug}.org.main.${slug}`

/** How a published agent is called as a tool: the snapshot of its version. */
export type AgentBinding = {
  readonly agentId: string
  readonly slug: string
  readonly version: string
  readonly definition: AgentDefinition
  /** Who wrote what runs, and who published it. */
  readonly writtenBy: string
  readonly publishedBy: string
}

/** What a run executes, as its row keeps it: it goes on with this, whatever becomes of the agent. */
export type AgentProgram = {
  readonly agent: AgentBinding
  readonly input: AgentInput
  /** Which of the caller's own connections it reaches: all, where they wrote it themselves. */
  readonly own: "all" | readonly string[]
  /** A human is asked before it begins. */
  readonly asks?: true
}
