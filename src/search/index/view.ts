// The part of the index that one request looks at: the tool sets behind the mounts that its principal can see.
import type { Mount } from "../indexed-tool.ts"
import { namesFrom } from "./segment.ts"
import type { Segment } from "./segment.ts"
import { visibility } from "./visibility.ts"
import type { VisibilityMemo } from "./visibility.ts"
import { namelessWords } from "../language/word-lists.ts"
import { nameWords, stemOf } from "../language/words.ts"

/** A mount with what of its tool set is shown; `null` shows everything. */
export type MountView = { readonly mount: Mount; readonly admits: ((tool: number) => boolean) | null }

/** Mounts of one tool set that the request does not tell apart: their tools are scored once. */
export type Group = {
  readonly segment: Segment
  /** Those stems of the request that name the integration or the connection. */
  readonly nameStems: ReadonlySet<string>
  readonly mounts: readonly MountView[]
  /** What a path in the request leaves for the name of a tool: after the mount's prefix, after the integration, or all of it. */
  readonly tails: readonly string[]
  /** How many of the mounts show everything, and what the others ask. */
  readonly openMounts: number
  readonly gates: readonly ((tool: number) => boolean)[]
  /** Where the tools of this group begin in the arrays of scores. */
  readonly offset: number
}

export type CatalogView = {
  readonly groups: readonly Group[]
  /** The groups by the stems of the request that name them. */
  readonly named: ReadonlyMap<string, readonly Group[]>
  /** Each tool set once: rarity of words is counted over these. */
  readonly segments: readonly Segment[]
  readonly toolCount: number
  /** Length of the arrays of scores. */
  readonly slots: number
}

/** Names of connections that say nothing about them. */
const plainConnections = new Set(["main", "default", "org", "user"])

/** What of a request decides which tools are looked at, and which mounts it tells apart. */
export type Looked = { readonly namespace: string; readonly stems: ReadonlySet<string>; readonly path: string | null }

type Draft = Pick<Group, "segment" | "nameStems" | "tails"> & { readonly mounts: MountView[] }

export function viewOf(
  mounts: readonly Mount[],
  looked: Looked,
  { segments, memo }: { readonly segments: ReadonlyMap<string, Segment>; readonly memo: VisibilityMemo },
): CatalogView {
  const groups = new Map<string, Draft>()
  const namespace = namespaceIn(mounts, looked.namespace)
  for (const mount of mounts) {
    const segment = segments.get(mount.toolSet)
    if (segment === undefined || segment.toolCount === 0) continue
    const range = namespace(mount, segment)
    if (range === "none") continue
    const view = { mount, admits: admission(mount, segment, range, memo) }
    const nameStems = new Set(namesOf(mount).filter((stem) => looked.stems.has(stem)))
    const tails = looked.path === null ? [] : tailsOf(looked.path, mount)
    const key = [mount.toolSet, ...nameStems, "", ...tails].join("\n")
    const known = groups.get(key)
    if (known === undefined) groups.set(key, { segment, nameStems, tails, mounts: [view] })
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
  const named = new Map<string, Group[]>()
  for (const group of placed) for (const stem of group.nameStems) named.set(stem, [...(named.get(stem) ?? []), group])
  return { groups: placed, named, segments: distinct, toolCount: distinct.reduce((sum, segment) => sum + segment.toolCount, 0), slots }
}

function tailsOf(path: string, { prefix, integration }: Mount): string[] {
  const starts = [prefix, integration].filter((start) => start !== "" && path.startsWith(`${start}.`))
  return starts.length > 0 ? [...new Set(starts)].map((start) => path.slice(start.length + 1)) : [path]
}

const knownNames = new WeakMap<Mount, readonly string[]>()
/** A title that goes on for longer is a sentence, whose words name nothing. */
const titleWordsMax = 5

/** By what people call a mount: its integration's slug and title, and the name of its connection. */
function namesOf(mount: Mount): readonly string[] {
  const known = knownNames.get(mount)
  if (known !== undefined) return known
  const connection = mount.prefix
    .split(".")
    .slice(1)
    .filter((part) => !plainConnections.has(part))
  const titleWords = nameWords(mount.integrationName).slice(0, titleWordsMax)
  const words = [...nameWords(mount.integration), ...titleWords].filter((word) => !namelessWords.has(word))
  const names = [...words, ...connection.flatMap(nameWords)].map(stemOf)
  knownNames.set(mount, names)
  return names
}

type Range = "all" | "none" | { readonly from: number; readonly to: number }

/**
 * Which tools of a mount a namespace leaves. It may end before, at or after the mount's prefix, leave owner and connection
 * out, or be written as people write patterns: `GitHub`, `github.issues.`, `github.*`. What names no integration is a
 * group of tools in any of them: `issues`.
 */
function namespaceIn(mounts: readonly Mount[], written: string): (mount: Mount, segment: Segment) => Range {
  const namespace = written
    .trim()
    .toLowerCase()
    .replace(/^tools(?:\.|$)/, "")
    .replace(/(?<![.*])[.*]+$/, "")
  if (namespace === "") return () => "all"
  const titled = mounts.find((mount) => mount.integrationName.toLowerCase() === namespace)
  const wanted = titled === undefined || mounts.some((mount) => mount.integration === namespace) ? namespace : titled.integration
  const isSomeones = mounts.some((mount) => mount.integration !== "" && isPathWithin(wanted, mount.integration))
  return (mount, segment) => {
    if (isPathWithin(mount.prefix, wanted)) return "all"
    const starts = [mount.prefix, mount.integration].filter((start) => start !== "" && isPathWithin(wanted, start))
    const tails = starts.map((start) => wanted.slice(start.length + 1))
    // Static tools, whose name is their path, and groups by their bare name.
    if (mount.prefix === "" || !isSomeones) tails.push(wanted)
    for (const tail of tails) {
      const range = tail === "" ? { from: 0, to: segment.toolCount } : namesFrom(segment, tail, "dotted")
      if (range.to > range.from) return range
    }
    return "none"
  }
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
