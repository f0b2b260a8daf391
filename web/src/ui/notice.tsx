// A tinted box about what is wrong, or what to know before going on.
import type { ReactNode } from "react"
import { messageOf } from "./states.tsx"
import { Prose } from "./text/text.tsx"

const looks = { info: "tint-info", warn: "tint-warn", danger: "tint-danger", ok: "tint-ok" } as const

type NoticeProps = { readonly tone: keyof typeof looks; readonly title?: string; readonly children?: ReactNode }

export const Notice = ({ tone, title, children }: NoticeProps): ReactNode => (
  <div role={tone === "danger" ? "alert" : "note"} className={`flex flex-col gap-1 rounded-control p-3 ${looks[tone]}`}>
    {title === undefined ? null : <p className="font-semibold">{title}</p>}
    {children === undefined ? null : <div className="min-w-0 break-words text-text">{children}</div>}
  </div>
)

/** Why something failed; nothing while nothing did. */
export const Problem = ({ error, title }: { readonly error: Error | null; readonly title?: string }): ReactNode =>
  error === null ? null : (
    <Notice tone="danger" {...(title === undefined ? {} : { title })}>
      <Prose>{messageOf(error)}</Prose>
    </Notice>
  )
