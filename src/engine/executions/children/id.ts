// The ids of runs that other runs start.
import { sha256 } from "../../../io/ids.ts"
import type { ExecutionRow } from "../../../store/execution-store.ts"

const prefixLength = "exe_".length + 12
const endLength = 4

/**
 * Follows from the root and the call that the run performs, so that every replay finds the same row. It begins as its root's,
 * beside which it is listed, and ends as that one's: by the end of an id the store keeps records in order.
 */
export const childId = ({ id }: Pick<ExecutionRow, "id">, key: string): string =>
  `${id.slice(0, prefixLength)}${sha256(`${id}/${key}`).slice(0, id.length - prefixLength - endLength)}${id.slice(-endLength)}`
