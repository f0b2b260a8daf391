// What belongs to one run of those that share a journal: all of it for a root, for a child what its own calls left there.
import type { CallRow, ExecutionHead, ExecutionRow } from "../../../store/execution-store.ts"
import type { EngineParts } from "../../engine-parts.ts"
import { ofTenant } from "../../execution-access.ts"
import { depthOf } from "../../programs/call-tree.ts"
import type { Recording } from "../journal.ts"

type Place = Pick<ExecutionRow, "tenant" | "user" | "id" | "rootId" | "rootKey">

/** Of an execution that nobody called. */
export const calledByNobody = { parentId: null, rootId: null, rootKey: null } as const

/** The execution whose journal, lease and approvals it uses. */
export const rootIdOf = ({ id, rootId }: Pick<ExecutionRow, "id" | "rootId">): string => rootId ?? id

/** In front of the keys of its calls. */
export const prefixOf = ({ rootKey }: Pick<ExecutionRow, "rootKey">): string => (rootKey === null ? "" : `${rootKey}/`)

/** With the keys that its own program gave. */
export function scoped<Row extends { readonly key: string | null }>(rows: Iterable<Row>, prefix: string): Row[] {
  if (prefix === "") return [...rows]
  return [...rows].flatMap((row) => (row.key?.startsWith(prefix) === true ? [{ ...row, key: row.key.slice(prefix.length) }] : []))
}

export async function readJournal(row: Place, { executions }: Pick<EngineParts, "executions">): Promise<Recording> {
  const { calls, events } = await executions.journal.read(row, rootIdOf(row))
  return { calls: scoped(calls, prefixOf(row)), events: scoped(events, prefixOf(row)) }
}

/** The runs that were started below a root; one whose journal has no nested call has none. */
export async function runsBelow(
  row: ExecutionRow,
  { calls, events }: Recording,
  parts: Pick<EngineParts, "executions">,
): Promise<ExecutionHead[]> {
  const isAlone = ![...events, ...calls].some(({ key }) => key?.includes("/") === true)
  return isAlone ? [] : parts.executions.executions.below(row)
}

/** Which of its calls, by their keys, started runs: their ids. */
export async function runIdsOf(
  row: Place,
  calls: readonly Pick<CallRow, "key">[],
  { executions }: Pick<EngineParts, "executions">,
): Promise<ReadonlyMap<string, string>> {
  if (row.rootId === null && !calls.some(({ key }) => depthOf(key) > 0)) return new Map()
  const below = await executions.executions.below({ tenant: row.tenant, id: rootIdOf(row) })
  const keyed = below.map(({ id, rootKey }) => ({ id, key: rootKey }))
  return new Map(scoped(keyed, prefixOf(row)).map(({ id, key }) => [key ?? "", id]))
}

/** Itself, unless it was called by another; null where that is gone. */
export async function rootOfRun(row: ExecutionRow, { executions }: Pick<EngineParts, "executions">): Promise<ExecutionRow | null> {
  return row.rootId === null ? row : executions.executions.get(ofTenant(row), row.rootId)
}
