// The frame of a page's content: its title, what can be done, and the document's title.
import type { ReactNode } from "react"
import { useEffect } from "react"

type PageProps = {
  readonly title: string
  /** Beside the title, in grey: usually a count. */
  readonly note?: ReactNode
  readonly actions?: ReactNode
  /** Before the title in the browser's tab, such as "3 waiting". */
  readonly tabNote?: string | null
  readonly children: ReactNode
}

/** Its children fill what is left of the screen: a list in it scrolls by itself. What scrolls has room for the outline of what has the focus. */
export function PageFrame({ title, note, actions, tabNote = null, children }: PageProps): ReactNode {
  useEffect(() => {
    document.title = `${tabNote === null ? "" : `${tabNote} – `}${title} – Executor`
  }, [title, tabNote])
  return (
    <div className="mx-auto flex h-full max-w-[1440px] flex-col px-3 min-[900px]:px-6">
      <header className="flex min-h-[52px] flex-wrap items-center justify-between gap-x-4 gap-y-2 py-2">
        <div className="flex min-w-0 flex-wrap items-baseline gap-x-3">
          <h1 className="min-w-0 text-xl font-semibold [overflow-wrap:anywhere]">{title}</h1>
          {note === undefined ? null : <span className="min-w-0 text-secondary [overflow-wrap:anywhere]">{note}</span>}
        </div>
        <div className="flex flex-wrap items-center gap-2">{actions}</div>
      </header>
      <div className="-m-1 flex min-h-0 flex-1 flex-col gap-3 overflow-y-auto p-1 pb-4">{children}</div>
    </div>
  )
}
