// What the registry's calls need from other parts of the product: each is given by `preset/`.
import type { AgentBinding } from "../../core/agents/agent.ts"
import type { Scope } from "../../core/principal.ts"
import type { ToolResult } from "../../core/result.ts"
import type { PipelineFilter } from "../../core/retrieval/pipeline.ts"
import type { Effect } from "../../core/tool.ts"
import type { Network } from "../../io/network/outbound.ts"
import type { CallRequest } from "../source-adapter.ts"

export type RegistryPorts = {
  readonly network: Pick<Network, "outbound">
  /** Of this product, for servers that ask who calls. */
  readonly version: string
  readonly functions: FunctionCalls
  readonly builtins: BuiltinCalls
  readonly pipelines: PipelineCalls
  readonly tenantCredentials: TenantCredentialCalls
  readonly agents: PublishedAgents
  /** `${env:NAME}` references replaced; throws where one may not be read. */
  resolveEnv(text: string): string
  /** A secret in the forms in which an upstream may echo it. */
  secretForms(secret: string): readonly string[]
  redactor(secrets: readonly string[]): (text: string) => string
}

export interface PublishedAgents {
  /** `ref`: an id or a slug. Null where the tenant has published no such agent. */
  findPublished(scope: Scope, ref: string): Promise<AgentBinding | null>
}

export interface FunctionCalls {
  /** Null when there is none of that name. */
  find(name: string): { readonly reads: boolean } | null
  /** An unknown name is a failure with the nearest ones. `who`: callers share threads fairly. */
  call(
    name: string,
    args: Record<string, unknown>,
    run: { readonly timeoutMs: number; readonly signal: AbortSignal; readonly who: string },
  ): Promise<ToolResult>
}

export interface BuiltinCalls {
  /** Null when there is none of that key. */
  call(key: string, request: BuiltinRequest, settings: BuiltinSettings): Promise<ToolResult> | null
  /** Null when the arguments say nothing about what a call does. */
  effectOf(key: string): ((args: Readonly<Record<string, unknown>>) => Effect) | null
}

export type BuiltinRequest = Pick<CallRequest<unknown>, "args" | "signal" | "elicit" | "answerTurn" | "runCode" | "notify"> & {
  readonly scope: Scope
  readonly timeoutMs: number
}

/** What a registry tool brings for the built-in that it is made of. */
export type BuiltinSettings = { readonly apiKey: string | null; readonly credential: TenantCredential | null }

export interface PipelineCalls {
  /** Null when the scope has no such pipeline. */
  query(scope: Scope, request: PipelineCall): Promise<ToolResult | null>
}

export type PipelineCall = {
  readonly pipelineId: string
  readonly query: string
  /** Null: five. */
  readonly topK: number | null
  readonly filter: PipelineFilter | null
  readonly signal: AbortSignal
  readonly timeoutMs: number
}

/** `endpoint`: the only address that it is sent to; null: the provider's own. */
export type TenantCredential = { readonly values: Readonly<Record<string, string>>; readonly endpoint: string | null }

export interface TenantCredentialCalls {
  /** Null when the tenant has none of that id. */
  open(scope: Scope, id: string): Promise<TenantCredential | null>
}
