// The results of discovery: search hits, the description of a tool, the sources of a catalog.
import type { UnreadyConnection } from "./connection.ts"
import type { Degraded } from "./retrieval/pipeline.ts"

/** A hit as a model reads it: enough to choose a tool and, mostly, to call it. */
export type BriefSearchItem = {
  readonly path: string
  /** The arguments on one line, cut where there are many: `{ owner: string; repo: string; state?: 'open' | 'closed' }`. */
  readonly signature: string
  readonly description: string
  readonly requiresApproval: boolean
  /** It still works, and there is a better one. */
  readonly deprecated?: true
}
export type SearchItem = BriefSearchItem & {
  readonly name: string
  readonly integration: string
  /** How much of the request it answers, from 0 to 1. */
  readonly score: number
  /** Only if it was asked for. */
  readonly explanation?: SearchExplanation
}

/** Why a hit has its place: what each word of the request brought it, and what their sum was multiplied with. */
export type SearchExplanation = {
  readonly words: readonly { readonly word: string; readonly gain: number }[]
  /** 1 where nothing speaks for or against it. */
  readonly factors: {
    /** How much of the tool's name and headline was asked for. */
    readonly words: number
    /** Whether it deals with the thing that was asked for, and not with another. */
    readonly thing: number
    /** Whether it does what was asked for: create, read, delete. */
    readonly operation: number
    /** Whether its integration was named, or is Executor's own. */
    readonly integration: number
    /** What was called after earlier searches like this one. */
    readonly use: number
  }
  /** Only if it is near by meaning: its place among those that are, from 1, and how near. */
  readonly meaning?: { readonly place: number; readonly likeness: number }
}

export type SearchPage<Item extends BriefSearchItem = SearchItem> = {
  readonly items: readonly Item[]
  readonly total: number
  readonly hasMore: boolean
  readonly nextOffset: number | null
  /** No tool fits well; the items are the nearest ones. */
  readonly weak?: true
  /** Which services are connected; only if `weak`. */
  readonly message?: string
  /** Only where an embedding is set: why only words were compared, or meaning for some tools alone. */
  readonly degraded?: Degraded
}

export type ToolDescription = {
  readonly path: string
  readonly name: string
  readonly description: string
  readonly inputTypeScript: string
  /** One level deep. */
  readonly outputTypeScript: string
  readonly typeScriptDefinitions: Record<string, string>
  /** The definitions that the types name and that are not among `typeScriptDefinitions`; `definitions` asks for them. */
  readonly moreDefinitions?: readonly string[]
  readonly requiresApproval: boolean
}

/** The definitions that were asked for by name. */
export type ToolDefinitions = Pick<ToolDescription, "path" | "typeScriptDefinitions" | "moreDefinitions">

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
