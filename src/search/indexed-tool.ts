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
  /** Whether each hit says why it has its place. */
  readonly explain?: boolean
}

/** What multiplies the score that a tool has by its words; 1 where nothing speaks for or against it. */
export type Factors = {
  /** How much of the tool's own name and headline was asked for. */
  readonly words: number
  /** Whether it deals with the thing that was asked for. */
  readonly thing: number
  /** Whether it does what was asked for: reading, creating, deleting. */
  readonly operation: number
  /** Whether it belongs to the integration that was named. */
  readonly integration: number
}

/** The parts of a hit's rank: what each word of the request brought it, and what their sum was multiplied with. */
export type HitExplanation = {
  readonly words: readonly { readonly word: string; readonly gain: number }[]
  readonly factors: Factors
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
  readonly explanation?: HitExplanation
}

/** `total` counts what is worth showing. `weak`: most of what was asked for is in none of the tools, so that probably none fits. */
export type SearchAnswer = { readonly hits: readonly SearchHit[]; readonly total: number; readonly weak: boolean }

export type SearchStats = {
  readonly toolSets: number
  readonly tools: number
  readonly words: number
  readonly postings: number
  /** Of the typed arrays; names and descriptions come on top. */
  readonly arrayBytes: number
  readonly textChars: number
}
