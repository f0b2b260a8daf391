// A search of the journal with what was asked and answered, or a call that may have followed from one.
import type { PrincipalKind } from "../../core/principal.ts"
import type { JsonText } from "../../core/tool.ts"

export type SearchTrace = {
  readonly user: string
  readonly principalKind: PrincipalKind
  readonly tokenId: string | null
  readonly executionId: string
  readonly key: string
  readonly path: string
  readonly address: string
  readonly session: string | null
  readonly startedAt: string
  /** Null for a call. */
  readonly search: { readonly argsJson: JsonText; readonly answerJson: JsonText } | null
}
