// The port of web search providers.
import type { Limits } from "../../../core/limits.ts"
import type { ToolResult } from "../../../core/result.ts"
import type { Outbound } from "../../../io/network/outbound.ts"

export interface SearchProvider {
  readonly name: string
  readonly endpoint: string
  search(request: SearchRequest, parts: SearchParts): Promise<ToolResult<SearchResults>>
}

export type SearchRequest = {
  readonly query: string
  readonly topK: number
  readonly apiKey: string
  readonly endpoint: string
}

export type SearchParts = {
  readonly outbound: Outbound
  readonly limits: Limits
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

export type SearchResults = {
  readonly query: string
  readonly provider: string
  /** What the provider itself answers, where it does. */
  readonly answer?: string
  readonly results: readonly SearchHit[]
}

export type SearchHit = { readonly title: string; readonly url: string; readonly snippet: string; readonly date?: string }
