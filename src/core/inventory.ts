// A summary of what a principal can reach: the integrations, the groups of their tools, and their number.

import type { UnreadyConnection } from "./connection.ts"

export type InventoryGroup = {
  /** The first segment of its tools' names. */
  readonly name: string
  readonly toolCount: number
  /** Whether it is itself the name of its only tool. */
  readonly isTool: boolean
}

export type InventoryTool = {
  readonly name: string
  /** The arguments on one line, cut where there are many. */
  readonly signature: string
}

/** `no_tools`: the source of the connection has no tools. `syncing`: its source is being read. */
export type InventoryStanding = "offers_tools" | "needs_credentials" | "syncing" | "not_reachable" | "no_tools"

export type InventoryItem = {
  readonly slug: string
  readonly name: string
  readonly description: string
  readonly kind: string
  readonly standing: InventoryStanding
  /** `<owner>.<connection>` of the connections with tools. */
  readonly connections: readonly string[]
  /** The connections without tools that are not ready, and why. */
  readonly unready: readonly UnreadyConnection[]
  /** Each tool is counted once, regardless of how many connections offer it. */
  readonly toolCount: number
  /** Largest first. */
  readonly groups: readonly InventoryGroup[]
  /** All of its tools if it has few, otherwise none. */
  readonly tools: readonly InventoryTool[]
}

/** Largest first; integrations without tools come last, because a human must do something before they can be used. */
export type Inventory = { readonly items: readonly InventoryItem[]; readonly toolCount: number }
