// Puts equal calls together: one group a tool, and of their arguments only those that differ.
import type { ApprovalView } from "toolplane/client"
import { isRecord } from "../../../../src/core/json/record.ts"

export type ApprovalGroup = {
  readonly key: string
  readonly address: string
  readonly kind: ApprovalView["kind"]
  readonly items: readonly ApprovalView[]
}

/** Questions of tools stand alone: each has a text of its own. */
export function groupApprovals(items: readonly ApprovalView[]): ApprovalGroup[] {
  const keyOf = ({ kind, address, approvalId }: ApprovalView): string => (kind === "approval" ? `tool ${address}` : approvalId)
  return [...Map.groupBy(items, keyOf)].flatMap(([key, grouped]) => {
    const [first] = grouped
    return first === undefined ? [] : [{ key, address: first.address, kind: first.kind, items: grouped }]
  })
}

export type Comparison = {
  /** The arguments that are the same in all calls, by path. */
  readonly same: readonly (readonly [string, unknown])[]
  /** The paths of those that differ: the columns of the table. */
  readonly differing: readonly string[]
  /** A value for each path of a call; undefined where it has none. */
  valueAt(call: number, path: string): unknown
}

export function compareArguments(calls: readonly unknown[]): Comparison {
  const leaves = calls.map((args) => new Map(leavesOf(args, "")))
  const paths = [...new Set(leaves.flatMap((one) => [...one.keys()]))]
  const isSame = (path: string): boolean => new Set(leaves.map((one) => JSON.stringify(one.get(path)))).size === 1
  return {
    same: paths.filter(isSame).map((path) => [path, leaves[0]?.get(path)]),
    differing: paths.filter((path) => !isSame(path)),
    valueAt: (call, path) => leaves[call]?.get(path),
  }
}

/** Objects are taken apart; a list is one value. */
export function leavesOf(value: unknown, path: string): [string, unknown][] {
  if (isRecord(value) && Object.keys(value).length > 0)
    return Object.entries(value).flatMap(([key, item]) => leavesOf(item, path === "" ? key : `${path}.${key}`))
  return path === "" && (value === null || value === undefined || isRecord(value)) ? [] : [[path, value]]
}
