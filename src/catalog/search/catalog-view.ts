// The part of the index that one request looks at: the tool sets behind the mounts that its principal can see.
import type { Mount } from "./indexed-tool.ts"
import { namesBelow } from "./segment.ts"
import type { Segment } from "./segment.ts"
import { nameWords, stemOf } from "./words.ts"

/** A mount with what of its tool set is shown; `null` shows everything. */
export type MountView = { readonly mount: Mount; readonly admits: ((tool: number) => boolean) | null }

/** Mounts of one tool set that the request does not tell apart: their tools are scored once. */
export type Group = {
  readonly segment: Segment
  /** Those stems of the request that name the integration or the connection. */
  readonly nameStems: ReadonlySet<string>
  readonly mounts: readonly MountView[]
  /** How many of the mounts show everything, and what the others ask. */
  readonly openMounts: number
  readonly gates: readonly ((tool: number) => boolean)[]
  /** Where the tools of this group begin in the arrays of scores. */
  readonly offset: number
}

export type CatalogView = {
  readonly groups: readonly Group[]
  /** Each tool set once: rarity of words is counted over these. */
  readonly segments: readonly Segment[]
  readonly toolCount: number
  /** Length of the arrays of scores. */
  readonly slots: number
}

/** What a mount's predicate has answered: 0 not asked, 1 yes, 2 no. Forgotten with the mount. */
export type VisibilityMemo = WeakMap<Mount, { readonly segment: Segment; readonly answers: Uint8Array }>

/** Names of connections that say nothing about them. */
const plainConnections = new Set(["main", "default", "org", "user"])

export function viewOf(
  mounts: readonly Mount[],
  namespace: string,
  asked: ReadonlySet<string>,
  { segments, memo }: { readonly segments: ReadonlyMap<string, Segment>; readonly memo: VisibilityMemo },
): CatalogView {
  const groups = new Map<string, { segment: Segment; nameStems: ReadonlySet<string>; mounts: MountView[] }>()
  for (const mount of mounts) {
    const segment = segments.get(mount.toolSet)
    if (segment === undefined || segment.toolCount === 0) continue
    const range = namespaceRange(mount, segment, namespace)
    if (range === "none") continue
    const view = { mount, admits: admission(mount, segment, range, memo) }
    const nameStems = new Set(namesOf(mount).filter((stem) => asked.has(stem)))
    const key = [mount.toolSet, ...nameStems].join("\n")
    const known = groups.get(key)
    if (known === undefined) groups.set(key, { segment, nameStems, mounts: [view] })
    else known.mounts.push(view)
  }
  let slots = 0
  const placed = [...groups.values()].map((group) => {
    const offset = slots
    slots += group.segment.toolCount
    const gates = group.mounts.flatMap(({ admits }) => (admits === null ? [] : [admits]))
    return { ...group, offset, gates, openMounts: group.mounts.length - gates.length }
  })
  const distinct = [...new Set(placed.map((group) => group.segment))]
  return { groups: placed, segments: distinct, toolCount: distinct.reduce((sum, segment) => sum + segment.toolCount, 0), slots }
}

const knownNames = new WeakMap<Mount, readonly string[]>()

function namesOf(mount: Mount): readonly string[] {
  const known = knownNames.get(mount)
  if (known !== undefined) return known
  const connection = mount.prefix
    .split(".")
    .slice(1)
    .filter((part) => !plainConnections.has(part))
  const names = [mount.integration, mount.integrationName, ...connection].flatMap(nameWords).map(stemOf)
  knownNames.set(mount, names)
  return names
}

type Range = "all" | "none" | { readonly from: number; readonly to: number }

/** Which tools of a mount a namespace leaves: it may end before, at or after the mount's prefix, or leave owner and connection out. */
function namespaceRange(mount: Mount, segment: Segment, namespace: string): Range {
  if (namespace === "" || isPathWithin(mount.prefix, namespace)) return "all"
  const tails = [mount.prefix, mount.integration]
    .filter((start) => start === "" || isPathWithin(namespace, start))
    .map((start) => (start === "" ? namespace : namespace.slice(start.length + 1)))
  for (const tail of tails) {
    const range = namesBelow(segment, tail)
    if (range.to > range.from) return range
  }
  return "none"
}

/** Whether `path` is `start` or goes on from it at a dot. */
export const isPathWithin = (path: string, start: string): boolean => path === start || path.startsWith(`${start}.`)

function admission(
  mount: Mount,
  segment: Segment,
  range: Exclude<Range, "none">,
  memo: VisibilityMemo,
): ((tool: number) => boolean) | null {
  const isVisible = visibility(mount, segment, memo)
  if (range === "all") return isVisible
  const within = new Uint8Array(segment.toolCount)
  for (let at = range.from; at < range.to; at += 1) within[segment.byName[at] ?? 0] = 1
  return (tool) => within[tool] === 1 && (isVisible === null || isVisible(tool))
}

function visibility(mount: Mount, segment: Segment, memo: VisibilityMemo): ((tool: number) => boolean) | null {
  const ask = mount.isVisible
  if (ask === undefined) return null
  let known = memo.get(mount)
  if (known?.segment !== segment) {
    known = { segment, answers: new Uint8Array(segment.toolCount) }
    memo.set(mount, known)
  }
  const { answers } = known
  return (tool) => {
    if (answers[tool] === 0) answers[tool] = ask(segment.names[tool] ?? "") ? 1 : 2
    return answers[tool] === 1
  }
}
