// Badges: a word on a tint. Colour is a signal and never the only one.
import type { ReactNode } from "react"

export type Tone = "ok" | "warn" | "danger" | "info" | "waiting" | "neutral"

const tints: Record<Tone, string> = {
  ok: "tint-ok",
  warn: "tint-warn",
  danger: "tint-danger",
  info: "tint-info",
  waiting: "tint-waiting",
  neutral: "tint-neutral",
}

type BadgeProps = { readonly tone?: Tone; readonly children: ReactNode; readonly title?: string }

export const Badge = ({ tone = "neutral", children, title }: BadgeProps): ReactNode => (
  <span
    title={title}
    className={`inline-flex items-center gap-1 rounded-full align-middle px-2 text-sm font-medium whitespace-nowrap ${tints[tone]}`}
  >
    {children}
  </span>
)

export const statusMarks: Record<Tone, string> = { ok: "●", warn: "▲", danger: "✕", info: "◆", waiting: "◐", neutral: "○" }

/** A status: a mark of its own shape, and the word. */
export const Status = ({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }): ReactNode => (
  <Badge tone={tone}>
    <span aria-hidden="true" className="text-[9px]">
      {statusMarks[tone]}
    </span>
    {children}
  </Badge>
)
