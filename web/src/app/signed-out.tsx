// What is shown to whoever is not signed in.
import type { ReactNode } from "react"
import { useEffect } from "react"
import { Command } from "../ui/states.tsx"
import { Mark } from "../ui/mark.tsx"
import { SessionOverText, signInHref } from "../ui/dialogs/session-over.tsx"
import { TooltipProvider } from "../ui/tooltip.tsx"

/** The session has ended while a page was open: what was typed in it stays. */
export const SessionOver = (): ReactNode => (
  <p role="status" className="tint-warn px-3 py-2 min-[900px]:px-6">
    <SessionOverText />
  </p>
)

export function SignedOut(): ReactNode {
  useEffect(() => {
    document.title = "Sign in – Executor"
  }, [])
  return (
    <TooltipProvider>
      <main className="mx-auto flex min-h-full max-w-sm flex-col justify-center gap-4 px-4 py-8">
        <div className="flex items-center gap-2 text-lg font-semibold">
          <Mark /> Executor
        </div>
        <h1 className="text-xl font-semibold">Sign in to continue</h1>
        <p className="text-secondary">This browser is not signed in, or its session has ended.</p>
        <a
          href={signInHref()}
          className="control-height inline-flex items-center justify-center rounded-control bg-solid px-3 font-medium text-white no-underline hover:bg-solid-hover"
        >
          Sign in
        </a>
        <p className="text-secondary">Or run this on the machine where Executor runs. It opens a browser that is signed in:</p>
        <Command text="executor web" />
        <p className="text-sm text-tertiary">Once you are signed in, this page continues by itself.</p>
        <p className="text-sm text-secondary">
          Programs use the API: <a href="/api/docs">API reference</a>
        </p>
      </main>
    </TooltipProvider>
  )
}
