// A call by a client that speaks the source's own protocol: it passes the gate like any other, and its result is returned unchanged.
import type { CallNotice } from "./notice.ts"

/** What such a client sends besides the arguments; only the source reads it. */
export type McpPassThrough = {
  /** Another method of the protocol that this tool stands for, with its parameters; null for the tool's own. */
  readonly instead: { readonly method: PassThroughMethod; readonly params: Record<string, unknown> } | null
  /** What the client supports when it is asked something during the call. */
  readonly capabilities: Record<string, unknown>
  readonly logLevel: string | null
  /** What it answered in the round before. */
  readonly inputResponses: Record<string, unknown> | null
  readonly requestState: string | null
}

export type PassThroughMethod = "completion/complete" | "resources/subscribe" | "resources/unsubscribe"

export type PassThroughOptions = { readonly passThrough?: McpPassThrough; readonly notify?: (notice: CallNotice) => void }

/** The kinds of items that an upstream reports as changed. */
export type SourceNotice = { readonly kind: "tools" | "prompts" | "resources" } | { readonly kind: "resource"; readonly uri: string }
