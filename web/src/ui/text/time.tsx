// Points in time and durations as people read them.
import type { ReactNode } from "react"
import { useEffect, useState } from "react"

const steps: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ["second", 60],
  ["minute", 60],
  ["hour", 24],
  ["day", 30],
  ["month", 12],
  ["year", Number.POSITIVE_INFINITY],
]
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "short" })
const absolute = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" })

export function relativeTime(iso: string, now: number): string {
  let amount = (Date.parse(iso) - now) / 1000
  for (const [unit, size] of steps) {
    const rounded = Math.round(amount)
    if (unit === "second" && rounded === 0) return "just now"
    if (Math.abs(rounded) < size) return relative.format(rounded, unit)
    amount /= size
  }
  return iso
}

/** The time of now, again and again while it is needed. */
export function useNow(everyMs: number, isNeeded = true): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (!isNeeded) return
    const timer = setInterval(() => setNow(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs, isNeeded])
  return now
}

export const absoluteTime = (iso: string): string => absolute.format(new Date(iso))

/** Relative, with the absolute time when the pointer rests on it. */
export function Time({ at }: { readonly at: string }): ReactNode {
  const now = useNow(15_000)
  return (
    <time dateTime={at} title={absoluteTime(at)} className="tabular whitespace-nowrap">
      {relativeTime(at, now)}
    </time>
  )
}

export function duration(ms: number): string {
  if (ms < 999.5) return `${Math.round(ms)} ms`
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`
  // Rounded once, so that nothing becomes 1 min 60 s.
  const seconds = Math.round(ms / 1000)
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
  const minutes = Math.round(ms / 60_000)
  return minutes < 48 * 60 ? `${Math.floor(minutes / 60)} h ${minutes % 60} min` : `${Math.floor(minutes / (24 * 60))} days`
}
