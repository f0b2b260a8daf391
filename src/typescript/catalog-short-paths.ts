// The type of an integration's short paths: `github.repos.get`, where only one connection has `repos.get`.
import { branchAt, createBranch, memberKey, sortedChildren } from "./catalog-tree.ts"
import type { Branch } from "./catalog-tree.ts"
import type { PrintedSet } from "./catalog-tool-set.ts"
import { quote } from "./literal-text.ts"

/** Null where every tool is offered by several connections. */
export function shortPaths(printed: readonly PrintedSet[]): string | null {
  const connected = printed.filter(({ toolSet }) => toolSet.connections.length > 0)
  const [only] = connected
  if (only !== undefined && connected.length === 1) return only.toolSet.connections.length === 1 ? only.type : null
  const root = createBranch<string>()
  for (const [name, type] of singleOwners(connected)) {
    const segments = name.split(".")
    branchAt(root, segments).leaf = type + segments.map((segment) => `[${quote(segment)}]`).join("")
  }
  return root.children.size === 0 ? null : branchType(root)
}

/** Tool names that exactly one connection has, with the interface it has them from. */
function singleOwners(printed: readonly PrintedSet[]): Map<string, string> {
  const owners = new Map<string, string>()
  const shared = new Set<string>()
  for (const { toolSet, type } of printed) {
    for (const { name } of toolSet.tools) {
      if (shared.has(name)) continue
      if (toolSet.connections.length === 1 && !owners.has(name)) owners.set(name, type)
      else {
        shared.add(name)
        owners.delete(name)
      }
    }
  }
  return owners
}

function branchType(branch: Branch<string>): string {
  const members = sortedChildren(branch).map(([segment, child]) => `${memberKey(segment)}: ${branchType(child)}`)
  const object = members.length === 0 ? [] : [`{ ${members.join("; ")} }`]
  return [...(branch.leaf === null ? [] : [branch.leaf]), ...object].join(" & ")
}
