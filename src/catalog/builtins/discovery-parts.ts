// What discovery works with, and the check of the numbers that it is given.
import { ExecutorError } from "../../core/errors.ts"
import type { FairQueue } from "../../io/fair-queue.ts"
import type { ToolMeaning } from "../search-meaning/meaning.ts"
import type { LearnedUse } from "../search-use/learned.ts"
import type { ReadInventory } from "../tools/inventory.ts"
import type { ToolListParts } from "../tools/list.ts"
import type { ToolResolver } from "../tools/resolver.ts"
import type { ToolSearch } from "../tools/search.ts"
import type { WorkingCopies } from "../tools/working-copies.ts"
import type { WorkspaceTools } from "../tools/workspace-tools.ts"

export type DiscoveryParts = ToolListParts & {
  readonly fairQueue: FairQueue
  readonly resolver: ToolResolver
  readonly workingCopies: WorkingCopies
  readonly workspaceTools: WorkspaceTools
  readonly finder: ToolSearch
  readonly inventory: ReadInventory
  readonly learnedUse: LearnedUse
  readonly meaning: ToolMeaning
}

export const limitMax = 100

export function wholeNumber(value: number, name: string, min: number, max: number): number {
  if (Number.isInteger(value) && value >= min && value <= max) return value
  throw new ExecutorError("invalid_arguments", `${name} must be a whole number from ${min} to ${max}`)
}
