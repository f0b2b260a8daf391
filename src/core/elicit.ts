// How a tool asks the human something in the middle of its work.
import type { JsonSchema } from "./tool.ts"

/** `url`: the human is to open it; accepting means that they have done there what it asks for. */
export type ElicitRequest = (
  | { readonly kind: "form"; readonly message: string; readonly requestedSchema: JsonSchema }
  | { readonly kind: "url"; readonly message: string; readonly url: string }
) & {
  /** Where the tool can go on when it is run again; without one it begins anew. */
  readonly state?: string
}
export type ElicitAnswer = { readonly action: "accept"; readonly content: unknown } | { readonly action: "decline" | "cancel" }

/** Asks the human, and pauses the execution until they have answered. */
export type Elicit = {
  (request: ElicitRequest): Promise<ElicitAnswer>
  /** The state of the latest question that this call asked: those that came with it are asked again, those before it are not. */
  readonly state?: string
}
