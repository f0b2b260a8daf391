// The port of a source kind: it says which tools a config gives and performs their calls; it decides nothing.
import type { ConnectionRef } from "../core/address.ts"
import type { Credential } from "../core/auth.ts"
import type { RunCode } from "../core/call/program.ts"
import type { RequestPreview } from "../core/execution.ts"
import type { SourceFacts, SourceKind } from "../core/integration.ts"
import type { CallNotice } from "../core/call/notice.ts"
import type { Elicit } from "../core/call/elicit.ts"
import type { Limits } from "../core/limits.ts"
import type { McpPassThrough } from "../core/call/pass-through.ts"
import type { Scope } from "../core/principal.ts"
import type { ExecutionSettings } from "../core/registry/execution.ts"
import type { ToolResult } from "../core/result.ts"
import type { Effect, JsonText, ToolFacts } from "../core/tool.ts"
import type { AnswerTurn } from "../io/answer-turn.ts"
import type { Log } from "../io/log.ts"
import type { Outbound } from "../io/network/outbound.ts"

export interface SourceAdapter<Config = unknown> {
  readonly kind: SourceKind
  /** `integration`: its tools follow from config and document alone, so that all connections share them. */
  readonly toolsPer: "integration" | "connection"
  /** Where tools are per connection: whether the source can be asked before there is one, for its facts and to see that it is there. */
  readonly isReadOnAdd?: true
  /** Its tools are pinned as they were when a human connected: what changes later asks for approval until a human accepts it. */
  readonly pinsTools?: true
  /** Lets go of what is held for an integration that is gone, or for one of its connections; what is still used ends with its use. */
  endSessions?(scope: Scope, integration: string): void
  /** A human wants to know what the source says now: lets go of what is remembered of this connection's. */
  renew?(connection: ConnectionIdentity): void
  /** The field of the config that can hold a whole document; null where there is none. */
  readonly documentField: string | null
  /** Throws `ExecutorError("invalid_request")` that says which field is wrong and what is expected. */
  parseConfig(input: unknown): ParsedConfig<Config> | Promise<ParsedConfig<Config>>
  /** Throws an `ExecutorError` when nothing can be listed; what costs single tools is a warning in the facts. */
  listTools(request: ListRequest<Config>): Promise<ListedTools>
  /** Never throws for what an upstream does: every answer of it is a value. */
  callTool(request: CallRequest<Config>): Promise<ToolResult>
  /**
   * For a tool whose arguments say what a call does: states the effect of one. Null where what was listed holds for every call.
   * It is asked before anybody has approved anything, with arguments that a stranger wrote, so whatever is in doubt is no read.
   */
  effectOf?(tool: Pick<CallRequest<Config>["tool"], "binding">, limits: Limits): EffectOfArgs | null
  /** Whether the source does not say what a tool changes, so that the worst was assumed. */
  assumesEffect?(tool: Pick<CallRequest<Config>["tool"], "binding">): boolean
  /** Whether a call makes further calls, so that it may do more than its own effect says: that one is decided call by call. */
  makesCalls?(tool: Pick<CallRequest<Config>["tool"], "binding">): boolean
  /** How many calls of a tool may run at once, and for how long; null where nobody said. It is asked at every call. */
  executionOf?(tool: Pick<CallRequest<Config>["tool"], "binding">): ExecutionSettings | null
  /** Reads what callers write in other words as the arguments that they mean, before anything is checked; null where a tool takes them as they are. */
  readArgsOf?(tool: Pick<CallRequest<Config>["tool"], "binding">): ReadArgs | null
  /** The request that a call would send, without anything secret, for the human who is asked; null where it cannot be said. */
  previewRequest?(request: PreviewRequest<Config>): RequestPreview | null
  /** Where each tool has secrets of its own: opens those of one. Without it a call has its connection's credential. */
  openCredential?(request: ToolCredentialRequest): Promise<Credential>
  /** Null when what is at the URL is not of this kind. */
  detect(request: DetectRequest): Promise<Detected | null>
}

export type ToolCredentialRequest = {
  readonly scope: Scope
  readonly binding: JsonText
  /** The values that are stored under a reference of the tool's tenant; null where there are none. */
  openSecret(ref: string): Promise<Readonly<Record<string, string>> | null>
}

export type ReadArgs = (args: Record<string, unknown>) => Record<string, unknown>

export type EffectOfArgs = (args: Readonly<Record<string, unknown>>) => Promise<Effect>

export type DetectRequest = {
  readonly url: string
  readonly outbound: Outbound
  readonly limits: Limits
  readonly signal: AbortSignal
  readonly log: Log
}
export type Detected = {
  readonly config: Record<string, unknown>
  readonly facts: SourceFacts
  /** `answer`: only such a source answers so. `hint`: it may well be one, as far as a stranger is told. */
  readonly proof: "answer" | "hint"
}

export type ParsedConfig<Config> = {
  /** Plain JSON, without the document. */
  readonly config: Config
  /** A document that came inside the config, stored apart from it. */
  readonly document: string | null
  /** The URLs in the config as an admin wrote them: their private hosts are thereby allowed. */
  readonly urls: readonly string[]
}

export type ListRequest<Config> = {
  readonly config: Config
  /** Null for a preview. */
  readonly connection: ConnectionIdentity | null
  /** The stored document; null: fetch it from where the config says. */
  readonly document: string | null
  readonly credential: Credential
  readonly outbound: Outbound
  readonly limits: Limits
  readonly signal: AbortSignal
  readonly log: Log
}

/** Whose session a source with sessions uses: one connection, one session. */
export type ConnectionIdentity = { readonly scope: Scope; readonly ref: ConnectionRef }

export type ListedTool = ToolFacts & {
  /** JSON Schema 2020-12; shared definitions are referred to as `#/$defs/<name>`. */
  readonly inputSchema: JsonText
  readonly outputSchema: JsonText | null
  /** What the adapter needs to perform the call; nobody else reads it. */
  readonly binding: JsonText
}

export type ListedTools = {
  readonly facts: SourceFacts
  readonly tools: readonly ListedTool[]
  readonly definitions: ReadonlyMap<string, JsonText>
  /** What was read, to be stored; null where there is no document. */
  readonly document: string | null
}

/** `config`: as it is shown, without its secrets. */
export type PreviewRequest<Config> = { readonly config: Config; readonly binding: JsonText; readonly args: Record<string, unknown> }

export type CallRequest<Config> = {
  readonly config: Config
  readonly connection: ConnectionIdentity
  readonly tool: { readonly name: string; readonly binding: JsonText; readonly inputSchema: JsonText }
  /** The tool set's definitions of these names, as they were listed; unknown ones are left out. */
  definitions(names: readonly string[]): Promise<ReadonlyMap<string, JsonText>>
  readonly args: Record<string, unknown>
  readonly credential: Credential
  readonly outbound: Outbound
  readonly limits: Limits
  readonly signal: AbortSignal
  readonly elicit: Elicit
  /** To be taken before a large answer is parsed. It ends with the call: whoever asks an upstream for more gives it back first. */
  readonly answerTurn: AnswerTurn
  /** The caller speaks the source's protocol: `data` is to be its answer as it came. Sources without such callers leave it. */
  readonly passThrough?: McpPassThrough
  /** For tools that are made of code. */
  readonly runCode: RunCode
  notify(notice: CallNotice): void
  readonly log: Log
}
