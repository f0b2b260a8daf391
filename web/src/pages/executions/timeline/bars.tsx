// The bar of one row: patterns tell kinds apart, and colours the outcome.
import type { ReactNode } from "react"
import type { Tone } from "../../../ui/badge.tsx"
import { duration } from "../../../ui/text/time.tsx"
import type { Axis } from "./axis.ts"
import { segmentKinds, segmentNames } from "./segments.ts"
import type { Segment, SegmentKind } from "./segments.ts"
import type { Zoom } from "./use-zoom.ts"

const patterns: Record<SegmentKind, string> = {
  ours: "bar-solid",
  upstream: "bar-stripes",
  wait: "bar-wait",
  replayed: "bar-dots",
}

export const colours: Record<Tone, string> = {
  ok: "text-ok",
  warn: "text-warn",
  danger: "text-danger",
  info: "text-info",
  waiting: "text-waiting",
  neutral: "text-tertiary",
}

type BarsProps = { readonly segments: readonly Segment[]; readonly tone: Tone; readonly axis: Axis; readonly zoom: Zoom }

export const Bars = ({ segments, tone, axis, zoom }: BarsProps): ReactNode => (
  <div aria-hidden="true" className={`relative h-full overflow-hidden ${colours[tone]}`}>
    <div className="absolute inset-x-0 top-1/2 h-px bg-line" />
    {segments.map(({ kind, from, to }, at) => {
      const left = zoom.at(axis.at(from))
      const right = zoom.at(axis.at(to))
      if (right < 0 || left > 1) return null
      const start = Math.max(-0.01, left)
      return (
        <div
          key={at}
          data-kind={kind}
          title={`${segmentNames[kind]}, ${duration(to - from)}`}
          className={`absolute top-1.5 h-4 min-w-[2px] rounded-[2px] ${patterns[kind]}`}
          style={{ left: `min(${start * 100}%, calc(100% - 2px))`, width: `${(Math.min(1.01, right) - start) * 100}%` }}
        />
      )
    })}
  </div>
)

export const Legend = (): ReactNode => (
  <ul className="flex flex-wrap gap-x-4 gap-y-1 text-sm text-secondary">
    {segmentKinds.map((kind) => (
      <li key={kind} className="flex items-center gap-1.5">
        <span aria-hidden="true" className={`inline-block h-3 w-5 rounded-[2px] text-tertiary ${patterns[kind]}`} />
        {segmentNames[kind]}
      </li>
    ))}
  </ul>
)
