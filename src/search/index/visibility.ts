// Which tools of a mount its principal may see: checked once for each tool, in slices if there are many.
import type { Mount } from "../indexed-tool.ts"
import type { Segment } from "./segment.ts"

/** What a mount's predicate has answered: 0 not asked, 1 yes, 2 no. Forgotten with the mount. */
export type VisibilityMemo = WeakMap<Mount, Known>
type Known = { readonly segment: Segment; readonly answers: Uint8Array; unasked: number }

/** Questions that a search may ask by itself: with many policies each takes some microseconds. */
const askedAtOnceMax = 2000
const askedPerSlice = 100

/** Null where everything is shown. */
export function visibility(mount: Mount, segment: Segment, memo: VisibilityMemo): ((tool: number) => boolean) | null {
  const ask = mount.isVisible
  if (ask === undefined) return null
  const known = knownOf(mount, segment, memo)
  return (tool) => answerOf(tool, known, ask)
}

/** Yields between slices. What a search can ask by itself is left to it, because it asks only for what it finds. */
export function* askMany(mounts: readonly Mount[], segments: ReadonlyMap<string, Segment>, memo: VisibilityMemo): Generator<void> {
  const asking = mounts.flatMap((mount) => {
    const segment = segments.get(mount.toolSet)
    const { isVisible } = mount
    return segment === undefined || isVisible === undefined ? [] : [{ isVisible, known: knownOf(mount, segment, memo) }]
  })
  if (asking.reduce((sum, { known }) => sum + known.unasked, 0) <= askedAtOnceMax) return
  let asked = 0
  for (const { isVisible, known } of asking) {
    for (let tool = 0; tool < known.answers.length && known.unasked > 0; tool += 1) {
      if (known.answers[tool] !== 0) continue
      answerOf(tool, known, isVisible)
      asked += 1
      if (asked % askedPerSlice === 0) yield
    }
  }
}

function knownOf(mount: Mount, segment: Segment, memo: VisibilityMemo): Known {
  const before = memo.get(mount)
  if (before?.segment === segment) return before
  const known = { segment, answers: new Uint8Array(segment.toolCount), unasked: segment.toolCount }
  memo.set(mount, known)
  return known
}

function answerOf(tool: number, known: Known, ask: (name: string) => boolean): boolean {
  if (known.answers[tool] === 0) {
    known.answers[tool] = ask(known.segment.names[tool] ?? "") ? 1 : 2
    known.unasked -= 1
  }
  return known.answers[tool] === 1
}
