// What a principal can reach, in numbers: the integrations, the groups of their tools and how many there are.

import type { UnreadyConnection } from "./connection.ts"

export type InventoryGroup = {
  /** The first segment of its tools' names. */
  readonly name: string
  readonly toolCount: number
  /** Whether it is itself the name of its only tool. */
  readonly isTool: boolean
}

/** `no_tools`: it is connected, and its source has none. `syncing`: its source is being read. */
export type InventoryStanding = "offers_tools" | "needs_credentials" | "syncing" | "not_reachable" | "no_tools"

export type InventoryItem = {
  readonly slug: string
  readonly name: string
  readonly description: string
  readonly kind: string
  readonly standing: InventoryStanding
  /** `<owner>.<connection>` of those that have tools. */
  readonly connections: readonly string[]
  /** Those without tools that are not ready, and why. */
  readonly unready: readonly UnreadyConnection[]
  /** Each tool counted once, however many connections offer it. */
  readonly toolCount: number
  /** Largest first. */
  readonly groups: readonly InventoryGroup[]
}

/** Largest first; those without tools at the end, because a human must do something before they are of use. */
export type Inventory = { readonly items: readonly InventoryItem[]; readonly toolCount: number }
