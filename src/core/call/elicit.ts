// How a tool asks the human a question while it runs.
import type { JsonSchema } from "../tool.ts"

/** `url`: a page for the human to open; accepting means that they did what the page asks for. */
export type ElicitRequest = (
  | { readonly kind: "form"; readonly message: string; readonly requestedSchema: JsonSchema }
  | { readonly kind: "url"; readonly message: string; readonly url: string }
) & {
  /** Where the tool can continue when it is run again; without it, the tool starts over. */
  readonly state?: string
}
export type ElicitAnswer = { readonly action: "accept"; readonly content: unknown } | { readonly action: "decline" | "cancel" }

/** Asks the human, and pauses the execution until they have answered. */
export type Elicit = {
  (request: ElicitRequest): Promise<ElicitAnswer>
  /** The state of the latest question of this call: questions that came with it are asked again, earlier ones are not. */
  readonly state?: string
}
