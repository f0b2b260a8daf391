// Arranges dotted names as the nested objects that they are called through.
import { propertyKey } from "./literal-text.ts"

export type Branch<Leaf> = { leaf: Leaf | null; readonly children: Map<string, Branch<Leaf>> }

export const createBranch = <Leaf>(): Branch<Leaf> => ({ leaf: null, children: new Map() })

export function branchAt<Leaf>(root: Branch<Leaf>, segments: readonly string[]): Branch<Leaf> {
  let branch = root
  for (const segment of segments) {
    let child = branch.children.get(segment)
    if (child === undefined) branch.children.set(segment, (child = createBranch()))
    branch = child
  }
  return branch
}

export const sortedChildren = <Leaf>(branch: Branch<Leaf>): [string, Branch<Leaf>][] =>
  [...branch.children].toSorted(([left], [right]) => (left < right ? -1 : 1))

/** `new (…)` in a type is how something is constructed, so a method of that name needs quotes. */
export const memberKey = (segment: string): string => (segment === "new" ? '"new"' : propertyKey(segment))
