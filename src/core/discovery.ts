// The results of discovery: search hits, the description of a tool, the sources of a catalog.
import type { UnreadyConnection } from "./connection.ts"

export type SearchItem = {
  readonly path: string
  readonly name: string
  readonly description: string
  readonly integration: string
  readonly score: number
  readonly requiresApproval: boolean
  /** It still works, and there is a better one. */
  readonly deprecated?: true
}
export type SearchPage = {
  readonly items: readonly SearchItem[]
  readonly total: number
  readonly hasMore: boolean
  readonly nextOffset: number | null
}

export type ToolDescription = {
  readonly path: string
  readonly name: string
  readonly description: string
  readonly inputTypeScript: string
  readonly outputTypeScript: string
  readonly typeScriptDefinitions: Record<string, string>
  readonly requiresApproval: boolean
}

export type SourceItem = {
  readonly slug: string
  readonly kind: string
  readonly name: string
  readonly description: string
  readonly toolCount: number
  /** Connections with tools that you can see. */
  readonly connections: readonly string[]
  /** Connections without tools, and why: an error, a missing credential, a source that is still being read. */
  readonly unready: readonly UnreadyConnection[]
}
export type SourcePage = {
  readonly items: readonly SourceItem[]
  readonly total: number
  readonly hasMore: boolean
  readonly nextOffset: number | null
}
