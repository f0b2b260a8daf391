// The input and output of the search index.
import type { Effect } from "../core/tool.ts"

/** A tool as its source describes it, without the connection it is reached through. */
export type IndexedTool = {
  /** Without integration, owner and connection: `issues.create`. Static tools have their fqid. */
  readonly name: string
  readonly title: string
  readonly summary: string
  readonly description: string
  readonly tags: readonly string[]
  readonly parameters: readonly { readonly name: string; readonly description: string }[]
  readonly deprecated: boolean
  readonly effect: Effect
}

/** A connection that a principal can see: which tool set it offers, and under which path. */
export type Mount = {
  readonly toolSet: string
  /** `github.org.main`; empty for static tools, whose name is their path. */
  readonly prefix: string
  readonly integration: string
  readonly integrationName: string
  /** Which of the tools the principal may see; all of them when it is left out. Asked once for each tool as long as the mount is the same object. */
  readonly isVisible?: (name: string) => boolean
}

export type SearchRequest = {
  readonly query: string
  /** The beginning of a path, at a dot: `github`, `github.org.main`, `github.issues`. */
  readonly namespace?: string
  readonly limit: number
  readonly offset: number
}

export type SearchHit = {
  readonly path: string
  readonly name: string
  readonly title: string
  /** Cut to what helps choosing. */
  readonly description: string
  readonly mount: Mount
  readonly deprecated: boolean
  readonly effect: Effect
  /** How much of the request it answers, from 0 to 1. */
  readonly score: number
}

export type SearchAnswer = {
  readonly hits: readonly SearchHit[]
  readonly total: number
  /** Nothing fits well: what was found shares a word or two with the request. */
  readonly weak?: boolean
}

export type SearchStats = {
  readonly toolSets: number
  readonly tools: number
  readonly words: number
  readonly postings: number
  /** Of the typed arrays; names and descriptions come on top. */
  readonly arrayBytes: number
  readonly textChars: number
}
