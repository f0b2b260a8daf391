// The vocabulary of the agent tool system: what a model calls, what handles the call, and what it answers.
import type { CallToolResult } from "@modelcontextprotocol/client"
import type { TurnDiffTracker } from "./local/turn-diff-tracker.ts"

/** A JSON Schema, as models are given it. */
export type JsonSchema = { readonly [keyword: string]: unknown }

/** How much a command may do: what the sandbox allows, or everything, after a human agreed. */
export type SandboxPermissions = "use_default" | "require_escalated"

export type ShellToolCallParams = {
  readonly command: readonly string[]
  readonly workdir?: string
  readonly timeoutMs?: number
  readonly sandboxPermissions?: SandboxPermissions
}

export type ToolPayload =
  | { readonly type: "function"; readonly arguments: string }
  | { readonly type: "custom"; readonly input: string }
  | { readonly type: "mcp"; readonly server: string; readonly tool: string; readonly rawArguments: string }
  | { readonly type: "local_shell"; readonly params: ShellToolCallParams }

/** One call of a model, routed. */
export type ToolCall = { readonly toolName: string; readonly callId: string; readonly payload: ToolPayload }

/** How a tool is described to the model. */
export type ToolSpec =
  | { readonly type: "function"; readonly name: string; readonly description: string; readonly parameters: JsonSchema }
  | { readonly type: "freeform"; readonly name: string; readonly description: string; readonly format?: FreeformFormat }

/** The grammar that a freeform tool's input follows, for models that can be held to one. */
export type FreeformFormat = { readonly type: "grammar"; readonly syntax: "lark" | "regex"; readonly definition: string }

export type ConfiguredToolSpec = { readonly spec: ToolSpec; readonly supportsParallel: boolean }

/** Opens once nothing is pending that a call which changes something has to wait for. */
export type ToolCallGate = { waitReady(): Promise<void> }

export type TurnContext = { readonly toolCallGate: ToolCallGate }

/** A question to the human at the agent, such as whether a command may leave the sandbox. */
export type ApprovalQuestion = { readonly callId: string; readonly toolName: string; readonly message: string; readonly details?: unknown }

/** What the embedding program offers to all calls of a conversation. */
export type ToolSession = {
  /** Answers whether the human agrees. Without it, whatever has to ask is refused. */
  readonly approve?: (question: ApprovalQuestion, signal: AbortSignal) => Promise<boolean>
}

export type ToolInvocation = {
  readonly session: ToolSession
  readonly turn: TurnContext
  readonly tracker: TurnDiffTracker
  readonly callId: string
  readonly toolName: string
  readonly payload: ToolPayload
  /** Aborted when the call is cancelled. */
  readonly signal: AbortSignal
}

export type ContentItem =
  | { readonly type: "input_text"; readonly text: string }
  | { readonly type: "input_image"; readonly image_url: string; readonly detail?: "auto" | "low" | "high" }

export type ToolOutput =
  | {
      readonly type: "function"
      readonly content: string
      /** Structured content: takes the place of `content` where the model's API knows it. */
      readonly contentItems?: readonly ContentItem[]
      readonly success?: boolean
    }
  | { readonly type: "mcp"; readonly result: McpResult }

export type McpResult = { readonly ok: true; readonly value: CallToolResult } | { readonly ok: false; readonly error: string }

export interface ToolHandler {
  readonly kind: "function" | "mcp"
  /** Answered by a stranger's program. Such a tool cannot take the name of a local one. */
  readonly external?: boolean
  /** Unless it says so itself, a handler takes payloads of its kind. */
  matchesKind?(payload: ToolPayload): boolean
  /** Whether this call may change something: such calls wait for the turn's gate. A handler that does not say changes nothing. */
  isMutating?(invocation: ToolInvocation): Promise<boolean>
  /** Throws `FunctionCallError`; the model reads the message of anything else that is thrown. */
  handle(invocation: ToolInvocation): Promise<ToolOutput>
}

/** A tool that the embedding program answers itself, registered at run time. */
export type DynamicToolSpec = {
  readonly name: string
  readonly description: string
  readonly parameters: JsonSchema
  readonly parallel?: boolean
  readonly mutating?: boolean
  call(args: unknown, context: { readonly callId: string; readonly signal: AbortSignal }): Promise<string | ToolOutput>
}
