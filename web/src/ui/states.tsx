// The states of a list or page without content: loading, empty, failed, not allowed.
import type { ReactNode } from "react"
import { useEffect, useState } from "react"
import { ExecutorError } from "toolplane/client"
import { Button } from "./button.tsx"
import { CopyButton } from "./text/copy.tsx"
import { asCalledHere } from "./text/own-command.ts"
import { safeText } from "./text/text.tsx"

/** Shown after a moment, so that quick answers do not flicker. */
export function Skeleton({ rows = 6 }: { readonly rows?: number }): ReactNode {
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), 150)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div role="status" aria-label="Loading" className="flex flex-col gap-2 py-2">
      {isShown ? Array.from({ length: rows }, (_, at) => <div key={at} className="h-7 rounded-control bg-hover" />) : null}
    </div>
  )
}

type EmptyProps = {
  readonly title: string
  readonly children?: ReactNode
  readonly action?: ReactNode
  /** A line to paste into a terminal. */
  readonly command?: string
}

export const Empty = ({ title, children, action, command }: EmptyProps): ReactNode => (
  <div className="mx-auto flex w-full max-w-md flex-col items-center gap-3 px-4 py-16 text-center">
    <h2 className="text-lg font-semibold">{title}</h2>
    {children === undefined ? null : <div className="text-secondary">{children}</div>}
    {action}
    {command === undefined ? null : <Command text={command} />}
  </div>
)

/** A line to copy. A command of ours is shown as it is called where the server runs: in a clone it is `./executor`. */
export function Command({ text }: { readonly text: string }): ReactNode {
  const line = asCalledHere(text)
  return (
    <div className="flex max-w-full items-center gap-2 rounded-control border border-line bg-surface px-2 py-1">
      <code tabIndex={0} className="min-w-0 overflow-x-auto font-mono text-sm whitespace-nowrap">
        {line}
      </code>
      <CopyButton text={line} label="Copy the command" />
    </div>
  )
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** What failed, why, and what to do now. */
export function Failure({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }): ReactNode {
  const requestId = error instanceof ExecutorError ? error.requestId : null
  const code = error instanceof ExecutorError ? error.code : null
  const heading =
    code === "forbidden" ? "You may not see this" : code === "not_found" ? "There is nothing here" : "This could not be loaded"
  return (
    <div role="alert" className="mx-auto flex max-w-lg flex-col items-center gap-3 px-4 py-16 text-center">
      <h2 className="text-lg font-semibold">{heading}</h2>
      <p className="stranger break-words text-secondary">{safeText(messageOf(error))}</p>
      {requestId === null ? null : <p className="text-sm text-tertiary">Request {requestId}</p>}
      {onRetry === undefined || code === "forbidden" || code === "not_found" ? null : <Button onClick={onRetry}>Try again</Button>}
    </div>
  )
}
