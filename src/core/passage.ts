// A call by somebody who speaks the source's own protocol: it passes the gate like any other, and its answer is left as it came.
import type { CallNotice } from "./call-notice.ts"

/** What such a client says besides the arguments; only the source reads it. */
export type Passage = {
  /** Another method of the protocol that this tool stands for, with its parameters; null for the tool's own. */
  readonly instead: { readonly method: PassageMethod; readonly params: Record<string, unknown> } | null
  /** What the client can do when it is asked in between. */
  readonly capabilities: Record<string, unknown>
  readonly logLevel: string | null
  /** What it answered in the round before. */
  readonly inputResponses: Record<string, unknown> | null
  readonly requestState: string | null
}

export type PassageMethod = "completion/complete" | "resources/subscribe" | "resources/unsubscribe"

export type PassageOptions = { readonly passage?: Passage; readonly notify?: (notice: CallNotice) => void }

/** What an upstream says that it has others of now. */
export type SourceNotice = { readonly kind: "tools" | "prompts" | "resources" } | { readonly kind: "resource"; readonly uri: string }
