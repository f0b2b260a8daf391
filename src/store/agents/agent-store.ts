// The store port of agents: their working copies and versions, and where their models are asked.
import type { AgentStatus } from "../../core/agents/agent.ts"
import type { ModelProviderKind } from "../../core/agents/model-provider.ts"
import type { Scope } from "../../core/principal.ts"
import type { JsonText } from "../../core/tool.ts"
import type { After } from "../store.ts"
import type { VersionRow } from "../registry-store.ts"

export interface AgentStore {
  readonly agents: AgentRows
  readonly agentVersions: AgentVersionRows
  readonly modelProviders: ModelProviderRows
}

export interface AgentRows {
  /** By id or slug. */
  find(scope: Scope, ref: string): Promise<AgentRow | null>
  /** By slug. */
  list(scope: Scope, page: After<string>): Promise<AgentRow[]>
  /** Inserts or replaces; a slug that another agent has is a `conflict`. */
  put(scope: Scope, row: AgentRow): Promise<void>
  /** Its versions go with it. */
  remove(scope: Scope, id: string): Promise<boolean>
}

/** The working copy of an agent, and where it stands in its lifecycle. */
export type AgentRow = {
  readonly id: string
  readonly slug: string
  /** `AgentDefinition` */
  readonly definition: JsonText
  readonly status: AgentStatus
  /** The latest one that was written, or the one that the first publish will have. */
  readonly version: string
  readonly publishedVersion: string | null
  readonly publishedAt: string | null
  readonly contentHash: string
  readonly publishedHash: string | null
  /** Who wrote the working copy. */
  readonly writtenBy: string
  readonly createdBy: string
  readonly createdAt: string
  readonly updatedAt: string
}

/** Immutable snapshots: written once, never changed. */
export interface AgentVersionRows {
  get(scope: Scope, agentId: string, version: string): Promise<AgentVersionRow | null>
  /** Newest first; `after`: a position. */
  list(scope: Scope, agentId: string, page: After<number>): Promise<AgentVersionRow[]>
  /** A version that exists is a `conflict`. Answers its position. */
  add(scope: Scope, row: Omit<AgentVersionRow, "position">): Promise<number>
}

export type AgentVersionRow = VersionRow & { readonly agentId: string; readonly writtenBy: string }

/** Their keys are in the vault, see `modelProviderRef`. */
export interface ModelProviderRows {
  get(scope: Scope, id: string): Promise<ModelProviderRow | null>
  /** By id. */
  list(scope: Scope, page: After<string>): Promise<ModelProviderRow[]>
  /** Inserts or replaces. */
  put(scope: Scope, row: ModelProviderRow): Promise<void>
  remove(scope: Scope, id: string): Promise<boolean>
}

export type ModelProviderRow = {
  readonly id: string
  readonly kind: ModelProviderKind
  readonly baseUrl: string
  readonly hasKey: boolean
  /** A JSON array of names. */
  readonly models: JsonText
  readonly createdAt: string
  readonly updatedAt: string
}

export const modelProviderRef = (id: string): string => `model-provider:${id}`
