// Scores how well a tool's operation fits the operation that a request asks for.
import type { Wanted } from "../query/operation-of-request.ts"
import type { Kind } from "../index/operation-of-tool.ts"
import { tuning } from "../tuning.ts"
import type { Operation } from "../language/verb-lists.ts"

/** What a tool keeps of its score. Soft, because the words of a request mostly say it as well; but who reads must not be shown a deletion first. */
const fits: Readonly<Record<Operation, Readonly<Record<Kind, number>>>> = {
  read: { list: 1, get: 1, read: 1, create: 0.7, update: 0.7, delete: 0.6, change: 0.75 },
  create: { list: 0.65, get: 0.65, read: 0.65, create: 1, update: 0.8, delete: 0.6, change: 0.95 },
  update: { list: 0.65, get: 0.65, read: 0.65, create: 0.8, update: 1, delete: 0.65, change: 0.95 },
  delete: { list: 0.65, get: 0.65, read: 0.65, create: 0.7, update: 0.75, delete: 1, change: 0.9 },
  change: { list: 0.65, get: 0.65, read: 0.65, create: 1, update: 1, delete: 0.9, change: 1 },
}

export function fitOf(wanted: Wanted | null, kind: Kind): number {
  if (wanted === null) return 1
  const fit = fits[wanted.operation][kind]
  return wanted.said ? fit : 1 - (1 - fit) * tuning.guessedOperation
}
