// The axis of a timeline: pauses in which nothing runs are folded, so that days of waiting do not squash milliseconds.
import type { Segment } from "./segments.ts"

export type Span = { readonly from: number; readonly to: number }

export type Axis = Span & {
  readonly folds: readonly Span[]
  /** From 0 to 1. */
  at(ms: number): number
  timeAt(place: number): number
}

const foldMsMin = 1000
/** Of the time in which something runs: shorter pauses are drawn as they are. */
const foldShareMin = 0.1
/** How much of the axis one fold takes, and all of them. */
const foldWidth = 0.08
const foldsWidth = 0.4

/** When a human was waited for while nothing ran, earliest first. */
export function pausesOf(segments: readonly Segment[]): readonly Span[] {
  const busy = union(segments.filter(({ kind }) => kind !== "wait"))
  return union(segments.filter(({ kind }) => kind === "wait")).flatMap((wait) => without(wait, busy))
}

export const lengthOf = (spans: readonly Span[]): number => spans.reduce((sum, { from, to }) => sum + to - from, 0)

/** Those long enough to be folded. */
export function foldsOf(pauses: readonly Span[], { from, to }: Span): readonly Span[] {
  const active = Math.max(0, to - from - lengthOf(pauses))
  return pauses.filter((pause) => pause.to - pause.from >= Math.max(foldMsMin, active * foldShareMin))
}

export function createAxis({ from, to }: Span, folds: readonly Span[]): Axis {
  const open = Math.max(1, to - from - lengthOf(folds))
  const fold = folds.length === 0 ? 0 : Math.min(foldWidth, foldsWidth / folds.length)
  const scale = (1 - fold * folds.length) / open
  const knots: { readonly ms: number; readonly place: number }[] = [{ ms: from, place: 0 }]
  for (const span of folds) {
    const before = knots.at(-1) ?? { ms: from, place: 0 }
    const place = before.place + (span.from - before.ms) * scale
    knots.push({ ms: span.from, place }, { ms: span.to, place: place + fold })
  }
  knots.push({ ms: Math.max(to, from + 1), place: 1 })
  return {
    from,
    to,
    folds,
    at: (ms) => between(knots, "ms", "place", ms),
    timeAt: (place) => between(knots, "place", "ms", place),
  }
}

type Knot = { readonly ms: number; readonly place: number }

/** On the line between the two knots around the value. */
function between(knots: readonly Knot[], known: keyof Knot, wanted: keyof Knot, value: number): number {
  const next = knots.findIndex((knot) => knot[known] >= value)
  const [left, right] = next <= 0 ? [knots[0], knots[1]] : [knots[next - 1], knots[next]]
  if (left === undefined || right === undefined || next === 0) return knots[0]?.[wanted] ?? 0
  if (next === -1) return knots.at(-1)?.[wanted] ?? 0
  const share = right[known] === left[known] ? 0 : (value - left[known]) / (right[known] - left[known])
  return left[wanted] + share * (right[wanted] - left[wanted])
}

function union(spans: readonly Span[]): Span[] {
  const all: { from: number; to: number }[] = []
  for (const { from, to } of spans.toSorted((one, other) => one.from - other.from)) {
    const last = all.at(-1)
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to)
    else all.push({ from, to })
  }
  return all
}

/** `busy`: in order, without overlaps. */
function without(span: Span, busy: readonly Span[]): Span[] {
  const left: Span[] = []
  let from = span.from
  for (const one of busy) {
    if (one.to <= from || one.from >= span.to) continue
    if (one.from > from) left.push({ from, to: one.from })
    from = Math.max(from, one.to)
  }
  return from < span.to ? [...left, { from, to: span.to }] : left
}
