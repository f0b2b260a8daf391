// A workspace: a folder on somebody's machine whose tools their own process offers to executions, for as long as it is attached.
import { withoutRoot } from "../address.ts"
import type { JsonSchema } from "../tool.ts"

/** The first segment of their addresses. */
export const localSlug = "local"

export const localToolNames = ["shell", "read_file", "write_file", "search", "apply_patch"] as const
export type LocalToolName = (typeof localToolNames)[number]

export const isLocalPath = (path: string): boolean => withoutRoot(path).startsWith(`${localSlug}.`)

/** `unsandboxed`: commands run as they are, so that each of them asks a human. */
export const shellModes = ["sandboxed", "unsandboxed"] as const
export type ShellMode = (typeof shellModes)[number]

export type LocalToolOffer = { readonly name: LocalToolName; readonly description: string; readonly inputSchema: JsonSchema }

export type WorkspaceOffer = {
  /** For humans who are asked about a call. */
  readonly folder: string
  /** By default `sandboxed`. */
  readonly shell?: ShellMode
  readonly tools: readonly LocalToolOffer[]
  /** An execution of the same token that was started with a workspace, whose process is gone: this one takes its place. */
  readonly executionId?: string
}

export type WorkspaceView = { readonly workspaceId: string; readonly folder: string; readonly tools: readonly LocalToolName[] }

export type WorkspaceCall = {
  readonly callId: string
  readonly tool: LocalToolName
  readonly args: Readonly<Record<string, unknown>>
  readonly timeoutMs: number
}

export type WorkspaceEvent =
  /** From now on calls arrive. */
  | { readonly type: "ready" }
  | ({ readonly type: "call" } & WorkspaceCall)
  /** Nobody waits for its answer any more. */
  | { readonly type: "cancel"; readonly callId: string }

export type WorkspaceAnswer = { readonly ok: true; readonly data: unknown } | { readonly ok: false; readonly message: string }

/** Each for the token alone that opened it. */
export interface WorkspacesApi {
  /** Its tools can be called while its events are followed. */
  open(offer: WorkspaceOffer): Promise<WorkspaceView>
  events(id: string, signal?: AbortSignal): AsyncIterable<WorkspaceEvent>
  answer(id: string, callId: string, answer: WorkspaceAnswer): Promise<void>
  close(id: string): Promise<void>
}
