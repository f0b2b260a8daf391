// The frame of a page outside of the console: one narrow column with a title.
import type { ReactNode } from "react"
import { useEffect } from "react"
import { Mark } from "../ui/mark.tsx"
import { asCalledHere } from "../ui/text/own-command.ts"

type LayoutProps = {
  readonly title: string
  /** By default the title, which is the document's as well. */
  readonly heading?: ReactNode
  readonly isWide?: boolean
  readonly foot?: ReactNode
  readonly children: ReactNode
}

export function Layout({ title, heading = title, isWide = false, foot = programs, children }: LayoutProps): ReactNode {
  useEffect(() => {
    document.title = `${title} – Executor`
  }, [title])
  return (
    <main className={`mx-auto flex min-h-full flex-col justify-center gap-4 px-4 py-8 ${isWide ? "max-w-2xl" : "max-w-sm"}`}>
      <a href="/" className="flex items-center gap-2 self-start text-lg font-semibold text-text no-underline">
        <Mark /> Executor
      </a>
      <h1 className="text-xl font-semibold break-words">{heading}</h1>
      {children}
      {foot}
    </main>
  )
}

const programs = (
  <p className="text-sm text-secondary">
    Programs use the API: <a href="/api/docs">API reference</a>
  </p>
)

/** The way in for whoever has access to the machine. */
export const OnTheMachine = (): ReactNode => (
  <>
    <p className="text-secondary">Run this on the machine where Executor runs. It opens a browser with a link that signs you in:</p>
    <CommandLine text="executor web" />
  </>
)

const CommandLine = ({ text }: { readonly text: string }): ReactNode => (
  <pre tabIndex={0} className="overflow-x-auto rounded-control border border-line bg-surface px-2 py-1 font-mono text-sm">
    <code>{asCalledHere(text)}</code>
  </pre>
)

export const Caution = ({ children }: { readonly children: ReactNode }): ReactNode => (
  <p className="tint-warn rounded-control px-2 py-1 break-words">{children}</p>
)
